import { open } from "node:fs/promises";
import { hashJson } from "../base/canonical-json.ts";
import { gradeEpisode } from "../grade/grade.ts";
import type { Judge } from "../grade/judge.ts";
import type { EpisodeRecord } from "../record/episode-record.ts";
import type { StoredRun } from "../record/run-reader.ts";

/** What grading a stored run again gave. */
export interface Rescored {
  readonly records: readonly EpisodeRecord[];
  /** Episodes whose grades are other ones now, with the names of the fields that differ. */
  readonly changed: readonly { readonly key: string; readonly fields: readonly string[] }[];
}

const GRADED = ["outcome", "reason", "error", "variant", "state", "facts", "judges"] as const;

/**
 * Grades every episode of a stored run again from what the run folder keeps. Nothing is run.
 * @throws TandemError `record.missing` if the evidence of an episode is gone
 */
export async function scoreRun(stored: StoredRun, judges: readonly Judge[]): Promise<Rescored> {
  const records: EpisodeRecord[] = [];
  const changed: { key: string; fields: string[] }[] = [];
  for (const record of stored.records) {
    const evidence = await stored.evidence(record);
    const trajectories = await stored.trajectories(record);
    const { calls, ...grades } = await gradeEpisode({ ...evidence, trajectories }, judges);
    const next: EpisodeRecord = {
      ...record,
      ...grades,
      reference: record.reference === null ? null : { ...record.reference, calls: calls.reference },
      tested: record.tested === null ? null : { ...record.tested, calls: calls.tested },
    };
    const fields = GRADED.filter((field) => hashJson(next[field]) !== hashJson(record[field]));
    if (fields.length > 0) changed.push({ key: record.key, fields });
    records.push(next);
  }
  return { records, changed };
}

/** Writes graded episodes as JSON Lines. */
export async function writeRecords(file: string, records: readonly EpisodeRecord[]): Promise<void> {
  const handle = await open(file, "w");
  try {
    for (const record of records) await handle.write(`${JSON.stringify(record)}\n`);
  } finally {
    await handle.close();
  }
}
