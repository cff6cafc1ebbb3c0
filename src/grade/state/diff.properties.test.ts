import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../base/canonical-json.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import { drawId, random } from "../../base/random.ts";
import { type DiffInput, diffState, type StateDiff } from "./diff.ts";

const source = random(3, "properties");
const old = [drawId(source, "user"), drawId(source, "user")];
/** Two sets of minted ids, each the other under new names. */
const names = [0, 1].map(() => Array.from({ length: 4 }, () => drawId(source, "thing")));

/** The diff of three states in which only `names` are minted, whatever the start state holds. */
function diffOf(input: Omit<DiffInput, "minted">): StateDiff {
  return diffState({ ...input, minted: { reference: names.flat(), after: names.flat() } });
}

const settings = { numRuns: 400, seed: 11 };

/** States in which `@0` to `@3` stand for minted ids, as keys, values and in texts. */
function states(options: { minted: boolean; arrays: boolean }): fc.Arbitrary<Json> {
  const marks = ["@0", "@1", "@2", "@3"];
  const scalars: fc.Arbitrary<Json>[] = [
    fc.constantFrom<Json>(null, true, 0, 1, 2, "", "a", "b"),
    fc.constantFrom(...old),
    ...(options.minted ? [fc.constantFrom(...marks), fc.constantFrom("see @0", "@1 to @2", "@0 and @0")] : []),
  ];
  const keys = fc.constantFrom("k", "l", "m", ...old.slice(0, 1), ...(options.minted ? marks : []));
  return fc.letrec<{ value: Json; state: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      ...scalars,
      fc.dictionary(keys, tie("value"), { maxKeys: 3, noNullPrototype: true }),
      ...(options.arrays ? [fc.array(tie("value"), { maxLength: 3 })] : []),
    ),
    state: fc.dictionary(fc.constantFrom("p", "q", "r"), tie("value"), { maxKeys: 3, noNullPrototype: true }),
  })).state;
}

const plain = states({ minted: false, arrays: true });
const flat = states({ minted: false, arrays: false });
const withIds = states({ minted: true, arrays: true });
const permutation = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });

/** `state` with names for its marks. */
function named(state: Json, ids: readonly string[]): Json {
  return JSON.parse(JSON.stringify(state).replace(/@(\d)/g, (_, at: string) => ids[Number(at)] ?? "")) as Json;
}

/** `state` with its arrays turned round and its keys too. */
function turned(state: Json): Json {
  if (Array.isArray(state)) return (state as readonly Json[]).map(turned).reverse();
  if (!isJsonObject(state)) return state;
  return Object.fromEntries(
    Object.entries(state)
      .map(([key, value]): [string, Json] => [key, turned(value)])
      .reverse(),
  );
}

/** The one text of a state with unordered arrays. */
function normal(state: Json): string {
  const sorted = (value: Json): Json => {
    if (Array.isArray(value)) {
      return (value as readonly Json[]).map(sorted).sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
    }
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, child]): [string, Json] => [key, sorted(child)]));
  };
  return canonicalJson(sorted(state));
}

function counts(diff: StateDiff): number[] {
  return [diff.required, diff.modified, diff.misbehaving, diff.wrong];
}

