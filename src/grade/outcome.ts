import type { FactGrade, StateGrade } from "../record/grades.ts";
import type { Outcome } from "../record/outcome.ts";
import { type ToolEvent, type Trajectory, toolCalls } from "../record/trajectory.ts";
import type { Evidence } from "./evidence.ts";

/** How an episode counts, and why. */
export interface Decision {
  readonly outcome: Outcome;
  /** One sentence. */
  readonly reason: string;
  /** What went wrong, for `error` and `inconclusive`; else null. */
  readonly error: { readonly code: string; readonly message: string; readonly server: string | null } | null;
}

/** What the deterministic graders found. */
export interface Findings {
  readonly state: StateGrade | null;
  readonly facts: readonly FactGrade[] | null;
  /** Why the ends cannot be compared although both are there: the world moved too far. */
  readonly moved: string | null;
}

/**
 * How an episode counts (DESIGN §7). The first that applies:
 *
 * 1. What could not be run or compared at all is `error`: a server that did not start, a missing snapshot, a defect of ours.
 * 2. A reference whose server died is `error`; one that broke in another way, or on whose own end a goal fails, is
 *    `inconclusive`: it says nothing of the agent.
 * 3. A server that died under the tested side is `error`, but `fail` if the agent's call kills a fresh one as well.
 * 4. A crash of the agent and an exhausted limit are `fail`; an endpoint that could not be used is `error`.
 * 5. A world that moved too far between two references is `inconclusive`.
 * 6. `pass` if the state succeeds (where it is scored) and every fact is right (where there are some), else `fail`. A query
 *    that asks for neither can be neither: `error`.
 */
export function decideOutcome(evidence: Evidence, findings: Findings): Decision {
  return (
    notRun(evidence) ??
    brokenReference(evidence) ??
    deadServer(evidence) ??
    stoppedAgent(evidence) ??
    compared(findings)
  );
}

function notRun({ failure }: Evidence): Decision | null {
  if (failure === null) return null;
  const { code, message, server } = failure;
  return { outcome: "error", reason: message, error: { code, message, server } };
}

function brokenReference({ reference, trajectories }: Evidence): Decision | null {
  const { reason, detail, code } = reference.stop;
  if (reason === "model")
    return unscored("error", code ?? "model.unavailable", `the reference's model: ${detail}`, null);
  if (reason === "server" || reason === "internal" || reason === "crash") {
    const died = callThatBroke(trajectories.reference);
    const kind = reason === "server" ? "server.died" : "internal.reference";
    const how = howItDied(trajectories.reference, died?.server) ?? detail;
    return unscored("error", kind, `the reference could not go on: ${how}`, died?.server ?? null);
  }
  if (reason !== "answered") {
    return unscored("inconclusive", "reference.broken", `the reference broke (${reason}): ${detail}`, null);
  }
  const [deviation, ...more] = reference.deviations ?? [];
  if (deviation !== undefined) {
    const others = more.length === 0 ? "" : `, and ${more.length} more`;
    return unscored(
      "inconclusive",
      "reference.deviated",
      `the reference's model left the plan: ${deviation}${others}`,
      null,
    );
  }
  const failed = reference.goals.find(({ holds }) => !holds);
  if (failed === undefined) return null;
  const why = failed.error === undefined ? "" : ` (${failed.error})`;
  return unscored(
    "inconclusive",
    "reference.goal",
    `a goal fails on the reference's own end: ${failed.text}${why}`,
    null,
  );
}

function deadServer({ tested, trajectories }: Evidence): Decision | null {
  const died = callThatBroke(trajectories.tested);
  if (died === undefined) return null;
  const call = `${died.server ?? "a server"} died in ${died.name}`;
  if (tested.diesAgain === true) {
    return { outcome: "fail", reason: `${call}, and dies again when the call is repeated`, error: null };
  }
  return unscored(
    "error",
    "server.died",
    `${call}: ${howItDied(trajectories.tested, died.server) ?? died.text}`,
    died.server,
  );
}

function callThatBroke(trajectory: Trajectory): ToolEvent | undefined {
  return toolCalls(trajectory).find(({ outcome }) => outcome === "broken");
}

/** What the pool saw of a server's death, with the end of its stderr. */
function howItDied(trajectory: Trajectory, server: string | null | undefined): string | undefined {
  const event = trajectory.find(
    (found) => found.type === "server" && found.status === "died" && found.server === server,
  );
  return event?.type === "server" ? `${event.server}: ${event.detail}` : undefined;
}

function stoppedAgent({ tested }: Evidence): Decision | null {
  const { reason, detail, code } = tested.stop;
  switch (reason) {
    case "answered":
      return null;
    case "rounds":
    case "time":
    case "tokens":
    case "cost":
    case "context":
    case "truncated":
      return { outcome: "fail", reason: `the agent was stopped: ${detail}`, error: null };
    case "model":
      return unscored("error", code ?? "model.unavailable", detail, null);
    case "crash":
      return { outcome: "fail", reason: `the agent crashed: ${detail}`, error: null };
    case "broken-plan":
      return { outcome: "fail", reason: `the agent could not follow its plan: ${detail}`, error: null };
    case "server":
      return unscored("error", "server.died", detail, null);
    case "internal":
    case "interrupted":
      return unscored("error", `internal.${reason}`, detail, null);
  }
}

function compared({ state, facts, moved }: Findings): Decision {
  if (moved !== null) return unscored("inconclusive", "reference.moved", moved, null);
  if (state === null && facts === null) {
    return unscored("error", "query.nothing-scored", "the query has neither a state nor facts to score", null);
  }
  const wrong = (facts ?? []).filter(({ right }) => !right);
  const reasons = [
    ...(state === null || state.success ? [] : [stateReason(state)]),
    ...(wrong.length === 0 ? [] : [factReason(wrong)]),
  ];
  if (reasons.length > 0) return { outcome: "fail", reason: reasons.join("; "), error: null };
  const right = [...(state === null ? [] : ["the state"]), ...(facts === null ? [] : ["every fact"])];
  return { outcome: "pass", reason: `${right.join(" and ")} ${right.length === 2 ? "are" : "is"} right`, error: null };
}

function stateReason({ required, modified, wrong, misbehaving }: StateGrade): string {
  const parts = [
    `${modified} of ${required} required changes`,
    ...(wrong > 0 ? [`${wrong} of them to a third value`] : []),
    ...(misbehaving > 0 ? [`${misbehaving} changed that had to stay`] : []),
  ];
  return `state: ${parts.join(", ")}`;
}

function factReason(wrong: readonly FactGrade[]): string {
  const [first] = wrong;
  const names = wrong.map(({ name }) => name).join(", ");
  const foil = wrong.length === 1 && first?.foil ? ` (it states ${first.foil} instead)` : "";
  return `${wrong.length === 1 ? "a fact is" : "facts are"} not stated rightly: ${names}${foil}`;
}

function unscored(outcome: "error" | "inconclusive", code: string, message: string, server: string | null): Decision {
  return { outcome, reason: message, error: { code, message, server } };
}
