import { describe, expect, it } from "vitest";
import type { Json } from "../../base/json.ts";
import { drawId, random } from "../../base/random.ts";
import { type DiffOptions, diffState, type StateDiff } from "./diff.ts";

const source = random(7, "diff");
const id = (prefix: string) => drawId(source, prefix);

/** Counts as one line: T, M, Mb, W. */
function counts(diff: StateDiff): string {
  return `T${diff.required} M${diff.modified} Mb${diff.misbehaving} W${diff.wrong}`;
}

const diff = (before: Json, reference: Json, after: Json, options?: DiffOptions) =>
  diffState({ before, reference, after }, options);

describe("leaves", () => {
  it.each<[string, Json, Json, Json, string]>([
    ["done", { a: 1 }, { a: 2 }, { a: 2 }, "T1 M1 Mb0 W0"],
    ["left alone", { a: 1 }, { a: 2 }, { a: 1 }, "T1 M0 Mb0 W0"],
    ["a third value", { a: 1 }, { a: 2 }, { a: 3 }, "T1 M0 Mb0 W1"],
    ["deleted instead", { a: 1 }, { a: 2 }, {}, "T1 M0 Mb0 W1"],
    ["damage", { a: 1, b: 1 }, { a: 2, b: 1 }, { a: 2, b: 5 }, "T1 M1 Mb1 W0"],
    ["something added", { a: 1 }, { a: 1 }, { a: 1, b: { c: 1, d: 2 } }, "T0 M0 Mb2 W0"],
    ["something to delete", { a: { b: 1, c: 2 } }, {}, { a: { b: 1 } }, "T2 M1 Mb0 W0"],
    ["a container to empty", { a: { b: 1 } }, { a: {} }, { a: {} }, "T1 M1 Mb0 W0"],
    ["a container to empty, deleted", { a: { b: 1 } }, { a: {} }, {}, "T1 M1 Mb1 W0"],
    ["a record to delete, emptied", { a: { b: 1 } }, {}, { a: {} }, "T1 M1 Mb1 W0"],
    ["an empty container to add", {}, { a: {} }, {}, "T1 M0 Mb0 W0"],
    ["an empty container of another kind", {}, { a: {} }, { a: [] }, "T1 M0 Mb0 W1"],
    ["a first element", { a: [] }, { a: [1] }, { a: [1] }, "T1 M1 Mb0 W0"],
    ["a scalar for a container", { a: { b: 1 } }, { a: 5 }, { a: 5 }, "T2 M2 Mb0 W0"],
    ["a container that was to be a scalar", { a: 1 }, { a: 2 }, { a: { b: 1 } }, "T1 M0 Mb1 W1"],
    ["states that are scalars", 1, 2, 2, "T1 M1 Mb0 W0"],
    ["states of different kinds", {}, [1], "x", "T2 M0 Mb0 W1"],
  ])("%s", (_, before, reference, after, expected) => {
    expect(counts(diff(before, reference, after))).toBe(expected);
  });

  it("tells missing, null, empty text, list and object apart", () => {
    const values: (Json | undefined)[] = [undefined, null, "", [], {}];
    const state = (value: Json | undefined): Json => (value === undefined ? {} : { a: value });
    for (const reference of values) {
      for (const after of values) {
        expect(diff({ a: 1 }, state(reference), state(after)).success).toBe(reference === after);
      }
    }
  });

  it("gives rates, precision and F1", () => {
    const result = diff({ a: 1, b: 1, c: 1, d: 1 }, { a: 2, b: 2, c: 2, d: 1 }, { a: 2, b: 2, c: 9, d: 9 });
    expect(result).toMatchObject({ completionRate: 2 / 3, misbehavingRate: 1 / 3, precision: 1 / 2, success: false });
    expect(result.f1).toBeCloseTo((2 * (1 / 2) * (2 / 3)) / (1 / 2 + 2 / 3));
    expect(result.paths.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      "/a modified",
      "/b modified",
      "/c wrong",
      "/d misbehaving",
    ]);
  });

  it("has no rates where nothing was to change", () => {
    const quiet = diff({ a: 1 }, { a: 1 }, { a: 1 });
    expect(quiet).toMatchObject({
      completionRate: null,
      misbehavingRate: null,
      precision: null,
      f1: null,
      success: true,
    });
    const damage = diff({ a: 1 }, { a: 1 }, { a: 2 });
    expect(damage).toMatchObject({ misbehavingRate: null, precision: 0, misbehaving: 1, success: false });
    expect(diff({ a: 1 }, { a: 2 }, { a: 1 })).toMatchObject({ precision: null, f1: 0, completionRate: 0 });
  });

  it("lists values, leaves out missing ones and hints at look-alikes", () => {
    expect(diff({ a: 1 }, { a: "a b" }, { a: "a\u00a0b", "c/~": [] }).paths).toEqual([
      {
        path: "/a",
        kind: "wrong",
        before: 1,
        reference: "a b",
        after: "a\u00a0b",
        hint: "differs only by white space",
      },
      { path: "/c~1~0", kind: "misbehaving", after: [] },
    ]);
  });

  it("treats odd keys like any other and leaves Object.prototype alone", () => {
    const before = JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}},"a.b":1,"":2}') as Json;
    const reference = JSON.parse('{"__proto__":{"x":2},"constructor":{"prototype":{"y":1}},"a":{"b":1},"":2}') as Json;
    expect(counts(diff(before, reference, before))).toBe("T3 M0 Mb0 W0");
    expect(counts(diff(before, reference, reference))).toBe("T3 M3 Mb0 W0");
    expect(counts(diff({}, {}, JSON.parse('{"toString":1,"__proto__":null}') as Json))).toBe("T0 M0 Mb2 W0");
    expect("x" in {}).toBe(false);
  });

  it("refuses a state that nests too deeply, and takes one that is merely deep", () => {
    const deep = (levels: number, leaf: number) =>
      JSON.parse(`${'{"a":'.repeat(levels)}${leaf}${"}".repeat(levels)}`) as Json;
    expect(() => diff(deep(10_000, 1), deep(10_000, 2), deep(10_000, 3))).toThrow(/nests deeper/);
    expect(counts(diff(deep(900, 1), deep(900, 2), deep(900, 2)))).toBe("T1 M1 Mb0 W0");
  });
});

