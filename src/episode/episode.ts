import { factsOf } from "../agent/planned.ts";
import type { AgentFactory } from "../agent/resolve.ts";
import type { Snapshot } from "../record/snapshot.ts";
import type { StoredEvidence } from "../record/stored-evidence.ts";
import type { Trajectory } from "../record/trajectory.ts";
import type { Fact } from "../suite/fact.ts";
import { checkGoals } from "../suite/goals.ts";
import type { Query, StateRules } from "../suite/schema.ts";
import { probeDeath } from "./death.ts";
import { deviationsOf } from "./deviations.ts";
import { failureOf, type Role } from "./failure.ts";
import type { Offer } from "./offered.ts";
import type { OpenSide, SideSetting } from "./open-side.ts";
import { type OtherEnd, runAgain, runVariants } from "./other-ends.ts";
import { type Pair, runPair, snapshotPair } from "./pair.ts";
import { roundMs } from "./recorder.ts";
import { completeSnapshot, viewsIn } from "./snapshots.ts";

/** What {@link runEpisode} runs. */
export interface EpisodeInput extends SideSetting {
  readonly agent: AgentFactory;
  /**
   * `parallel` runs the reference beside the tested agent; `bracket` runs it again when the tested agent has ended; `llm` lets a
   * model follow the plan, and the interpreter afterwards.
   */
  readonly reference: "parallel" | "bracket" | "llm";
  /** The model that plays the reference; null unless that is `llm`. */
  readonly follower: AgentFactory | null;
}

/** What an episode left behind: all that graders look at, as plain data. */
export interface EpisodeOutput {
  readonly evidence: StoredEvidence;
  readonly trajectories: { readonly reference: Trajectory; readonly tested: Trajectory };
  /** Real time of the sides, null for one that never ran. */
  readonly ms: { readonly reference: number | null; readonly tested: number | null; readonly total: number };
  /** How much later the tested side's first act started than the reference's; null if a side did nothing. */
  readonly skewMs: number | null;
  /** Null if the tested agent was never offered anything. */
  readonly offer: Offer | null;
}

/**
 * Runs one episode: reference and tested agent start together, each over its own pool and its own copy of the world. Never
 * rejects: what goes wrong is the evidence's `failure`, and what was found until then is kept.
 */
export async function runEpisode(input: EpisodeInput): Promise<EpisodeOutput> {
  const began = performance.now();
  const open: OpenSide[] = [];
  let pair: Pair | null = null;
  const { loaded, instance } = input.prepared;
  let evidence = emptyEvidence(loaded.query, instance.text, instance.state);
  try {
    const material = { plan: loaded.plan, scope: instance.scope };
    pair = await runPair(input, input.agent.create(material), input.follower?.create(material) ?? null, open);
    evidence = pairEvidence(evidence, pair);
    const ends = await snapshotPair(pair);
    const variants = await runVariants(input, open);
    const alternatives = input.reference === "bracket" ? [await runAgain(input, "after", {}, open)] : [];
    const interpreted = input.reference === "llm" ? await runAgain(input, "interpreter", {}, open) : null;
    const diesAgain = await probeDeath(input, pair);
    evidence = fullEvidence(input, evidence, { pair, ends, variants, alternatives, interpreted, diesAgain });
  } catch (thrown) {
    evidence = { ...evidence, failure: failureOf(thrown) };
  } finally {
    await Promise.allSettled(open.map((side) => side.pool.close()));
  }
  const outputs = pair?.outputs;
  return {
    evidence,
    trajectories: { reference: outputs?.reference.trajectory ?? [], tested: outputs?.tested.trajectory ?? [] },
    ms: {
      reference: outputs?.reference.ms ?? null,
      tested: outputs?.tested.ms ?? null,
      total: roundMs(performance.now() - began),
    },
    skewMs: pair === null ? null : skewOf(pair),
    offer: pair?.offer ?? null,
  };
}

function skewOf({ outputs }: Pair): number | null {
  const { reference, tested } = outputs;
  if (reference.firstActMs === null || tested.firstActMs === null) return null;
  return roundMs(tested.firstActMs - reference.firstActMs);
}

/** An episode that could not even begin, because its query could not be prepared. */
export function failedEpisode(query: Query, thrown: unknown): EpisodeOutput {
  return {
    evidence: { ...emptyEvidence(query, query.text, query.state), failure: failureOf(thrown) },
    trajectories: { reference: [], tested: [] },
    ms: { reference: null, tested: null, total: 0 },
    skewMs: null,
    offer: null,
  };
}

