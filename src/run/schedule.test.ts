import { describe, expect, it } from "vitest";
import { planEpisodes, runQueue } from "./schedule.ts";

describe("planEpisodes", () => {
  it("plans every combination once, repeats outermost", () => {
    const planned = planEpisodes({ queries: ["a", "b"], agents: ["x"], seeds: [1, 2], repeats: 2 });
    expect(planned).toHaveLength(8);
    expect(new Set(planned.map((episode) => JSON.stringify(episode))).size).toBe(8);
    expect(planned.slice(0, 4).every((episode) => episode.repeat === 0)).toBe(true);
  });
});

describe("runQueue", () => {
  it("never runs more than asked for at a time", async () => {
    let running = 0;
    let most = 0;
    await runQueue([1, 2, 3, 4, 5, 6], 2, new AbortController().signal, async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    });
    expect(most).toBe(2);
  });

  it("starts nothing after the stop, and waits for what runs", async () => {
    const stop = new AbortController();
    const ended: number[] = [];
    await runQueue([1, 2, 3, 4], 2, stop.signal, async (item) => {
      stop.abort();
      await new Promise((resolve) => setImmediate(resolve));
      ended.push(item);
    });
    expect(ended).toEqual([1]);
  });

  it("ends with the first failure once the others are done", async () => {
    const ended: number[] = [];
    const queue = runQueue([1, 2, 3], 2, new AbortController().signal, async (item) => {
      if (item === 1) throw new Error("first");
      await new Promise((resolve) => setImmediate(resolve));
      ended.push(item);
    });
    await expect(queue).rejects.toThrow("first");
    expect(ended).toEqual([2]);
  });
});
