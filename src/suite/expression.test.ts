import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Json } from "../base/json.ts";
import { random } from "../base/random.ts";
import { functionNames } from "./expression/functions.ts";
import {
  checkExpression,
  ExpressionError,
  evaluateExpression,
  expressionsIn,
  isExpression,
  resolveValue,
} from "./expression.ts";

const page = readFileSync(new URL("../../docs/expressions.md", import.meta.url), "utf8");
const exampleData: Record<string, Json> = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? "{}");
const rows = [...page.matchAll(/^\| `(\w+)\((.*?)\)` \| .* \| `(.+)` \| `(.+)` \|$/gm)].map(
  ([, name = "", takes = "", example = "", result = ""]) => ({ name, takes, example, result }),
);

const names = new Set(["a", "items", "price"]);
const evaluate = (text: string, scope: Record<string, Json> = {}) => evaluateExpression(`=${text}`, scope);
const faultOf = (work: () => unknown) => {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof ExpressionError) return thrown.fault;
    throw thrown;
  }
  return "none";
};

describe("the function tables of docs/expressions.md", () => {
  it.each(rows)("$example gives $result", ({ example, result }) => {
    const value = evaluateExpression(`= ${example}`, exampleData, random(1, "example"));
    expect(value).toEqual(JSON.parse(result));
  });

  it("name every function, and no other", () => {
    const documented = new Set([...rows.map(({ name }) => name), "string", "double"]);
    documented.delete("has");
    expect([...documented].sort()).toEqual([...functionNames].sort());
  });

  it("pass the check that a query's given values get", () => {
    const visible = { names: new Set(Object.keys(exampleData)), draws: true };
    for (const { example } of rows) expect(checkExpression(`=${example}`, visible)).toEqual([]);
  });
});

