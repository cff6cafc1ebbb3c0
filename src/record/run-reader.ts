import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { hashJson } from "../base/canonical-json.ts";
import { TandemError } from "../base/errors.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { nearestNames } from "../suite/nearest.ts";
import { type EpisodeRecord, episodeRecordSchema, type Location } from "./episode-record.ts";
import { runFiles } from "./episode-writer.ts";
import { type EvidenceLine, type StateLine, unpackEvidence } from "./evidence-line.ts";
import { readJsonLines, readLineAt } from "./json-lines.ts";
import { type RunInfo, readRunInfo } from "./run-info.ts";
import type { StoredEvidence } from "./stored-evidence.ts";
import type { Trajectory } from "./trajectory.ts";

/** The graded episodes of a folder. */
export interface EpisodesRead {
  /** In the order in which they were recorded; each key once. */
  readonly records: readonly EpisodeRecord[];
  /** What was passed over, in words with the file and line. */
  readonly problems: readonly string[];
}

/**
 * Reads the episodes of a run folder. A line that is broken, or that points beyond the other files, is passed over, so that
 * the episode counts as not run. If a key comes twice, the last one counts.
 */
export async function readEpisodes(folder: string): Promise<EpisodesRead> {
  const records = new Map<string, EpisodeRecord>();
  const problems: string[] = [];
  const sizes = {
    trajectories: await sizeOf(join(folder, runFiles.trajectories)),
    states: await sizeOf(join(folder, runFiles.states)),
  };
  const report = (line: number, what: string) => problems.push(`${runFiles.episodes}:${line}: ${what}`);
  const lines = readJsonLines(join(folder, runFiles.episodes), ({ line, kind }) =>
    report(line, kind === "torn" ? "the line is torn" : "the line is no JSON"),
  );
  for await (const { value, line } of lines) {
    const parsed = episodeRecordSchema.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      report(line, `no episode: ${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? ""}`);
      continue;
    }
    const record = parsed.data;
    if (!isInside(record.trajectories, sizes.trajectories) || !isInside(record.states, sizes.states)) {
      report(line, `the trajectories or states of ${record.key} are missing`);
      continue;
    }
    const before = records.get(record.key);
    if (before !== undefined && !judgedAgain(before, record))
      report(line, `${record.key} is there twice, the later one counts`);
    records.delete(record.key);
    records.set(record.key, record);
  }
  return { records: [...records.values()], problems };
}

/** Whether a line is there to take the place of another one: the same episode with other verdicts. */
function judgedAgain(before: EpisodeRecord, record: EpisodeRecord): boolean {
  return (
    before.trajectories.offset === record.trajectories.offset && hashJson(before.judges) !== hashJson(record.judges)
  );
}

