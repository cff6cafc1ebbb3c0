import { TandemError } from "../base/errors.ts";
import { type EpisodeRecord, episodeKey } from "../record/episode-record.ts";
import type { OpenedRun } from "../record/run-store.ts";
import type { ProgressEvent } from "../report/progress.ts";
import { type EvaluationContext, evaluate, type GradedEpisode } from "./evaluate.ts";
import { judgeAgain, unjudgedBy } from "./regrade.ts";
import { type PlannedEpisode, planEpisodes, runQueue } from "./schedule.ts";

/** What {@link executeRun} needs beside its context. */
export interface RunInput {
  readonly context: EvaluationContext;
  readonly opened: OpenedRun;
  readonly concurrency: number;
  /** Fires when no new episode is to start. */
  readonly stop: AbortSignal;
  readonly onProgress: (event: ProgressEvent) => void;
}

/**
 * Runs all episodes of a run that are not recorded yet, and records each as soon as it is graded. An episode that is cut off
 * in the middle is not recorded, so that the next call runs it again.
 * Judges that failed in an earlier call are asked again first.
 * @returns true if every planned episode is recorded, with a verdict of each judge
 */
export async function executeRun(input: RunInput): Promise<boolean> {
  const { context, opened, onProgress } = input;
  const { settings } = context;
  const queries = new Map(settings.queries.map((loaded) => [loaded.query.id, loaded]));
  const agents = new Map(settings.agents.map((agent) => [agent.name, agent]));
  const planned = planEpisodes({
    queries: [...queries.keys()],
    agents: [...agents.keys()],
    seeds: settings.seeds,
    repeats: settings.repeats,
  });
  const left = planned.filter((episode) => !opened.done.has(episodeKey(episode)));
  const unjudged = [...opened.done.values()].filter((record) => unjudgedBy(record, settings.judges).length > 0);
  onProgress({
    type: "run-started",
    run: opened.info.run,
    folder: opened.folder,
    episodes: planned.length,
    resumed: planned.length - left.length,
    judgedAgain: unjudged.length,
  });
  let open = left.length + unjudged.length;

  async function judgeOne(before: EpisodeRecord): Promise<void> {
    const judges = unjudgedBy(before, settings.judges);
    const record = await judgeAgain(opened.reader, before, judges);
    if (context.interrupted.aborted) return;
    await opened.store.replace(record);
    if (unjudgedBy(record, judges).length === 0) open--;
  }

  async function runOne(episode: PlannedEpisode, index: number): Promise<void> {
    const loaded = queries.get(episode.query);
    const agent = agents.get(episode.agent);
    if (loaded === undefined || agent === undefined) throw new RangeError(`unplanned episode ${episodeKey(episode)}`);
    onProgress({ type: "episode-started", key: episodeKey(episode), index });
    const { record, output } = await evaluate({ loaded, agent, seed: episode.seed, repeat: episode.repeat }, context);
    if (context.interrupted.aborted) return;
    const fatal = fatalError(record);
    if (fatal !== null) throw fatal;
    await opened.store.append({
      record: record,
      trajectories: output.trajectories,
      evidence: output.evidence,
    });
    if (unjudgedBy(record, settings.judges).length === 0) open--;
    const { key, outcome, reason, ms } = record;
    onProgress({ type: "episode-ended", key, outcome, reason, ms });
  }

  await runQueue(unjudged, input.concurrency, input.stop, judgeOne);
  await runQueue(left, input.concurrency, input.stop, runOne);
  return open === 0;
}

/** Codes of errors that every other episode would end with as well. */
const FATAL = /^(credentials\.|model\.unknown$|config\.)/;

/** The error that ends the whole run, if an episode met one: it is not recorded, so that a resumed run repeats it. */
function fatalError({ error, key }: GradedEpisode): TandemError | null {
  if (error === null || !FATAL.test(error.code)) return null;
  return new TandemError(error.code as "model.unknown", `${key}: ${error.message}`, {
    hint: "Every episode would end so. What is recorded stays: the same command goes on once this is mended.",
    details: { episode: key },
  });
}
