/** How an episode counts (DESIGN §7). */
export const outcomes = ["pass", "fail", "error", "inconclusive"] as const;
export type Outcome = (typeof outcomes)[number];

/** How many episodes ended in each outcome. */
export type OutcomeCounts = Readonly<Record<Outcome, number>>;
