import { describe, expect, it } from "vitest";
import { sampleRecord } from "../../test/samples/episode-record.ts";
import type { EpisodeRecord } from "../record/episode-record.ts";
import { passAt } from "./repeats.ts";

const runs = (query: string, seed: number, outcomes: readonly EpisodeRecord["outcome"][]) =>
  outcomes.map((outcome, repeat) => sampleRecord({ query, seed, repeat, outcome }));

describe("passAt", () => {
  const records = [
    ...runs("a", 1, ["pass", "fail", "pass"]),
    ...runs("a", 2, ["fail", "fail", "fail"]),
    ...runs("b", 1, ["pass", "error", "pass"]),
  ];

  it("keeps repeats of a seed together", () => {
    expect(passAt(records, 2, "repeats")).toEqual({ k: 2, passAtK: 0.75, passPowerK: (1 / 6 + 1) / 2, queries: 2 });
  });

  it("takes one run for each seed", () => {
    expect(passAt(records, 2, "seeds")).toEqual({ k: 2, passAtK: 1, passPowerK: 0, queries: 1 });
  });

  it("does not count an unscored run as one", () => {
    expect(passAt(records, 3, "repeats")).toMatchObject({ queries: 1 });
    expect(passAt(runs("a", 1, ["error", "pass"]), 1, "seeds")).toMatchObject({ passAtK: 1 });
  });

  it("is null without enough runs", () => {
    expect(passAt(records, 4, "repeats")).toBeNull();
    expect(passAt([], 1, "seeds")).toBeNull();
  });

  it("rejects k below 1", () => {
    expect(() => passAt(records, 0, "repeats")).toThrow(RangeError);
  });
});
