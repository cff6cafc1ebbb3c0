import { mean } from "simple-statistics";
import type { EpisodeRecord } from "../record/episode-record.ts";
import { passAtK, passPowerK } from "./statistics.ts";

/**
 * What counts as a further run of a query: `repeats` are runs of the same seed (reliability), `seeds` are runs of different
 * seeds, one run for each (generality).
 */
export type RepeatKind = "repeats" | "seeds";

/** pass@k and pass^k of one agent. */
export interface PassAt {
  readonly k: number;
  /** Mean over queries of 1 − C(n−c, k) / C(n, k). */
  readonly passAtK: number;
  /** Mean over queries of C(c, k) / C(n, k). */
  readonly passPowerK: number;
  /** How many queries have at least k scored runs; the others are left out. */
  readonly queries: number;
}

/**
 * pass@k and pass^k over scored episodes of one agent (DESIGN §7). With `repeats`, the runs of a seed make an estimate and
 * a query is the mean over its seeds; with `seeds`, each seed gives its first scored repeat.
 * @returns null if no query has k scored runs
 * @throws RangeError unless k is a whole number from 1
 */
export function passAt(records: Iterable<EpisodeRecord>, k: number, kind: RepeatKind): PassAt | null {
  if (!Number.isInteger(k) || k < 1) throw new RangeError(`k must be a whole number from 1, not ${k}`);
  const queries = new Map<string, Map<number, EpisodeRecord[]>>();
  for (const record of records) {
    if (record.outcome !== "pass" && record.outcome !== "fail") continue;
    const seeds = queries.get(record.query) ?? new Map<number, EpisodeRecord[]>();
    queries.set(record.query, seeds);
    seeds.set(record.seed, [...(seeds.get(record.seed) ?? []), record]);
  }
  const at: number[] = [];
  const power: number[] = [];
  for (const seeds of queries.values()) {
    const runs = [...seeds.values()];
    const trials = (kind === "repeats" ? runs : [runs.flatMap(firstRepeat)]).filter((trial) => trial.length >= k);
    if (trials.length === 0) continue;
    at.push(mean(trials.map((trial) => passAtK(trial.length, passes(trial), k))));
    power.push(mean(trials.map((trial) => passPowerK(trial.length, passes(trial), k))));
  }
  return at.length === 0 ? null : { k, passAtK: mean(at), passPowerK: mean(power), queries: at.length };
}

function firstRepeat(runs: readonly EpisodeRecord[]): EpisodeRecord[] {
  return runs.toSorted((one, other) => one.repeat - other.repeat).slice(0, 1);
}

function passes(runs: readonly EpisodeRecord[]): number {
  return runs.filter((run) => run.outcome === "pass").length;
}
