import type { Json } from "../base/json.ts";
import type { StateGrade, Verdict } from "../record/grades.ts";
import { type ToolEvent, type Trajectory, toolCalls } from "../record/trajectory.ts";
import { callKey } from "./call-stats.ts";
import type { Judge, JudgeInput } from "./judge.ts";

/**
 * The offline judge: both scores follow from rules, so that the same episode always gets the same ones.
 *
 * **Result.** The mean of what the query asks for: the share of facts that are right ({@link gradeFacts} says how a fact is found
 * in prose), and for the state 1 if it succeeds, else its F1. A state that had to stay as it was counts only if it was changed, beside
 * facts. 5 = all right; 4 = two thirds or more; 3 = a third or more; 2 = less; 1 = nothing.
 *
 * **Trajectory.** The mean of two shares, where there are such:
 * - information obtained: of the values that the reference's writing calls and the facts need, and that the reference saw in tool
 *   results (ids that it made itself left aside), the share that the tested side saw in its own results, whichever tools gave them;
 * - effects made: 1 if the state succeeds, else its F1.
 *
 * A query that needs neither takes whether any call worked. 5 = all; else 1 + four times the share, rounded down. One point less,
 * but never under 1, if an equal call was made three times or more without a change in between, or if a call in five or more was a
 * syntactic error. Without a call that worked the trajectory is 1. Tools' names do not matter, so other valid ways are not punished.
 */
export const rulesJudge: Judge = {
  name: "rules",
  judge: async (input): Promise<Verdict> => {
    const result = judgeResult(input);
    const trajectory = judgeTrajectory(input);
    return {
      result: result.score,
      trajectory: trajectory.score,
      reasons: { result: result.reason, trajectory: trajectory.reason },
      error: null,
      usage: null,
      costUsd: null,
    };
  },
};

interface Judgement {
  readonly score: number;
  readonly reason: string;
}

function judgeResult({ state, facts }: JudgeInput): Judgement {
  const right = facts?.filter((fact) => fact.right).length ?? 0;
  const parts = [
    ...(facts === null ? [] : [{ share: right / facts.length, text: `${right} of ${facts.length} facts are right` }]),
    ...(state === null || (state.required === 0 && state.success && facts !== null) ? [] : [statePart(state)]),
  ];
  const share = meanOf(parts.map((part) => part.share)) ?? 0;
  return { score: resultScore(share), reason: parts.map(({ text }) => text).join("; ") || "there is nothing to score" };
}

function resultScore(share: number): number {
  if (share >= 1) return 5;
  if (share <= 0) return 1;
  return share >= 2 / 3 ? 4 : share >= 1 / 3 ? 3 : 2;
}

function statePart(state: StateGrade): { readonly share: number; readonly text: string } {
  const { required, modified, misbehaving, success, f1 } = state;
  const collateral = misbehaving > 0 ? `, ${misbehaving} changed that had to stay` : "";
  return { share: success ? 1 : (f1 ?? 0), text: `${modified} of ${required} required changes are made${collateral}` };
}

function judgeTrajectory({ evidence, state, facts }: JudgeInput): Judgement {
  const { reference, tested } = evidence.trajectories;
  const calls = toolCalls(tested);
  if (!calls.some(({ outcome }) => outcome === "ok")) return { score: 1, reason: "no tool call worked" };
  const minted = new Set<Scalar>(evidence.reference.end?.minted);
  const information = informationShare(reference, tested, facts?.map(({ value }) => value) ?? [], minted);
  const effects = state === null || (state.required === 0 && state.success) ? null : statePart(state);
  const parts = [...(information === null ? [] : [information]), ...(effects === null ? [] : [effects])];
  const share = meanOf(parts.map((part) => part.share)) ?? 1;
  const waste = wasteOf(calls);
  const score = share >= 1 ? 5 : 1 + Math.floor(4 * Math.max(0, share));
  const reasons = [...parts.map(({ text }) => text), ...(waste === null ? [] : [waste])];
  return { score: Math.max(1, waste === null ? score : score - 1), reason: reasons.join("; ") || "a tool call worked" };
}

/** Of the values that the task turns on, the share that the tested side saw; null if there are none. `minted` ids are each side's own. */
function informationShare(
  reference: Trajectory,
  tested: Trajectory,
  facts: readonly Json[],
  minted: ReadonlySet<Scalar>,
): { readonly share: number; readonly text: string } | null {
  const written = toolCalls(reference).filter(({ effect, outcome }) => effect === "write" && outcome === "ok");
  const wanted = new Set([...facts, ...written.map((call) => call.arguments)].flatMap(scalars));
  const shown = seenBy(reference);
  const needed = [...wanted].filter((value) => shown.has(value) && !minted.has(value));
  if (needed.length === 0) return null;
  const seen = seenBy(tested);
  const obtained = needed.filter((value) => seen.has(value)).length;
  return { share: obtained / needed.length, text: `${obtained} of ${needed.length} needed values were seen` };
}

type Scalar = string | number;

/** Texts and numbers of a value, at any depth. */
function scalars(value: Json): Scalar[] {
  if (typeof value === "string" || typeof value === "number") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(scalars);
}

/** What a side saw in tool results: as a value by itself, or for texts of some length as a part of one. */
function seenBy(trajectory: Trajectory): { has(value: Scalar): boolean } {
  const values = new Set<Scalar>();
  for (const { value, outcome } of toolCalls(trajectory)) {
    if (outcome === "ok") for (const scalar of scalars(value)) values.add(scalar);
  }
  const texts = [...values].filter((value) => typeof value === "string").join("\n");
  return {
    has: (value) =>
      values.has(value) || (typeof value === "string" && value.length >= SHORTEST_PART && texts.includes(value)),
  };
}

const SHORTEST_PART = 4;
const REPEATED = 3;
const SYNTACTIC_SHARE = 0.2;

/** What was done in vain, in words; null if nothing was. */
function wasteOf(calls: readonly ToolEvent[]): string | null {
  const counts = new Map<string, number>();
  for (const call of calls) {
    if (call.writes.length > 0) counts.clear();
    const key = callKey(call);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    // A fault is repeated for a reason.
    if (count >= REPEATED && call.fault === null) return `${call.name} was called ${count} times with equal arguments`;
  }
  const syntactic = calls.filter(({ outcome }) => outcome === "syntactic").length;
  return syntactic / calls.length >= SYNTACTIC_SHARE
    ? `${syntactic} of ${calls.length} calls had syntactic errors`
    : null;
}

function meanOf(shares: readonly number[]): number | null {
  return shares.length === 0 ? null : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