describe("rules", () => {
  it("leaves ignored paths out, with all below them", () => {
    const options = { ignore: ["/log", "/*/time"] };
    expect(diff({ log: {} }, { log: { a: 1 }, x: { time: 1, v: 1 } }, { x: { time: 2, v: 1 } }, options)).toMatchObject(
      {
        required: 1,
        success: true,
      },
    );
    expect(diff({}, {}, { x: { v: 1 } }, options).success).toBe(false);
  });

  it("still sees that a record exists of which all is ignored", () => {
    const options = { ignore: ["/*/time"] };
    expect(counts(diff({}, { x: { time: 1 } }, {}, options))).toBe("T1 M0 Mb0 W0");
    expect(diff({}, { x: { time: 1 } }, { x: { time: 2 } }, options).success).toBe(true);
  });

  it("compares numeric texts and texts with a comparer", () => {
    const options: DiffOptions = { numericText: ["/price"], text: { "/note": { contains: "ten" }, "/why": "any" } };
    const before = { price: "1", note: "", why: "" };
    const reference = { price: "130.00", note: "Buy ten.", why: "because" };
    expect(diff(before, reference, { price: "130", note: "ten, please", why: "" }, options).success).toBe(true);
    expect(diff(before, reference, { price: "131", note: "Buy two.", why: "" }, options)).toMatchObject({ wrong: 2 });
    expect(diff(before, reference, { price: "130", note: "ten" }, options)).toMatchObject({ misbehaving: 1 });
  });

  it("takes a tolerance", () => {
    expect(diff({ a: 1 }, { a: 2 }, { a: 2.001 }, { tolerance: 0.01 }).success).toBe(true);
    expect(diff({ a: [1] }, { a: [2] }, { a: [2.001] }, { tolerance: 0.01 }).success).toBe(true);
    expect(diff({ a: 1 }, { a: 2 }, { a: 2.001 }).success).toBe(false);
  });
});