/** The evidence of an episode of which nothing has been run yet. */
function emptyEvidence(query: Query, text: string, rules: StateRules): StoredEvidence {
  const stop = { reason: "internal", detail: "it never ran" } as const;
  return {
    query: { id: query.id, text, tier: query.tier, suite: query.suite },
    rules,
    stateScored: false,
    mask: null,
    before: null,
    reference: { end: null, facts: [], stop, goals: [] },
    variants: [],
    alternatives: [],
    tested: { end: null, answer: null, stop, diesAgain: null },
    failure: null,
  };
}

function pairEvidence(evidence: StoredEvidence, { sides, outputs, planned }: Pair): StoredEvidence {
  return {
    ...evidence,
    mask: { reference: sides.reference.pool.workdir, tested: sides.tested.pool.workdir },
    reference: {
      ...evidence.reference,
      facts: planned === null ? [] : [...factsOf(planned)],
      stop: outputs.reference.stop,
    },
    tested: { ...evidence.tested, answer: outputs.tested.answer, stop: outputs.tested.stop },
  };
}

/** All that an episode found once its sides have ended. */
interface Findings {
  readonly pair: Pair;
  readonly ends: Readonly<Record<Role, Snapshot>>;
  readonly variants: readonly OtherEnd[];
  readonly alternatives: readonly OtherEnd[];
  /** The interpreter's own run, where a model played the reference. */
  readonly interpreted: OtherEnd | null;
  readonly diesAgain: boolean | null;
}

/** The evidence with the states of all sides, each of the same servers. */
function fullEvidence(input: EpisodeInput, evidence: StoredEvidence, findings: Findings): StoredEvidence {
  const { pair, ends, variants, alternatives, interpreted, diesAgain } = findings;
  const { origin, loaded } = input.prepared;
  const others = [...variants, ...alternatives, ...(interpreted === null ? [] : [interpreted])];
  const worlds = [pair.sides.reference.world, pair.sides.tested.world, ...others.map(({ world }) => world)];
  const names = [...new Set([...loaded.query.servers, ...worlds.flatMap((world) => world.changed())])].sort();
  const before = completeSnapshot(pair.before, origin, names);
  const reference = completeSnapshot(ends.reference, pair.sides.reference.world, names);
  const endOf = ({ id, end, world, facts }: OtherEnd) => ({
    id,
    end: end === null ? null : completeSnapshot(end, world, names),
    facts: [...facts],
  });
  const facts = interpreted?.facts ?? evidence.reference.facts;
  return {
    ...evidence,
    stateScored: Object.keys(before.servers).length > 0,
    before,
    reference: {
      ...evidence.reference,
      end: reference,
      facts: [...facts],
      goals: goalsAt(input, facts, before, reference),
      ...(interpreted === null ? {} : { deviations: deviationsFrom(pair, reference, interpreted) }),
    },
    variants: variants.map(endOf),
    alternatives: alternatives.map(endOf),
    tested: {
      ...evidence.tested,
      end: completeSnapshot(ends.tested, pair.sides.tested.world, names),
      diesAgain,
    },
  };
}

/** Where a model that played the reference left the plan; that the interpreter itself could not follow it comes first. */
function deviationsFrom({ outputs }: Pair, end: Snapshot, interpreted: OtherEnd): string[] {
  if (interpreted.end === null) return [`the interpreter could not follow the plan: ${interpreted.detail}`];
  return deviationsOf(
    { trajectory: outputs.reference.trajectory, minted: end.minted },
    { trajectory: interpreted.trajectory, minted: interpreted.end.minted },
  );
}

/** Whether the query's goals hold on the reference's own end; none are asked of a reference that did not get there. */
function goalsAt(
  { prepared }: EpisodeInput,
  facts: readonly Fact[],
  before: Snapshot,
  end: Snapshot,
): StoredEvidence["reference"]["goals"] {
  const { origin, instance, loaded } = prepared;
  return checkGoals(loaded.query, {
    given: instance.given,
    start: viewsIn(before, origin),
    end: viewsIn(end, origin),
    answer: Object.fromEntries(facts.map(({ name, value }) => [name, value])),
    now: origin.now(),
  });
}
