import { open } from "node:fs/promises";
import { hashJson } from "../base/canonical-json.ts";
import type { Redactor } from "../base/redact.ts";
import type { Judge } from "../grade/judge.ts";
import type { EpisodeRecord } from "../record/episode-record.ts";
import type { StoredRun } from "../record/run-reader.ts";
import { regrade } from "./regrade.ts";
import { runQueue } from "./schedule.ts";

/** What grading a stored run again gave. */
export interface Rescored {
  readonly records: readonly EpisodeRecord[];
  /** Episodes whose grades are other ones now, with the names of the fields that differ. */
  readonly changed: readonly { readonly key: string; readonly fields: readonly string[] }[];
}

/** What {@link scoreRun} takes beside the run. */
export interface ScoreOptions {
  readonly judges: readonly Judge[];
  /** Episodes at a time. */
  readonly concurrency: number;
  /** Fires when no further episode is to be graded. */
  readonly stop: AbortSignal;
  readonly onGraded: (record: EpisodeRecord) => void;
}

const GRADED = ["outcome", "reason", "error", "variant", "state", "facts"] as const;

/**
 * Grades every episode of a stored run again from what the run folder keeps. Nothing is run; models are asked if they judge.
 * @throws TandemError `record.missing` if the evidence of an episode is gone
 */
export async function scoreRun(stored: StoredRun, options: ScoreOptions): Promise<Rescored> {
  const { judges, concurrency, stop, onGraded } = options;
  const graded = new Map<number, EpisodeRecord>();
  await runQueue(stored.records, concurrency, stop, async (record, at) => {
    const again = await regrade(stored, record, judges);
    graded.set(at, again);
    onGraded(again);
  });
  const changed: { key: string; fields: string[] }[] = [];
  const records = stored.records.flatMap((before, at) => {
    const record = graded.get(at);
    if (record === undefined) return [];
    const fields = [...GRADED.filter((field) => hashJson(record[field]) !== hashJson(before[field])), ...judged()];
    if (fields.length > 0) changed.push({ key: before.key, fields });
    return [record];

    function judged(): string[] {
      return Object.entries(record?.judges ?? {}).flatMap(([name, verdict]) => {
        const was = before.judges[name];
        const same =
          was?.result === verdict.result && was.trajectory === verdict.trajectory && was.error === verdict.error;
        return was === undefined || same ? [] : [`judges.${name}`];
      });
    }
  });
  return { records, changed };
}

/** Writes graded episodes as JSON Lines. */
export async function writeRecords(file: string, records: readonly EpisodeRecord[], redact: Redactor): Promise<void> {
  const handle = await open(file, "w");
  try {
    for (const record of records) await handle.write(`${redact(JSON.stringify(record))}\n`);
  } finally {
    await handle.close();
  }
}
