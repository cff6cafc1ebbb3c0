import { mkdir, readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { hashJson } from "../base/canonical-json.ts";
import { errorMessage, TandemError } from "../base/errors.ts";
import type { Redactor } from "../base/redact.ts";
import type { EpisodeRecord } from "./episode-record.ts";
import { type EpisodeWriter, openEpisodeWriter, runFiles } from "./episode-writer.ts";
import { mendTail } from "./json-lines.ts";
import { configurationDifferences, type RunInfo, readRunInfo, serverDifferences, writeRunInfo } from "./run-info.ts";
import { lockRun } from "./run-lock.ts";
import { readEpisodes, readerOf, type StoredRun } from "./run-reader.ts";

/** What {@link openRun} needs to know. */
export interface RunRequest {
  /** Folder of all runs. */
  readonly resultsDir: string;
  /** The run's own folder; left out, an unfinished run of the same configuration goes on, or a new one begins. */
  readonly out: string | undefined;
  readonly info: Pick<RunInfo, "configuration" | "sealed" | "versions" | "servers" | "gitRevision">;
  readonly now: () => Date;
  readonly redact: Redactor;
}

/** A run folder that this process writes to. */
export interface OpenedRun {
  readonly folder: string;
  readonly info: RunInfo;
  /** The episodes that are recorded, by key. */
  readonly done: ReadonlyMap<string, EpisodeRecord>;
  /** Reads what they point at. */
  readonly reader: Pick<StoredRun, "trajectories" | "evidence">;
  /** What was found wrong with an old folder, in words. */
  readonly problems: readonly string[];
  readonly store: Pick<EpisodeWriter, "append" | "replace">;
  /** Writes the end of this call into `run.json` and gives the folder free. @param complete whether nothing is left to do */
  close(complete: boolean): Promise<void>;
}

/**
 * Opens a run folder for writing: a new one, or one of the same configuration that is gone on with.
 * @throws TandemError `record.other-configuration`, `record.not-a-run`, `record.locked`, `record.no-folder`
 */
export async function openRun(request: RunRequest): Promise<OpenedRun> {
  const hash = hashJson(request.info.configuration);
  const found = request.out === undefined ? await findUnfinished(request, hash) : await existing(request, hash);
  const folder = found ?? (await makeFolder(request, hash));
  const unlock = await lockRun(folder);
  try {
    const info = found === null ? await begin(folder, request, hash) : await readRunInfo(folder);
    const problems = await mendTails(folder);
    const { records, problems: bad } = await readEpisodes(folder);
    const writer = await openEpisodeWriter(folder, request.redact);
    return {
      folder,
      info,
      done: new Map(records.map((record) => [record.key, record])),
      reader: readerOf(folder),
      problems: [...problems, ...bad],
      store: writer,
      async close(complete) {
        await writer.close();
        await writeRunInfo(folder, { ...info, complete, endedAt: request.now().toISOString() });
        await unlock();
      },
    };
  } catch (thrown) {
    await unlock();
    throw thrown;
  }
}

/** The folder that `--out` names, if it holds a run of this configuration; null if it is new or empty. */
async function existing({ out = "", info }: RunRequest, hash: string): Promise<string | null> {
  const folder = resolve(out);
  const names: string[] = await readdir(folder).catch(() => []);
  if (names.length === 0) return null;
  if (!names.includes("run.json")) {
    throw new TandemError("record.not-a-run", `${folder} is not empty and is no run`, {
      hint: "Give --out a new folder, or one that holds a run.",
      details: { folder },
    });
  }
  const was = await readRunInfo(folder);
  const differences =
    was.configurationHash === hash
      ? serverDifferences(was.servers, info.servers)
      : configurationDifferences(was.configuration, info.configuration, 10);
  if (differences.length === 0) return folder;
  throw new TandemError(
    "record.other-configuration",
    `${folder} holds a run of another configuration or of other servers:\n${differences.map((line) => `  ${line}`).join("\n")}`,
    { hint: "Give --out another folder, or the flags that the run was started with.", details: { folder } },
  );
}

/** The newest run of this configuration and these servers that is not complete. One that cannot be read is passed over. */
async function findUnfinished({ resultsDir, info: wanted }: RunRequest, hash: string): Promise<string | null> {
  const names = (await readdir(resultsDir).catch(() => [])).sort().reverse();
  for (const name of names) {
    const folder = join(resultsDir, name);
    const info = await readRunInfo(folder).catch(() => null);
    if (info === null || info.complete || info.configurationHash !== hash) continue;
    if (serverDifferences(info.servers, wanted.servers).length === 0) return folder;
  }
  return null;
}

/** A new folder: the one that `--out` names, else one named after the moment and the configuration. */
async function makeFolder({ resultsDir, out, now }: RunRequest, hash: string): Promise<string> {
  try {
    if (out !== undefined) {
      await mkdir(out, { recursive: true });
      return resolve(out);
    }
    await mkdir(resultsDir, { recursive: true });
    const moment = now().toISOString().slice(0, 19).replaceAll(":", "");
    const base = join(resultsDir, `${moment}Z-${hash.slice(0, 6)}`);
    for (let n = 1; ; n++) {
      const folder = n === 1 ? base : `${base}-${n}`;
      if ((await mkdir(folder, { recursive: true })) !== undefined) return folder;
    }
  } catch (thrown) {
    throw new TandemError("record.no-folder", `cannot make a run folder: ${errorMessage(thrown)}`, {
      hint: "Give --results or --out a folder that can be written to.",
      cause: thrown,
    });
  }
}

async function begin(folder: string, { info, now }: RunRequest, hash: string): Promise<RunInfo> {
  const made: RunInfo = {
    run: basename(folder),
    createdAt: now().toISOString(),
    endedAt: null,
    complete: false,
    configurationHash: hash,
    ...info,
  };
  await writeRunInfo(folder, made);
  return made;
}

/** Cuts off what a crash left half written. */
async function mendTails(folder: string): Promise<string[]> {
  const problems: string[] = [];
  for (const name of Object.values(runFiles)) {
    const kept = await mendTail(join(folder, name));
    if (kept !== null) problems.push(`${name} ended in a torn line, which was moved to ${kept}`);
  }
  return problems;
}