function isInside(location: Location | null, size: number): boolean {
  return location === null || location.offset + location.length <= size;
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

/** A run that can be read. */
export interface StoredRun {
  readonly folder: string;
  readonly info: RunInfo;
  readonly records: readonly EpisodeRecord[];
  readonly problems: readonly string[];
  /** Both trajectories of an episode. @throws TandemError `record.missing` */
  trajectories(record: EpisodeRecord): Promise<{ readonly reference: Trajectory; readonly tested: Trajectory }>;
  /** What an episode was graded on. @throws TandemError `record.missing` */
  evidence(record: EpisodeRecord): Promise<StoredEvidence>;
}

/** Reads a run folder. @throws TandemError `record.no-run` or `record.bad-run` */
export async function readRun(folder: string): Promise<StoredRun> {
  const info = await readRunInfo(folder);
  const { records, problems } = await readEpisodes(folder);
  return { folder, info, records, problems, ...readerOf(folder) };
}

/** Reads what the episodes of a run folder point at. */
export function readerOf(folder: string): Pick<StoredRun, "trajectories" | "evidence"> {
  const trajectories = join(folder, runFiles.trajectories);
  const states = join(folder, runFiles.states);
  /** Start states come many times in a row. */
  const known = new Map<string, Json>();

  async function stateAt({ hash, ...location }: Location & { readonly hash: string }): Promise<Json> {
    const state = known.get(hash) ?? (await readPart<StateLine>(states, location)).state;
    known.delete(hash);
    known.set(hash, state);
    const [oldest] = known.keys();
    if (known.size > MOST_STATES && oldest !== undefined) known.delete(oldest);
    return state;
  }

  return {
    trajectories: (record) => readPart(trajectories, record.trajectories),
    async evidence(record) {
      const line = await readPart<EvidenceLine>(states, record.states ?? { offset: 0, length: 1 });
      const refs = Object.entries(line.before?.servers ?? {});
      const starts = await Promise.all(refs.map(async ([name, ref]) => [name, await stateAt(ref)] as const));
      return unpackEvidence(line, Object.fromEntries(starts) as JsonObject);
    },
  };
}

const MOST_STATES = 64;

/** A line of ours, read by its place. What stands there was written by us, so its shape is not checked again. */
async function readPart<T>(file: string, location: Location): Promise<T> {
  try {
    return (await readLineAt(file, location)) as unknown as T;
  } catch (thrown) {
    throw new TandemError("record.missing", `${file} has no line at ${location.offset}`, {
      hint: "The file was changed after the run. The episode has to be run again.",
      details: { file, offset: location.offset },
      cause: thrown,
    });
  }
}

/** A run as a list shows it. */
export interface RunListing {
  readonly run: string;
  readonly folder: string;
  readonly createdAt: string;
  readonly complete: boolean;
  readonly sealed: boolean;
  readonly episodes: number;
}

/** All runs of a folder, the newest first. What is no run is passed over. */
export async function listRuns(resultsDir: string): Promise<RunListing[]> {
  const runs = await readInfos(resultsDir);
  return Promise.all(
    runs.map(async ({ folder, info: { run, createdAt, complete, sealed } }) => {
      const { records } = await readEpisodes(folder);
      return { run, folder, createdAt, complete, sealed, episodes: records.length };
    }),
  );
}

/** The `run.json` of all runs of a folder, the newest first. */
async function readInfos(resultsDir: string): Promise<{ readonly folder: string; readonly info: RunInfo }[]> {
  const names: string[] = await readdir(resultsDir).catch(() => []);
  const infos = await Promise.all(
    names.map(async (name) => {
      const folder = join(resultsDir, name);
      const info = await readRunInfo(folder).catch(() => null);
      return info === null ? [] : [{ folder, info }];
    }),
  );
  return infos.flat().sort((a, b) => (a.info.createdAt < b.info.createdAt ? 1 : -1));
}

/**
 * The folder of a run: given as a path, as its name, as the beginning of one, or as `latest`.
 * @throws TandemError `record.no-run` with the nearest names, `record.ambiguous-run`
 */
export async function findRun(resultsDir: string, name: string, cwd: string): Promise<string> {
  const own = resolve(cwd, name);
  if (await isRun(own)) return own;
  const runs = await readInfos(resultsDir);
  const [newest] = runs;
  if (name === "latest" && newest !== undefined) return newest.folder;
  const names = runs.map(({ folder }) => basename(folder)).sort();
  const hits = names.includes(name) ? [name] : names.filter((entry) => entry.startsWith(name));
  const [hit] = hits;
  if (hit !== undefined && hits.length === 1) return join(resultsDir, hit);
  if (hits.length > 1) {
    throw new TandemError("record.ambiguous-run", `${name} is the beginning of ${hits.length} runs`, {
      hint: `Choose one of ${hits.slice(0, 5).join(", ")}.`,
    });
  }
  const near = nearestNames(name, names, 3);
  throw new TandemError("record.no-run", `there is no run ${name} in ${resultsDir}`, {
    hint:
      near.length > 0
        ? `Did you mean ${near.join(" or ")}?`
        : "tandem list runs shows the runs that there are; tandem run makes one.",
  });
}

async function isRun(folder: string): Promise<boolean> {
  return (await stat(join(folder, "run.json")).catch(() => null)) !== null;
}
