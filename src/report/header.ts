import type { JsonObject } from "../base/json.ts";

/** What a report says of the run itself. */
export interface ReportHeader {
  readonly run: string;
  readonly folder: string;
  /** UTC, ISO 8601. */
  readonly startedAt: string;
  readonly configuration: JsonObject;
  /** Number of episodes that the configuration asks for. */
  readonly planned: number;
  /** False if planned episodes are missing. */
  readonly complete: boolean;
}
