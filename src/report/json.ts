import { byQuery, byTier, summarise } from "../analysis/summary.ts";
import type { EpisodeRecord } from "../record/episode-record.ts";
import type { ReportHeader } from "./header.ts";

/** A run as one JSON document: its summary, the same by tier and by query, and every graded episode. */
export function jsonReport(header: ReportHeader, records: readonly EpisodeRecord[]): string {
  const { startedAt, planned, complete, configuration } = header;
  const document = {
    ...summarise(header, records),
    startedAt,
    planned,
    complete,
    configuration,
    tiers: byTier(records),
    queries: byQuery(records),
    records,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