function permutations(items: readonly string[]): string[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

describe("state diff, for any states", () => {
  it("the reference's end succeeds", () => {
    fc.assert(
      fc.property(plain, withIds, (before, reference) => {
        const [a, b] = names.map((ids) => named(reference, ids)) as [Json, Json];
        const diff = diffOf({ before, reference: a, after: turned(b) });
        expect(diff).toMatchObject({ success: true, modified: diff.required, misbehaving: 0, wrong: 0 });
      }),
      settings,
    );
  });

  it("the start state has done nothing and broken nothing", () => {
    fc.assert(
      fc.property(plain, withIds, (before, reference) => {
        const diff = diffOf({ before, reference: named(reference, names[0] ?? []), after: turned(before) });
        expect(diff).toMatchObject({ modified: 0, misbehaving: 0, wrong: 0 });
        expect(diff.success).toBe(diff.required === 0);
      }),
      settings,
    );
  });

  it("success means equal up to the names of minted ids and the order of elements", () => {
    const [mine = [], yours = []] = names;
    fc.assert(
      fc.property(plain, withIds, withIds, permutation, fc.boolean(), (before, reference, other, order, near) => {
        // Half of the ends are the reference's with some ids exchanged, so that many are equal or nearly so.
        const after = near
          ? named(
              reference,
              order.map((at) => (at === 3 ? "@0" : `@${at}`)),
            )
          : other;
        const wanted = normal(named(reference, mine));
        const equal = permutations(mine).some((ids) => normal(named(after, ids)) === wanted);
        const diff = diffOf({ before, reference: named(reference, mine), after: named(after, yours) });
        expect(diff.success).toBe(equal);
      }),
      { ...settings, numRuns: 1500 },
    );
  });

  it("names of minted ids do not matter", () => {
    const [mine = [], yours = []] = names;
    fc.assert(
      fc.property(plain, withIds, withIds, permutation, (before, reference, after, order) => {
        const first = diffOf({ before, reference: named(reference, mine), after: named(after, mine) });
        const renamed = order.map((at) => yours[at] ?? "");
        const second = diffOf({ before, reference: named(reference, yours), after: named(after, renamed) });
        expect(counts(second)).toEqual(counts(first));
      }),
      settings,
    );
  });

  it("order of elements and keys does not matter", () => {
    const [mine = []] = names;
    fc.assert(
      fc.property(plain, withIds, withIds, fc.integer({ min: 1, max: 7 }), (before, reference, after, which) => {
        const three = [before, named(reference, mine), named(after, mine)] as const;
        const [a, b, c] = three.map((state, at) => (((which >> at) & 1) === 1 ? turned(state) : state)) as [
          Json,
          Json,
          Json,
        ];
        const first = diffOf({ before: three[0], reference: three[1], after: three[2] });
        expect(counts(diffOf({ before: a, reference: b, after: c }))).toEqual(counts(first));
      }),
      settings,
    );
  });

  it("what is required does not depend on the tested end", () => {
    const [mine = [], yours = []] = names;
    const required = (diff: StateDiff) =>
      diff.paths
        .filter(({ kind }) => kind !== "misbehaving")
        .map(({ path, before, reference }) => [path, before, reference]);
    fc.assert(
      fc.property(plain, withIds, withIds, withIds, (before, reference, one, other) => {
        const wanted = named(reference, mine);
        const first = diffOf({ before, reference: wanted, after: named(one, yours) });
        const second = diffOf({ before, reference: wanted, after: named(other, mine) });
        expect(second.required).toBe(first.required);
        expect(required(second).sort()).toEqual(required(first).sort());
      }),
      settings,
    );
  });

  it("counts like a plain walk over paths where there are neither arrays nor minted ids", () => {
    fc.assert(
      fc.property(flat, flat, flat, (before, reference, after) => {
        expect(counts(diffOf({ before, reference, after }))).toEqual(naiveCounts(before, reference, after));
      }),
      { ...settings, numRuns: 1500 },
    );
  });

  it("the counts add up, and every counted path is listed", () => {
    fc.assert(
      fc.property(plain, withIds, withIds, (before, reference, after) => {
        const [mine = [], yours = []] = names;
        const diff = diffOf({ before, reference: named(reference, mine), after: named(after, yours) });
        const missed = diff.paths.filter(({ kind }) => kind === "missed").length;
        expect(diff.required).toBe(diff.modified + diff.wrong + missed);
        expect(diff.paths).toHaveLength(diff.required + diff.misbehaving);
        expect(diff.success).toBe(diff.modified === diff.required && diff.misbehaving === 0);
      }),
      settings,
    );
  });

  it("a wrong foreign key never passes", () => {
    const entry = fc.record({ to: fc.nat(2), what: fc.constantFrom("a", "b"), nested: fc.boolean() });
    const end = (entries: readonly { to: number; what: string; nested: boolean }[], ids: readonly string[]): Json => ({
      // The third can only be told by its content, the others are there from the start.
      people: { [old[0] ?? ""]: { n: 1 }, [old[1] ?? ""]: { n: 2 }, [ids[3] ?? ""]: { n: 3 } },
      gifts: entries.map(({ to, what, nested }) => {
        const key = [...old, ids[3] ?? ""][to] ?? "";
        return nested ? { what, to: { key } } : { what, note: `for ${key}`, key };
      }),
    });
    const before = { people: { [old[0] ?? ""]: { n: 1 }, [old[1] ?? ""]: { n: 2 } }, gifts: [] };
    const [mine = [], yours = []] = names;
    fc.assert(
      fc.property(
        fc.array(entry, { minLength: 1, maxLength: 5 }),
        fc.nat(4),
        fc.integer({ min: 1, max: 2 }),
        (gifts, which, shift) => {
          const at = which % gifts.length;
          const wrong = gifts.map((gift, place) => (place === at ? { ...gift, to: (gift.to + shift) % 3 } : gift));
          const reference = end(gifts, mine);
          expect(diffOf({ before, reference, after: end(gifts, yours) }).success).toBe(true);
          const key = ({ to, what, nested }: (typeof gifts)[number]) => `${to} ${what} ${nested}`;
          const same = gifts.map(key).sort().join() === wrong.map(key).sort().join();
          expect(diffOf({ before, reference, after: end(wrong, yours) }).success).toBe(same);
        },
      ),
      settings,
    );
  });
});

type Shape = Json | "missing" | "full";

/** The counts by the letter of the definition: all paths of all states, each compared by itself. */
function naiveCounts(before: Json, reference: Json, after: Json): number[] {
  const paths = new Set<string>();
  const collect = (value: Json, path: readonly string[]): void => {
    paths.add(JSON.stringify(path));
    if (isJsonObject(value)) for (const key of Object.keys(value)) collect(value[key] as Json, [...path, key]);
  };
  for (const state of [before, reference, after]) collect(state, []);
  const at = (state: Json, path: readonly string[]): Shape => {
    let value: Json = state;
    for (const part of path) {
      if (!isJsonObject(value) || !Object.hasOwn(value, part)) return "missing";
      value = value[part] as Json;
    }
    return isJsonObject(value) && Object.keys(value).length > 0 ? "full" : value;
  };
  const isObject = (shape: Shape) => shape === "full" || isJsonObject(shape);
  const differ = (a: Shape, b: Shape): boolean => {
    if (isJsonObject(a) || isJsonObject(b)) return isObject(a) !== isObject(b);
    if ((a === "full" && b === "missing") || (a === "missing" && b === "full")) return false;
    return a !== b;
  };
  const result = [0, 0, 0, 0] as [number, number, number, number];
  for (const text of paths) {
    const path = JSON.parse(text) as string[];
    const [o, g, n] = [at(before, path), at(reference, path), at(after, path)];
    if (!differ(g, o)) {
      if (differ(n, g)) result[2]++;
      continue;
    }
    result[0]++;
    if (!differ(n, g)) result[1]++;
    else if (differ(n, o)) result[3]++;
  }
  return result;
}
