import { mean, standardDeviation } from "simple-statistics";
import type { OutcomeCounts } from "../record/outcome.ts";

/** A mean over the episodes that have the value. */
export interface Metric {
  readonly mean: number;
  /** Population standard deviation (divided by n), the kind that published tables show; 0 for one value. */
  readonly sd: number;
  /** How many episodes have the value. */
  readonly n: number;
}

/** The metric of a list of values; null if it is empty, because a missing score is never 0. */
export function metricOf(values: readonly number[]): Metric | null {
  if (values.length === 0) return null;
  const list = [...values];
  return { mean: mean(list), sd: standardDeviation(list), n: list.length };
}

/** Success rate of a set of episodes, as shares of 1. */
export interface Success {
  /** pass / (pass + fail); null if no episode was scored. */
  readonly rate: number | null;
  /** The rate if every unscored episode had failed: pass / N. Null without episodes. */
  readonly low: number | null;
  /** The rate if every unscored episode had passed: (pass + error + inconclusive) / N. Null without episodes. */
  readonly high: number | null;
}

/** Success rate and its bounds (DESIGN §7). */
export function successOf(counts: OutcomeCounts): Success {
  const scored = counts.pass + counts.fail;
  const unscored = counts.error + counts.inconclusive;
  const all = scored + unscored;
  return {
    rate: scored === 0 ? null : counts.pass / scored,
    low: all === 0 ? null : counts.pass / all,
    high: all === 0 ? null : (counts.pass + unscored) / all,
  };
}

/** Above this share of unscored episodes no ranking is shown. */
export const MOST_UNSCORED = 0.05;

/** Share of the episodes that ended without a score (`error` or `inconclusive`); null without episodes. */
export function unscoredShare(counts: OutcomeCounts): number | null {
  const unscored = counts.error + counts.inconclusive;
  const all = counts.pass + counts.fail + unscored;
  return all === 0 ? null : unscored / all;
}

/**
 * Chance that at least one of k runs passes, estimated without bias from c passes among n runs:
 * pass@k = 1 − C(n−c, k) / C(n, k). Chen et al. 2021, "Evaluating large language models trained on code".
 * @throws RangeError unless 0 ≤ c ≤ n and 1 ≤ k ≤ n
 */
export function passAtK(n: number, c: number, k: number): number {
  checkTrials(n, c, k);
  return 1 - choiceRatio(n - c, n, k);
}

/**
 * Chance that all of k runs pass, estimated without bias from c passes among n runs: pass^k = C(c, k) / C(n, k).
 * Yao et al. 2024, "τ-bench".
 * @throws RangeError unless 0 ≤ c ≤ n and 1 ≤ k ≤ n
 */
export function passPowerK(n: number, c: number, k: number): number {
  checkTrials(n, c, k);
  return choiceRatio(c, n, k);
}

/** C(part, k) / C(whole, k) as a product of k shares, so that no factorial can overflow. */
function choiceRatio(part: number, whole: number, k: number): number {
  if (part < k) return 0;
  let ratio = 1;
  for (let i = 0; i < k; i++) ratio *= (part - i) / (whole - i);
  return ratio;
}

function checkTrials(n: number, c: number, k: number): void {
  const whole = [n, c, k].every(Number.isInteger);
  if (!whole || c < 0 || c > n || k < 1 || k > n) {
    throw new RangeError(
      `k of n runs with c passes needs whole numbers with 0 <= c <= n and 1 <= k <= n: n ${n}, c ${c}, k ${k}`,
    );
  }
}
