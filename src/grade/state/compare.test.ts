import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../base/json.ts";
import { drawId, random } from "../../base/random.ts";
import type { Snapshot } from "../../record/snapshot.ts";
import { stateRulesSchema } from "../../suite/schema.ts";
import { compareSnapshots, equalSnapshots, type SnapshotComparison } from "./compare.ts";

const source = random(5, "compare");
const id = (prefix: string) => drawId(source, prefix);
const rules = stateRulesSchema.parse({});

function snapshot(servers: JsonObject, more: Partial<Snapshot> = {}): Snapshot {
  return { servers, minted: [], volatile: [], worldTime: null, ...more };
}

function compare(before: Snapshot, reference: Snapshot, after: Snapshot, more: Partial<SnapshotComparison> = {}) {
  return compareSnapshots({ before, reference, after, rules, referenceWrites: [], testedWrites: [], ...more });
}

describe("compareSnapshots", () => {
  it("leaves out what any snapshot calls volatile, and what the query ignores", () => {
    const state = (time: number, log: string, stock: number) => ({ Shop: { time, log, stock } });
    const grade = compare(
      snapshot(state(1, "a", 5), { volatile: ["/Shop/time"] }),
      snapshot(state(2, "b", 4)),
      snapshot(state(3, "c", 4)),
      { rules: { ...rules, ignore: ["/*/log"] } },
    );
    expect(grade).toMatchObject({ required: 1, modified: 1, success: true, effects: null });
  });

  it("refuses a snapshot that lacks a server", () => {
    const full = snapshot({ Shop: {}, Talk: {} });
    const lacking = snapshot({ Shop: {} });
    for (const states of [
      [full, full, lacking],
      [full, lacking, full],
      [lacking, full, full],
    ] as const) {
      expect(() => compare(...states)).toThrow(expect.objectContaining({ code: "internal.missing-snapshot" }));
    }
  });

  it("takes the ids that the end snapshots list for minted, and no id that the agent made up", () => {
    const [mine, yours, invented] = [id("order"), id("order"), id("order")];
    const end = (order: string, mentioned: string, minted: string[]) =>
      snapshot(
        { Shop: { orders: { [order]: { of: "figs" } }, note: mentioned } },
        { minted, worldTime: "2026-03-01 09:00:00" },
      );
    const before = snapshot({ Shop: { orders: {}, note: "" } }, { worldTime: "2026-03-01 09:00:00" });
    const reference = end(mine, `see ${mine}`, [mine]);
    expect(compare(before, reference, end(yours, `see ${yours}`, [yours])).success).toBe(true);
    expect(compare(before, reference, end(yours, `see ${invented}`, [yours]))).toMatchObject({
      wrong: 1,
      success: false,
    });
    expect(compare(before, reference, end(invented, `see ${invented}`, [])).success).toBe(false);
  });

  it("takes unseen UUIDs of third-party servers for minted, beside the listed ones", () => {
    const end = (order: string, note: string) =>
      snapshot({ Shop: { orders: { [order]: 1 } }, notes: [{ id: note, about: order }] }, { minted: [order] });
    const before = snapshot({ Shop: { orders: {} }, notes: [] });
    const uuids = ["1b4e28ba-2fa1-11d2-883f-0016d3cca427", "6fa459ea-ee8a-3ca4-894e-db77e160355e"] as const;
    expect(compare(before, end(id("order"), uuids[0]), end(id("order"), uuids[1])).success).toBe(true);
    const old = snapshot({ Shop: { orders: {} }, notes: [{ id: uuids[1] }] });
    expect(compare(old, end(id("order"), uuids[0]), end(id("order"), uuids[1])).success).toBe(false);
  });

  it("masks each side's workdir in texts and keys", () => {
    const state = (dir: string, text = "saved") => snapshot({ files: { [`${dir}/a.txt`]: `${text} in ${dir}/a.txt` } });
    const start = snapshot({ files: {} });
    const mask = { reference: "/tmp/ref", after: "/tmp/x/tested" };
    expect(compare(start, state(mask.reference), state(mask.after), { mask })).toMatchObject({
      required: 1,
      success: true,
    });
    expect(compare(start, state(mask.reference), state(mask.after)).success).toBe(false);
    expect(compare(start, state(mask.reference), state(mask.after, "lost"), { mask }).success).toBe(false);
  });

  describe("writers", () => {
    const [mine, yours] = [id("line"), id("line")];
    const state = (cart: JsonObject, rest: JsonObject = {}) => ({
      Shop: { cart, balance: 10, list: ["a", "b", "c"], ...rest },
    });
    const before = snapshot(state({}));
    const reference = snapshot(state({ [mine]: { fruit: "fig", count: 2 } }, { balance: 8 }), { minted: [mine] });

    it("are found at, above and below a path, under the tested side's own ids", () => {
      const after = snapshot(state({ [yours]: { fruit: "fig", count: 3 } }, { balance: 7, list: ["a", "c"] }), {
        minted: [yours],
      });
      const testedWrites = [
        { call: 1, paths: [`/Shop/cart/${yours}`, "/Shop/balance"] },
        { call: 3, paths: [`/Shop/cart/${yours}/count`] },
        { call: 4, paths: ["/Shop/list/1", "/Shop/list/length"] },
        { call: 5, paths: ["/Shop/balance/deep"] },
        { call: 6, paths: ["/Shop/other", `/Shop/cart/${mine}`] },
      ];
      const grade = compare(before, reference, after, { testedWrites });
      expect(grade.paths.map(({ path, kind, writtenBy }) => [path, kind, writtenBy])).toEqual([
        [`/Shop/cart/${mine}/fruit`, "modified", [1]],
        [`/Shop/cart/${mine}/count`, "wrong", [1, 3]],
        ["/Shop/balance", "wrong", [1, 5]],
        ["/Shop/list/1", "misbehaving", [4]],
      ]);
    });

    it("are left out where nobody wrote", () => {
      const grade = compare(before, reference, before, { testedWrites: [{ call: 0, paths: [`/Shop/cart/${mine}`] }] });
      expect(grade.paths.map(({ kind, writtenBy }) => [kind, writtenBy])).toEqual([
        ["missed", undefined],
        ["missed", undefined],
        ["missed", undefined],
      ]);
    });
  });

  describe("effects", () => {
    const before = snapshot({ Shop: { a: 1, b: 1, c: 1, time: 1, list: [1] } }, { volatile: ["/Shop/time"] });
    const reference = snapshot({ Shop: { a: 2, b: 2, c: 1, time: 2, list: [] } });
    const referenceWrites = [
      { call: 0, paths: [] },
      { call: 1, paths: ["/Shop/a"] },
      { call: 2, paths: ["/Shop/b", "/Shop/c"] },
      { call: 3, paths: ["/Shop/c"] },
      { call: 4, paths: ["/Shop/time"] },
      { call: 5, paths: ["/Shop/list/length"] },
    ];
    const effects = (servers: Json) =>
      compare(before, reference, snapshot({ Shop: servers }), { referenceWrites }).effects;

    it("count the calls that left something behind", () => {
      expect(effects({ a: 2, b: 2, c: 1, time: 9, list: [] })).toEqual({ done: 3, total: 3 });
      expect(effects({ a: 2, b: 3, c: 1, time: 9, list: [1] })).toEqual({ done: 1, total: 3 });
      expect(effects({ a: 1, b: 1, c: 1, time: 1, list: [1] })).toEqual({ done: 0, total: 3 });
    });

    it("do not count damage elsewhere against a call", () => {
      expect(effects({ a: 2, b: 2, c: 9, time: 9, list: [] })).toEqual({ done: 3, total: 3 });
    });

    it("are null where no write is known", () => {
      expect(compare(before, reference, reference).effects).toBeNull();
      expect(compare(before, reference, reference, { referenceWrites: [{ call: 0, paths: [] }] }).effects).toBeNull();
    });
  });
});

describe("equalSnapshots", () => {
  const end = (line: string, count: number) =>
    snapshot({ Shop: { cart: { [line]: { fruit: "fig", count } } } }, { minted: [line] });
  const start = snapshot({ Shop: { cart: {} } });

  it("sees past minted ids", () => {
    expect(equalSnapshots(end(id("line"), 2), end(id("line"), 2), start, rules)).toEqual([]);
  });

  it("lists the paths that differ", () => {
    const line = id("line");
    expect(equalSnapshots(end(line, 2), end(id("line"), 3), start, rules)).toEqual([`/Shop/cart/${line}/count`]);
    expect(equalSnapshots(start, end(line, 2), start, rules)).toEqual([
      `/Shop/cart/${line}/fruit`,
      `/Shop/cart/${line}/count`,
    ]);
  });
});
