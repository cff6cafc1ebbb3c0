import pLimit from "p-limit";

/** One episode that a run plans. */
export interface PlannedEpisode {
  readonly query: string;
  readonly agent: string;
  readonly seed: number;
  readonly repeat: number;
}

/**
 * All episodes of a run in their fixed order: repeats outermost, so that a run cut short has seen every query once before
 * any of them twice.
 */
export function planEpisodes(of: {
  readonly queries: readonly string[];
  readonly agents: readonly string[];
  readonly seeds: readonly number[];
  readonly repeats: number;
}): PlannedEpisode[] {
  const planned: PlannedEpisode[] = [];
  for (let repeat = 0; repeat < of.repeats; repeat++) {
    for (const seed of of.seeds) {
      for (const query of of.queries) {
        for (const agent of of.agents) planned.push({ query, agent, seed, repeat });
      }
    }
  }
  return planned;
}

/**
 * Runs `work` over `items`, at most `concurrency` at a time, in order of their start. After `stop` fires no new item
 * starts; those that run are waited for. The first rejection ends it the same way and is thrown at the end.
 */
export async function runQueue<T>(
  items: readonly T[],
  concurrency: number,
  stop: AbortSignal,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const limit = pLimit(concurrency);
  let failure: { readonly thrown: unknown } | undefined;
  await Promise.all(
    items.map((item, index) =>
      limit(async () => {
        if (stop.aborted || failure !== undefined) return;
        try {
          await work(item, index);
        } catch (thrown) {
          failure ??= { thrown };
        }
      }),
    ),
  );
  if (failure !== undefined) throw failure.thrown;
}
