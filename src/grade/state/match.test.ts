import { describe, expect, it } from "vitest";
import type { Json } from "../../base/json.ts";
import { drawId, random } from "../../base/random.ts";
import { contentHasher } from "./content.ts";
import { NO_IDS } from "./identity.ts";
import { cancelEqual, EXACT_LIMIT, type Item, matchNumbers, matchRecords } from "./match.ts";

const hasher = contentHasher();

function items(values: readonly Json[]): Item[] {
  return values.map((value, at) => {
    const hash = hasher.hash(value, null, NO_IDS, 0);
    return { at, value, node: null, naming: NO_IDS, hash, order: hash };
  });
}

/** The pairs that a matcher finds, as indices. */
function pairsOf(match: (onPair: (left: Item, right: Item) => void) => unknown): number[][] {
  const pairs: number[][] = [];
  match((left, right) => pairs.push([left.at, right.at]));
  return pairs.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
}

function recordPairs(left: readonly Json[], right: readonly Json[]): number[][] {
  return pairsOf((onPair) => matchRecords({ left: items(left), right: items(right) }, hasher, onPair));
}

describe("cancelEqual", () => {
  it("pairs equal items as often as both sides have them", () => {
    const both = { left: items(["a", "b", "a", "c"]), right: items(["a", "a", "a", "c"]) };
    let rest = both;
    const pairs = pairsOf((onPair) => {
      rest = cancelEqual(both, (item) => item.hash, onPair) as typeof both;
    });
    expect(pairs).toEqual([
      [0, 0],
      [2, 1],
      [3, 3],
    ]);
    expect([rest.left.map(({ at }) => at), rest.right.map(({ at }) => at)]).toEqual([[1], [2]]);
  });

  it("pairs nothing without a key", () => {
    expect(pairsOf((onPair) => cancelEqual({ left: items([1]), right: items([1]) }, () => null, onPair))).toEqual([]);
  });
});

describe("matchNumbers", () => {
  it("pairs numbers within the tolerance, and nothing else", () => {
    const both = { left: items([3, 1, "2", 9]), right: items([1.01, "2", 3.01, 5]) };
    expect(pairsOf((onPair) => matchNumbers(both, 0.02, onPair))).toEqual([
      [0, 2],
      [1, 0],
    ]);
  });
});

describe("matchRecords", () => {
  it("finds the cheapest pairing as a whole, not pair by pair", () => {
    const left = [
      { a: 1, b: 1, c: 1, d: 1 },
      { a: 1, b: 1, c: 1, d: 9 },
    ];
    const right = [
      { a: 1, b: 1, c: 1, d: 2 },
      { a: 1, b: 2, c: 2, d: 1 },
    ];
    expect(recordPairs(left, right)).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it("never pairs scalars, records without an equal leaf, or records with different ids in a field", () => {
    const source = random(2, "match");
    const [ann, bob] = [drawId(source, "user"), drawId(source, "user")];
    expect(recordPairs([1, "a"], [2, "b"])).toEqual([]);
    expect(recordPairs([{ a: 1 }], [{ a: 2 }])).toEqual([]);
    expect(recordPairs([{ a: 1, to: { uid: ann } }], [{ a: 1, to: { uid: bob } }])).toEqual([]);
    expect(recordPairs([{ a: 1, to: { uid: ann }, b: 1 }], [{ a: 1, to: { uid: ann }, b: 2 }])).toEqual([[0, 0]]);
  });

  it("does the same by index where there are many", () => {
    const count = EXACT_LIMIT + 20;
    const left = Array.from({ length: count }, (_, at) => ({ kind: "x", at, text: `left ${at}` }));
    const right = left.map(({ at }) => ({ kind: "x", at: count - 1 - at, text: "right" }));
    expect(recordPairs(left, right)).toEqual(left.map(({ at }) => [at, count - 1 - at]));
    expect(matchRecords({ left: items(left), right: items(right) }, hasher, () => {})).toBe(true);
    expect(matchRecords({ left: items(left.slice(0, 9)), right: items(right.slice(0, 9)) }, hasher, () => {})).toBe(
      false,
    );
  });
});