describe("values", () => {
  it("tells an expression from an escaped text", () => {
    expect([isExpression("= a"), isExpression("==a"), isExpression("a"), isExpression(1)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it("resolves expressions wherever they sit", () => {
    const value = { a: ["= n + 1", "==x", { b: "=n" }], c: 1 };
    expect(resolveValue(value, { n: 1 })).toEqual({ a: [2, "=x", { b: 1 }], c: 1 });
    expect(expressionsIn(value).map(({ path }) => path.join("."))).toEqual(["a.0", "a.2.b"]);
  });
});

describe("arithmetic and comparison", () => {
  it.each([
    ["7 / 2", 3.5],
    ["size([1, 2, 3]) / 2", 1.5],
    ["1.5 * 10 + 1", 16],
    ["7.5 % 2", 1.5],
    ["10 == 10.0", true],
    ["size('ab') == 2.0", true],
    ["3 >= 2.5 && 2 < 2.5", true],
    ["-(2 - 5)", 3],
    ["'a' == 1", false],
    ["null != 'a'", true],
    ["[1, 'a'] + [null]", [1, "a", null]],
    ["{'a': [1]} == {'a': [1.0]}", true],
    ["2 in [1, 2.0]", true],
    ["'a' in {'a': null}", true],
    ["true ? 1 : 'x'", 1],
    ["'b' > 'a'", true],
    ["'a😀b'.size()", 3],
    ["{'a': 1}.map(k, k + '!')", ["a!"]],
    ["[1, 2, 3].map(x, x > 1, x * 2)", [4, 6]],
    ["[1, 2].exists_one(x, x == 1) && ![1, 2].all(x, x == 1)", true],
    ["cel.bind(x, 2, x * x)", 4],
    ["r'\\d+' + \"\\n\"", "\\d+\n"],
    ["0.1 + 0.2 == 0.3", false],
    ["0x10", 16],
  ])("%s gives %j", (text, value) => {
    expect(evaluate(text)).toEqual(value);
  });

  it("takes JSON numbers and literals alike", () => {
    const scope = { price: 2.5, count: 3, items: [{ stock: 10 }, { stock: 9 }] };
    expect(evaluate("price * count + 1", scope)).toBe(8.5);
    expect(evaluate("items.filter(i, i.stock >= 10).size() == 1", scope)).toBe(true);
    expect(evaluate("items[count - 2].stock", scope)).toBe(9);
  });

  it("lets one side decide even if the other fails", () => {
    expect(evaluate("a.b == 1 || true", { a: {} })).toBe(true);
    expect(evaluate("a.b == 1 && false", { a: {} })).toBe(false);
    expect(evaluate("[{}, {'b': 1}].exists(x, x.b == 1)")).toBe(true);
    expect(faultOf(() => evaluate("a.b == 1 || false", { a: {} }))).toBe("value");
  });

  it("asks for fields without failing", () => {
    expect(evaluate("has(a.b.c)", { a: {} })).toBe(false);
    expect(evaluate("has(a.b.c)", { a: { b: { c: null } } })).toBe(true);
    expect(evaluate("has(a.constructor)", { a: {} })).toBe(false);
  });

  it("looks names up in macros first, then outside", () => {
    expect(evaluate("[1].map(a, a + [10].map(b, b + a)[0])", { a: 100 })).toEqual([12]);
  });
});

describe("what must be refused", () => {
  it.each([
    "1 + 'a'",
    "1 < 'a'",
    "1 / 0",
    "1 % 0",
    "a.missing",
    "a[0]",
    "[1][1]",
    "[1][-1]",
    "!1",
    "1 ? 2 : 3",
    "1 in 'a'",
    "number('12 kg')",
    "number('')",
    "date('July 4th')",
    "date('2026-02-30')",
    "parseJson('{')",
    "'a'.matches('(?=a)')",
    "sum(['a'])",
    "[{'b': 1}].minBy('c')",
    "sortBy([{'b': 1}, {'b': 'x'}], 'b')",
    "'abc'.substring(2, 9)",
    "1e308 * 10",
    "{1: 2}",
    "a.constructor",
    "a.__proto__",
  ])("%s", (text) => {
    expect(faultOf(() => evaluate(text, { a: {} }))).toBe("value");
  });

  it.each(["first([])", "last([])", "minBy([], 'a')", "max([])", "avg([])"])(
    "%s, since it takes from nothing",
    (text) => {
      expect(faultOf(() => evaluate(text))).toBe("empty");
    },
  );

  it.each([
    ["a +", "syntax"],
    ["1u", "syntax"],
    ["b'ab'", "syntax"],
    ["99999999999999999999", "syntax"],
    ["a b", "syntax"],
    ["unknwon + 1", "unknown-name"],
    ["items.filter(i, i.x == j)", "unknown-name"],
    ["items.map(i, i.x) + i", "unknown-name"],
    ["soort(items)", "unknown-function"],
    ["items.timestamp()", "unknown-function"],
    ["pick(items)", "unknown-function"],
    ["items.sortBy()", "arguments"],
    ["items.filter(1)", "arguments"],
    ["int(1, 2)", "arguments"],
    ["has(items)", "arguments"],
  ])("%s before it runs (%s)", (text, fault) => {
    expect(checkExpression(`=${text}`, { names, draws: false }).map((error) => error.fault)).toEqual([fault]);
  });

  it("says where, and quotes the expression", () => {
    const [error] = checkExpression("= a + unknwon", { names, draws: false });
    expect(error?.span).toEqual({ start: 6, end: 13 });
    expect(() => evaluateExpression("= a.b", { a: { c: 1 } })).toThrow(
      'there is no field b in an object with c, in "= a.b"',
    );
  });

  it("draws nothing outside of given", () => {
    expect(faultOf(() => evaluate("pick([1])"))).toBe("value");
  });
});

describe("limits", () => {
  const thousand = Array.from({ length: 1000 }, (_, i) => i);
  it.each([
    "xs.map(x, xs.map(y, x * y))",
    "xs.all(x, xs.all(y, x + y >= 0))",
    "xs.exists(x, xs.exists(y, xs.exists(z, z < 0)))",
    "false || xs.map(x, xs.map(y, y)).size() > 0",
    "range(1, 100000).map(x, range(1, 100000))",
    "range(0, 9000000000)",
    "xs.map(x, xs).flatten().map(x, xs).flatten()",
    "cel.bind(t, xs.map(x, 'abcdefghij').join(), cel.bind(u, t + t + t + t + t, u.replace('a', t + t + t)))",
    `${"cel.bind(x, [xs, xs], ".repeat(1)}${"cel.bind(xs, [x, x, x, x], cel.bind(x, [xs, xs, xs, xs], ".repeat(12)}x${")".repeat(25)}`,
    "'a'.matches(xs.map(x, 'abcdefghijklmnopq').join() + xs.map(x, xs).flatten().join('aaaaaaaaaa'))",
  ])("%s stops", (text) => {
    expect(faultOf(() => evaluate(text, { xs: thousand }))).toBe("limit");
  });

  it("refuses an expression that is too long or too deep", () => {
    expect(checkExpression(`=${"1 + ".repeat(2000)}1`, { names, draws: false })[0]?.fault).toBe("limit");
    expect(checkExpression(`=${"(".repeat(200)}1${")".repeat(200)}`, { names, draws: false })[0]?.fault).toBe("syntax");
  });

  it("is not hung by a pattern", () => {
    expect(evaluate("text.matches('^(a+)+$')", { text: `${"a".repeat(5000)}!` })).toBe(false);
  });

  it("refuses what is no JSON", () => {
    const scope = { broken: { at: Number.NaN } } as Record<string, Json>;
    expect(faultOf(() => evaluate("broken", scope))).toBe("value");
  });
});
