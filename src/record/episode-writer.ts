import { join } from "node:path";
import { errorMessage, TandemError } from "../base/errors.ts";
import type { Redactor } from "../base/redact.ts";
import type { EpisodeRecord, Location } from "./episode-record.ts";
import { packEvidence, type StateLine, type StateRef, stateHash } from "./evidence-line.ts";
import { type LineWriter, openLineWriter } from "./json-lines.ts";
import type { StoredEvidence } from "./stored-evidence.ts";
import type { Trajectory } from "./trajectory.ts";

/** The files of a run folder that grow. */
export const runFiles = {
  episodes: "episodes.jsonl",
  trajectories: "trajectories.jsonl",
  states: "states.jsonl",
} as const;

/** An episode to be recorded. */
export interface EpisodeEntry {
  readonly record: Omit<EpisodeRecord, "trajectories" | "states">;
  readonly trajectories: { readonly reference: Trajectory; readonly tested: Trajectory };
  readonly evidence: StoredEvidence;
}

/** Records episodes, one after the other, in the order in which they come. */
export interface EpisodeWriter {
  /** Resolves once the episode is durable. */
  append(entry: EpisodeEntry): Promise<EpisodeRecord>;
  /** Records other grades of an episode that is recorded: a line more, which counts instead of the one before. */
  replace(record: EpisodeRecord): Promise<EpisodeRecord>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

interface Waiting {
  readonly entry: EpisodeEntry | EpisodeRecord;
  readonly resolve: (record: EpisodeRecord) => void;
  readonly reject: (thrown: unknown) => void;
}

/**
 * Opens the writer of a run folder. Trajectories and states are durable before the episode's line is written, so that a line
 * never points at something that a crash took away. Episodes that come while others are written share the next write.
 * @param redact replaces secrets in every line
 */
export async function openEpisodeWriter(folder: string, redact: Redactor): Promise<EpisodeWriter> {
  const files = {
    episodes: await openLineWriter(join(folder, runFiles.episodes)),
    trajectories: await openLineWriter(join(folder, runFiles.trajectories)),
    states: await openLineWriter(join(folder, runFiles.states)),
  };
  const stored = new Map<string, StateRef>();
  let queue: Waiting[] = [];
  let writing: Promise<void> | null = null;
  /** Set by the first write that failed: what stands behind half a line would be lost with it. */
  let failure: TandemError | null = null;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      try {
        if (failure !== null) throw failure;
        const records = await writeBatch(batch.map(({ entry }) => entry));
        batch.forEach(({ resolve }, i) => {
          resolve(records[i] as EpisodeRecord);
        });
      } catch (thrown) {
        failure ??= new TandemError("record.not-written", `cannot write to ${folder}: ${errorMessage(thrown)}`, {
          hint: "Make room or give the folder free, then give the same command again: what is recorded is kept.",
          details: { folder },
          cause: thrown,
        });
        for (const { reject } of batch) reject(failure);
      }
    }
    writing = null;
  }

  async function writeBatch(batch: readonly Waiting["entry"][]): Promise<EpisodeRecord[]> {
    const stored = await writeParts(batch.filter((entry) => "evidence" in entry));
    const records = batch.map((entry) => ("evidence" in entry ? (stored.get(entry) as EpisodeRecord) : entry));
    await files.episodes.append(records.map((record) => redact(JSON.stringify(record))));
    await files.episodes.sync();
    return records;
  }

  /** Writes what new episodes' lines point at. */
  async function writeParts(entries: readonly EpisodeEntry[]): Promise<Map<EpisodeEntry, EpisodeRecord>> {
    const trajectories = await files.trajectories.append(
      entries.map(({ record, trajectories }) => redact(JSON.stringify({ key: record.key, ...trajectories }))),
    );
    await storeStates(entries);
    const states = await files.states.append(
      entries.map(({ record, evidence }) =>
        redact(JSON.stringify(packEvidence(record.key, evidence, refsOf(evidence)))),
      ),
    );
    await Promise.all([files.trajectories.sync(), files.states.sync()]);
    return new Map(
      entries.map((entry, i) => [
        entry,
        { ...entry.record, trajectories: trajectories[i] as Location, states: states[i] as Location },
      ]),
    );
  }

  /** Writes start states that this process has not written yet. */
  async function storeStates(entries: readonly EpisodeEntry[]): Promise<void> {
    const fresh = new Map<string, StateLine>();
    for (const { evidence } of entries) {
      for (const state of Object.values(evidence.before?.servers ?? {})) {
        const hash = stateHash(state);
        if (!stored.has(hash)) fresh.set(hash, { type: "state", hash, state });
      }
    }
    const lines = [...fresh.values()];
    const places = await files.states.append(lines.map((line) => redact(JSON.stringify(line))));
    lines.forEach(({ hash }, i) => {
      stored.set(hash, { hash, ...(places[i] as Location) });
    });
  }

  function refsOf(evidence: StoredEvidence): Record<string, StateRef> {
    const servers = Object.entries(evidence.before?.servers ?? {});
    return Object.fromEntries(servers.map(([name, state]) => [name, stored.get(stateHash(state)) as StateRef]));
  }

  const enqueue = (entry: Waiting["entry"]) =>
    new Promise<EpisodeRecord>((resolve, reject) => {
      queue.push({ entry, resolve, reject });
      writing ??= drain();
    });

  return {
    append: enqueue,
    replace: enqueue,
    async close() {
      await writing;
      await Promise.all(Object.values(files).map((file: LineWriter) => file.close()));
    },
  };
}