describe("arrays", () => {
  it.each<[string, Json[], Json[], Json[], string]>([
    ["order does not matter", [1, 2], [1, 2, 3], [3, 2, 1], "T1 M1 Mb0 W0"],
    ["how often does", [1], [1, 1, 2], [1, 2, 2], "T2 M1 Mb1 W0"],
    ["a scalar matches only its equal", [1], [2], [3], "T2 M1 Mb1 W0"],
    ["equal within rounding", [], [0.3, 0.7], [0.7, 0.1 + 0.2], "T2 M2 Mb0 W0"],
    [
      "an added copy that is missing",
      [{ x: 1, y: 1 }],
      [
        { x: 1, y: 1 },
        { x: 1, y: 1 },
      ],
      [{ x: 1, y: 1 }],
      "T2 M0 Mb0 W0",
    ],
    [
      "one field of a record",
      [
        { k: 1, v: 1 },
        { k: 2, v: 2 },
      ],
      [
        { k: 2, v: 2 },
        { k: 1, v: 5 },
      ],
      [
        { k: 1, v: 5 },
        { k: 2, v: 2 },
      ],
      "T1 M1 Mb0 W0",
    ],
    ["a wrong field of a record", [{ k: 1, v: 1 }], [{ k: 1, v: 5 }], [{ k: 1, v: 6 }], "T1 M0 Mb0 W1"],
    ["a record without an equal leaf", [], [{ k: 1 }], [{ k: 2 }], "T1 M0 Mb1 W0"],
    ["a record to remove, changed instead", [{ k: 1, v: 1 }], [], [{ k: 1, v: 2 }], "T2 M0 Mb0 W1"],
    [
      "the first of three removed",
      [{ n: "a" }, { n: "b" }, { n: "c" }],
      [{ n: "b" }, { n: "c" }],
      [{ n: "c" }, { n: "b" }],
      "T1 M1 Mb0 W0",
    ],
    [
      "nested arrays",
      [[1, 2], [3]],
      [
        [2, 1],
        [3, 4],
      ],
      [
        [4, 3],
        [1, 2],
      ],
      "T1 M1 Mb0 W0",
    ],
    ["emptied", [1, 2], [], [], "T2 M2 Mb0 W0"],
  ])("%s", (_, before, reference, after, expected) => {
    expect(counts(diff({ a: before }, { a: reference }, { a: after }))).toBe(expected);
  });

  it("compares by index where order matters", () => {
    const options = { ordered: ["/a"] };
    expect(counts(diff({ a: [1, 2] }, { a: [2, 1] }, { a: [1, 2] }, options))).toBe("T2 M0 Mb0 W0");
    expect(diff({ a: [1, 2] }, { a: [2, 1] }, { a: [2, 1] }, options).success).toBe(true);
    expect(diff({ a: [1, 2] }, { a: [2, 1] }, { a: [1, 2] })).toMatchObject({ required: 0, success: true });
  });

  it("names elements by the reference's index", () => {
    const result = diff({ a: [{ k: 1, v: 1 }] }, { a: ["x", { k: 1, v: 2 }] }, { a: [{ k: 1, v: 3 }, "y"] });
    expect(result.paths.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
      "/a/0 missed",
      "/a/1/v wrong",
      "/a/1 misbehaving",
    ]);
  });

  it("tells apart records with different foreign keys, also of the start state", () => {
    const [ann, bob] = [id("user"), id("user")];
    const before = { people: [ann, bob] };
    const gift = (to: string) => ({ ...before, gifts: [{ to, what: "book", count: 1 }] });
    expect(counts(diff(before, gift(ann), gift(bob)))).toBe("T3 M0 Mb3 W0");
    expect(counts(diff(gift(ann), gift(bob), gift(bob)))).toBe("T6 M6 Mb0 W0");
  });
});

