import { describe, expect, it } from "vitest";
import { metricOf, passAtK, passPowerK, successOf, unscoredShare } from "./statistics.ts";

describe("metricOf", () => {
  it("gives mean, population standard deviation and count", () => {
    expect(metricOf([2, 4, 4, 4, 5, 5, 7, 9])).toEqual({ mean: 5, sd: 2, n: 8 });
    expect(metricOf([3])).toEqual({ mean: 3, sd: 0, n: 1 });
  });

  it("is null for nothing, not zero", () => {
    expect(metricOf([])).toBeNull();
  });
});

describe("successOf", () => {
  it("leaves the unscored out of the rate and widens the bounds by them", () => {
    expect(successOf({ pass: 6, fail: 2, error: 1, inconclusive: 1 })).toEqual({ rate: 0.75, low: 0.6, high: 0.8 });
    expect(successOf({ pass: 3, fail: 1, error: 0, inconclusive: 0 })).toEqual({ rate: 0.75, low: 0.75, high: 0.75 });
  });

  it("has no rate where nothing was scored", () => {
    expect(successOf({ pass: 0, fail: 0, error: 2, inconclusive: 0 })).toEqual({ rate: null, low: 0, high: 1 });
    expect(successOf({ pass: 0, fail: 0, error: 0, inconclusive: 0 })).toEqual({ rate: null, low: null, high: null });
  });
});

describe("unscoredShare", () => {
  it("counts errors and inconclusive episodes", () => {
    expect(unscoredShare({ pass: 5, fail: 3, error: 1, inconclusive: 1 })).toBe(0.2);
    expect(unscoredShare({ pass: 0, fail: 0, error: 0, inconclusive: 0 })).toBeNull();
  });
});

describe("passAtK and passPowerK", () => {
  it.each([
    { n: 4, c: 2, k: 1, at: 1 / 2, power: 1 / 2 },
    { n: 4, c: 2, k: 2, at: 5 / 6, power: 1 / 6 },
    { n: 5, c: 3, k: 2, at: 9 / 10, power: 3 / 10 },
    { n: 4, c: 2, k: 3, at: 1, power: 0 },
    { n: 3, c: 0, k: 2, at: 0, power: 0 },
    { n: 3, c: 3, k: 3, at: 1, power: 1 },
  ])("n $n, c $c, k $k", ({ n, c, k, at, power }) => {
    expect(passAtK(n, c, k)).toBeCloseTo(at, 12);
    expect(passPowerK(n, c, k)).toBeCloseTo(power, 12);
  });

  it("agrees with the mean over all choices of k runs", () => {
    const runs = [true, false, true, true, false, false];
    const triples: boolean[][] = [];
    for (let a = 0; a < 6; a++)
      for (let b = a + 1; b < 6; b++)
        for (let c = b + 1; c < 6; c++) triples.push([a, b, c].map((at) => runs[at] === true));
    const share = (test: (triple: boolean[]) => boolean) => triples.filter(test).length / triples.length;
    expect(passAtK(6, 3, 3)).toBeCloseTo(
      share((triple) => triple.some(Boolean)),
      12,
    );
    expect(passPowerK(6, 3, 3)).toBeCloseTo(
      share((triple) => triple.every(Boolean)),
      12,
    );
  });

  it("does not overflow", () => {
    expect(passAtK(2000, 1000, 1000)).toBe(1);
    expect(passPowerK(2000, 1999, 1000)).toBeCloseTo(0.5, 9);
  });

  it.each([
    [3, 4, 1],
    [3, -1, 1],
    [3, 1, 4],
    [3, 1, 0],
    [3, 1.5, 1],
    [0, 0, 1],
  ])("rejects n %d, c %d, k %d", (n, c, k) => {
    expect(() => passAtK(n, c, k)).toThrow(RangeError);
    expect(() => passPowerK(n, c, k)).toThrow(RangeError);
  });
});
