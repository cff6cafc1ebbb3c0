import type { AgentFactory } from "../agent/resolve.ts";
import { type EpisodeOutput, failedEpisode, runEpisode } from "../episode/episode.ts";
import { failureOf } from "../episode/failure.ts";
import type { Evidence } from "../grade/evidence.ts";
import { type Grades, gradeEpisode } from "../grade/grade.ts";
import type { Judge } from "../grade/judge.ts";
import type { Environment } from "../pool/connection.ts";
import type { Catalogue } from "../pool/remote-member.ts";
import { type EpisodeRecord, episodeKey } from "../record/episode-record.ts";
import type { CallStats } from "../record/grades.ts";
import { finalAnswer, type Trajectory } from "../record/trajectory.ts";
import type { LoadedQuery } from "../suite/load.ts";
import { choosePool } from "./choose-pool.ts";
import type { RunSettings } from "./settings.ts";
import { type Spent, spentBy, spentByJudges } from "./usage.ts";
import type { Worlds } from "./worlds.ts";

/** What all episodes of a run share. */
export interface EvaluationContext {
  readonly settings: RunSettings;
  readonly worlds: Worlds;
  readonly catalogue: Catalogue;
  readonly env: Environment;
  /** Fires when the whole run is to stop at once. */
  readonly interrupted: AbortSignal;
}

/** One episode to run. */
export interface EpisodeTask {
  readonly loaded: LoadedQuery;
  readonly agent: AgentFactory;
  readonly seed: number;
  readonly repeat: number;
}

/** A graded episode before it has its place in the run folder. */
export type GradedEpisode = Omit<EpisodeRecord, "trajectories" | "states">;

/** What {@link evaluate} gives: the graded episode beside all that it was graded on. */
export interface Evaluation {
  readonly record: GradedEpisode;
  readonly output: EpisodeOutput;
}

/** Runs one episode, then grades it. Never rejects: what goes wrong is an outcome. */
export async function evaluate(task: EpisodeTask, context: EvaluationContext): Promise<Evaluation> {
  const startedAt = new Date().toISOString();
  const output = await run(task, context);
  const { judges, reference } = context.settings;
  const grades = await gradeSafely({ ...output.evidence, trajectories: output.trajectories }, judges);
  return { record: recordOf(task, { startedAt, output, grades, referenceMode: reference }), output };
}

/** A defect of a grader is an error of its episode and stops no other. */
async function gradeSafely(evidence: Evidence, judges: readonly Judge[]): Promise<Grades> {
  try {
    return await gradeEpisode(evidence, judges);
  } catch (thrown) {
    return gradeEpisode({ ...evidence, failure: failureOf(thrown) }, []);
  }
}

async function run({ loaded, agent, seed, repeat }: EpisodeTask, context: EvaluationContext): Promise<EpisodeOutput> {
  const { settings, worlds, catalogue, env, interrupted } = context;
  const { query } = loaded;
  try {
    return await runEpisode({
      prepared: worlds.prepare(loaded, seed),
      agent,
      reference: settings.reference,
      follower: settings.follower,
      servers: choosePool(query, settings.servers, { size: settings.poolSize, seed, salt: settings.salt ?? "" }),
      catalogue,
      env,
      limits: settings.limits,
      distractors: settings.distractors,
      salt: settings.salt ?? "",
      faults: settings.faults ? { seed, salt: settings.salt ?? "" } : null,
      seed,
      repeat,
      interrupted,
    });
  } catch (thrown) {
    return failedEpisode(query, thrown);
  }
}

/** The record of a graded episode. */
export function recordOf(
  { loaded, agent, seed, repeat }: EpisodeTask,
  of: {
    readonly startedAt: string;
    readonly output: EpisodeOutput;
    readonly grades: Grades;
    readonly referenceMode: EpisodeRecord["referenceMode"];
  },
): GradedEpisode {
  const { output, grades } = of;
  const { evidence, trajectories, ms } = output;
  const { query } = loaded;
  const episode = { query: query.id, agent: agent.name, seed, repeat };
  const spent = {
    agent: spentBy(trajectories.tested),
    reference: spentBy(trajectories.reference),
    judge: spentByJudges(Object.values(grades.judges)),
  };
  return {
    key: episodeKey(episode),
    ...episode,
    suite: query.suite,
    tier: query.tier,
    startedAt: of.startedAt,
    ms: ms.total,
    skewMs: output.skewMs,
    outcome: grades.outcome,
    reason: grades.reason,
    error: grades.error,
    referenceMode: of.referenceMode,
    deviations: evidence.reference.deviations ?? null,
    variant: grades.variant,
    reference: sideOf(evidence.reference.stop, trajectories.reference, ms.reference, grades.calls.reference),
    tested: sideOf(evidence.tested.stop, trajectories.tested, ms.tested, grades.calls.tested),
    state: grades.state,
    facts: grades.facts,
    judges: grades.judges,
    offered: output.offer,
    tokens: mapParties(({ tokens }) => tokens),
    costUsd: mapParties(({ costUsd }) => costUsd),
    modelUse: mapParties(({ use }) => use),
  };

  function mapParties<T>(of: (spent: Spent) => T): { agent: T; reference: T; judge: T } {
    return { agent: of(spent.agent), reference: of(spent.reference), judge: of(spent.judge) };
  }
}

/** What a record keeps of a side; null if it never ran. */
function sideOf(
  stop: EpisodeOutput["evidence"]["tested"]["stop"],
  trajectory: Trajectory,
  ms: number | null,
  calls: CallStats,
): EpisodeRecord["tested"] {
  if (ms === null) return null;
  return { stop: stop.reason, detail: stop.detail, answer: finalAnswer(trajectory), ms, calls };
}