describe("minted ids", () => {
  const shop = id("shop");
  const start = { shops: { [shop]: { name: "Corner" } }, orders: {}, log: [] };
  /** A side that orders some fruit, with its own ids. */
  const ordered = (lines: readonly [fruit: string, count: number][], note = "thanks") => {
    const [order, payment] = [id("order"), id("payment")];
    const rows = Object.fromEntries(lines.map(([fruit, count]) => [id("line"), { order, shop, fruit, count }]));
    return {
      ...start,
      orders: { [order]: { id: order, lines: Object.keys(rows), note } },
      lines: rows,
      payments: [{ id: payment, order }],
      log: [`order ${order} was paid by ${payment}`],
    };
  };
  const fruits: [string, number][] = [
    ["fig", 1],
    ["kiwi", 2],
  ];

  it("may differ, wherever they occur", () => {
    const result = diff(start, ordered(fruits), ordered([...fruits].reverse()));
    expect(result).toMatchObject({ success: true, required: 15, approximate: false });
  });

  it("match in spite of differences around them", () => {
    const result = diff(
      start,
      ordered(fruits),
      ordered(
        [
          ["fig", 1],
          ["kiwi", 3],
        ],
        "thank you",
      ),
    );
    expect(counts(result)).toBe("T15 M13 Mb0 W2");
    expect(
      result.paths.filter(({ kind }) => kind === "wrong").map(({ reference, after }) => [reference, after]),
    ).toEqual([
      ["thanks", "thank you"],
      [2, 3],
    ]);
  });

  it("are not taken for minted if the start state has them, or if no list names them", () => {
    const [old, other] = [id("user"), id("user")];
    expect(
      diff({ users: [old, other] }, { users: [old, other], a: old }, { users: [old, other], a: other }).success,
    ).toBe(false);
    const states = { before: {}, reference: { a: old }, after: { a: other } };
    expect(diffState(states).success).toBe(true);
    expect(diffState({ ...states, minted: { reference: [], after: [] } }).success).toBe(false);
    expect(diffState({ ...states, minted: { reference: [old], after: [] } }).success).toBe(false);
    expect(diffState({ ...states, minted: { reference: [old], after: [other] } }).success).toBe(true);
  });

  it("are of one kind", () => {
    expect(diff({}, { a: id("user") }, { a: id("order") }).success).toBe(false);
  });

  it("must refer to the right one of equal records", () => {
    const side = (first: 0 | 1, second: 0 | 1) => {
      const boxes = [id("box"), id("box")];
      const [x, y] = [id("item"), id("item")];
      return {
        boxes: Object.fromEntries(boxes.map((box) => [box, { colour: "red" }])),
        items: { [x]: { name: "x", box: boxes[first] ?? "" }, [y]: { name: "y", box: boxes[second] ?? "" } },
      };
    };
    expect(diff({}, side(0, 1), side(1, 0)).success).toBe(true);
    expect(diff({}, side(0, 1), side(0, 0)).success).toBe(false);
    expect(diff({}, side(0, 0), side(0, 1)).success).toBe(false);
    expect(diff({}, side(1, 1), side(0, 0)).success).toBe(true);
  });

  it("are told apart through ties: equal carts with equal lines", () => {
    const side = (shuffle: boolean, stray = false) => {
      const carts = [id("cart"), id("cart"), id("cart")];
      const lines: [string, Json][] = carts.flatMap((cart, at) =>
        [0, 1].map((): [string, Json] => [
          id("line"),
          { cart: stray && at === 1 ? (carts[0] ?? "") : cart, fruit: "fig" },
        ]),
      );
      if (shuffle) lines.reverse();
      return { carts: Object.fromEntries(carts.map((cart) => [cart, {}])), lines: Object.fromEntries(lines) };
    };
    expect(diff({}, side(false), side(true)).success).toBe(true);
    expect(diff({}, side(false), side(true, true)).success).toBe(false);
  });

  it("never match records with different foreign keys or without an equal leaf", () => {
    const [ann, bob] = [id("user"), id("user")];
    const before = { people: { [ann]: { name: "Ann" }, [bob]: { name: "Bob" } }, messages: {} };
    const sent = (to: string, text: string) => ({ ...before, messages: { [id("message")]: { to, text } } });
    expect(counts(diff(before, sent(ann, "hi"), sent(bob, "hi")))).toBe("T2 M0 Mb2 W0");
    expect(counts(diff(before, sent(ann, "hi"), sent(ann, "hello")))).toBe("T2 M1 Mb0 W1");
    const noted = (text: string) => ({ ...before, notes: { [id("note")]: { text } } });
    expect(counts(diff(before, noted("a"), noted("b")))).toBe("T1 M0 Mb1 W0");
  });

  it("pass through a text only if they name the same thing", () => {
    const side = (named: 0 | 1) => {
      const orders = [id("order"), id("order")];
      return {
        orders: { [orders[0] ?? ""]: { of: "figs" }, [orders[1] ?? ""]: { of: "kiwis" } },
        mail: `Your order ${orders[named]} has left.`,
      };
    };
    expect(diff({ mail: "" }, side(0), side(0)).success).toBe(true);
    expect(counts(diff({ mail: "" }, side(0), side(1)))).toBe("T3 M2 Mb0 W1");
  });

  it("cannot be passed off by a text that imitates their inner name", () => {
    expect(diff({}, { a: `see ${id("order")}` }, { a: "see \uE0000\uE000" }).success).toBe(false);
  });

  it("are matched beyond a hundred a side, and the result says that this may not be the best", () => {
    const side = (name: string, count: number) => ({
      notes: Object.fromEntries(Array.from({ length: count }, (_, at) => [id("note"), { at, text: `${name} ${at}` }])),
    });
    const few = diff({ notes: {} }, side("a", 100), side("b", 100));
    expect([counts(few), few.approximate]).toEqual(["T200 M100 Mb0 W100", false]);
    const many = diff({ notes: {} }, side("a", 150), side("b", 150));
    expect([counts(many), many.approximate]).toEqual(["T300 M150 Mb0 W150", true]);
    expect(diff({ notes: {} }, side("a", 300), side("a", 300))).toMatchObject({ success: true, approximate: false });
  });
});

describe("what is required", () => {
  it("does not depend on the tested end", () => {
    const before = {
      a: [
        { k: 1, v: 1 },
        { k: 2, v: 2 },
      ],
      b: {},
    };
    const reference = { a: [{ k: 1, v: 2 }], b: { [id("x")]: { t: 1 } } };
    const ends: Json[] = [before, reference, {}, { a: [] }, { a: [{ k: 9, v: 2 }], b: { [id("x")]: { t: 2 } } }, 5];
    const required = ends.map((after) => diff(before, reference, after).required);
    expect(new Set(required)).toEqual(new Set([4]));
  });
});
