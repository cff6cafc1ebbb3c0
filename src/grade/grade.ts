import { errorMessage, TandemError } from "../base/errors.ts";
import type { CallStats, FactGrade, StateGrade, Verdict } from "../record/grades.ts";
import type { Snapshot } from "../record/snapshot.ts";
import type { StoredEnd } from "../record/stored-evidence.ts";
import { type Trajectory, toolCalls } from "../record/trajectory.ts";
import type { Fact } from "../suite/fact.ts";
import { callStats } from "./call-stats.ts";
import type { Evidence } from "./evidence.ts";
import { gradeFacts } from "./facts.ts";
import type { Judge, JudgeInput } from "./judge.ts";
import { movedTooFar } from "./moved.ts";
import { type Decision, decideOutcome } from "./outcome.ts";
import { compareSnapshots } from "./state/compare.ts";
import type { CallWrites } from "./state/writes.ts";

/** All grades of an episode. */
export interface Grades extends Decision {
  /** The variant of the plan whose end matched; null for the plan's own end. */
  readonly variant: string | null;
  readonly state: StateGrade | null;
  readonly facts: FactGrade[] | null;
  /** By name of the judge. */
  readonly judges: Record<string, Verdict>;
  readonly calls: { readonly reference: CallStats; readonly tested: CallStats };
}

/**
 * Grades an episode. The same evidence always gives the same grades, apart from what a model says as a judge. Where the plan has
 * variants, the tested side is graded against the end that it comes nearest to, state and facts against the same one.
 * @param judgeMs longest time of a judge; after it, its verdict is an error
 */
export async function gradeEpisode(evidence: Evidence, judges: readonly Judge[], judgeMs = JUDGE_MS): Promise<Grades> {
  const { best, failure } = compareSafely(evidence);
  const seen = failure === null ? evidence : { ...evidence, failure };
  const moved = movedTooFar(evidence);
  const { state, facts } = best;
  const decision = decideOutcome(seen, { state, facts, moved });
  const comparable = decision.outcome === "pass" || decision.outcome === "fail";
  const input: JudgeInput = { evidence, state, facts };
  return {
    ...decision,
    variant: best.id,
    state: comparable ? state : null,
    facts: comparable ? facts : null,
    judges: comparable ? await askJudges(judges, input, judgeMs) : {},
    calls: { reference: callStats(evidence.trajectories.reference), tested: callStats(evidence.trajectories.tested) },
  };
}

/** The tested side against one end. */
interface Comparison {
  /** Null for the plan's own end. */
  readonly id: string | null;
  readonly state: StateGrade | null;
  readonly facts: FactGrade[] | null;
}

const NOTHING: Comparison = { id: null, state: null, facts: null };

function compareSafely(evidence: Evidence): { readonly best: Comparison; readonly failure: Evidence["failure"] } {
  if (evidence.failure !== null || evidence.reference.stop.reason !== "answered")
    return { best: NOTHING, failure: null };
  try {
    return { best: compareAll(evidence), failure: null };
  } catch (thrown) {
    const { code, message, details } =
      thrown instanceof TandemError ? thrown : new TandemError("internal.grade", errorMessage(thrown));
    const server = typeof details.server === "string" ? details.server : null;
    return { best: NOTHING, failure: { code, message, server, side: null } };
  }
}

function compareAll(evidence: Evidence): Comparison {
  const { reference, variants, alternatives } = evidence;
  const own = { end: reference.end, facts: reference.facts };
  const ends: (Omit<StoredEnd, "id"> & { readonly id: string | null })[] = [
    { id: null, ...own },
    ...alternatives.filter(({ end }) => end !== null).map((end) => ({ ...end, id: null })),
    ...variants.filter(({ end }) => end !== null),
  ];
  let best: Comparison | null = null;
  for (const { id, end, facts } of ends) {
    const comparison = { id, state: stateAgainst(evidence, end), facts: factsAgainst(evidence, facts) };
    if (best === null || merit(comparison) > merit(best)) best = comparison;
    if (merit(comparison) === RIGHT) break;
  }
  return best ?? NOTHING;
}

function factsAgainst({ tested }: Evidence, facts: readonly Fact[]): FactGrade[] | null {
  return facts.length === 0 ? null : gradeFacts(tested.answer, facts);
}

function stateAgainst(evidence: Evidence, end: Snapshot | null): StateGrade | null {
  const { stateScored, before, tested, rules, mask, trajectories } = evidence;
  if (!stateScored) return null;
  if (before === null || end === null || tested.end === null) {
    throw new TandemError("internal.missing-snapshot", "a snapshot is missing, so the states cannot be compared", {
      hint: "A missing snapshot is never an empty state.",
    });
  }
  return compareSnapshots({
    before,
    reference: end,
    after: tested.end,
    rules,
    referenceWrites: end === evidence.reference.end ? writesOf(trajectories.reference) : [],
    testedWrites: writesOf(trajectories.tested),
    ...(mask === null ? {} : { mask: { reference: mask.reference, after: mask.tested } }),
  });
}

function writesOf(trajectory: Trajectory): CallWrites[] {
  return toolCalls(trajectory)
    .filter(({ writes }) => writes.length > 0)
    .map(({ call, writes }) => ({ call, paths: writes }));
}

const RIGHT = 4;

/** How near a comparison is to being right, from 0 to {@link RIGHT}: what succeeds counts before what nearly does. */
function merit({ state, facts }: Comparison): number {
  const stated = facts === null ? 1 : facts.filter(({ right }) => right).length / facts.length;
  const stateMerit = state === null || state.success ? 2 : (state.f1 ?? 0);
  return stateMerit + (stated === 1 ? 2 : stated);
}

const JUDGE_MS = 600_000;

async function askJudges(
  judges: readonly Judge[],
  input: JudgeInput,
  judgeMs: number,
): Promise<Record<string, Verdict>> {
  const verdicts = await Promise.all(
    judges.map(async (judge) => [judge.name, await askJudge(judge, input, judgeMs)] as const),
  );
  return Object.fromEntries(verdicts);
}

/** A judge's verdict, whatever it does: one that throws, or does not come to an end, has an error in place of scores. */
async function askJudge(judge: Judge, input: JudgeInput, judgeMs: number): Promise<Verdict> {
  const time = new AbortController();
  const reason = new Error(`the judge did not answer within ${judgeMs / 1000} s`);
  const timers: NodeJS.Timeout[] = [];
  const late = new Promise<never>((_, reject) => {
    timers.push(setTimeout(() => time.abort(reason), judgeMs));
    timers.push(setTimeout(() => reject(reason), judgeMs + STOP_MS));
  });
  try {
    return await Promise.race([judge.judge(input, time.signal), late]);
  } catch (thrown) {
    return failedVerdict(thrown);
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

/** How long a judge may take to come to an end once its time is over: it can still tell what it used. */
const STOP_MS = 1000;

/** What stands for a judge that could not judge: an error, never a score. */
function failedVerdict(thrown: unknown): Verdict {
  return {
    result: null,
    trajectory: null,
    reasons: { result: "", trajectory: "" },
    error: errorMessage(thrown),
    usage: null,
    costUsd: null,
  };
}
