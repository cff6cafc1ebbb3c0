import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../../base/json.ts";
import { createWorld } from "../world.ts";
import { math } from "./math.ts";

fc.configureGlobal({ seed: 1 });
const world = createWorld({ seed: 1, apps: [math], faults: false });
const call = (tool: string, input: JsonObject) => world.invoke("Math", tool, input);
const value = (tool: string, input: JsonObject) => {
  const answer = call(tool, input);
  expect(answer, `${tool} ${JSON.stringify(input)}`).toMatchObject({ status: "ok" });
  return answer.output as number;
};
const refusal = (tool: string, input: JsonObject) => {
  const answer = call(tool, input);
  expect(answer, `${tool} ${JSON.stringify(input)}`).toMatchObject({ status: "failed" });
  return String(answer.output);
};

const known: [string, JsonObject, number | boolean][] = [
  ["add", { a: 2, b: 3.5 }, 5.5],
  ["sub", { a: 2, b: 3 }, -1],
  ["mul", { a: -4, b: 2.5 }, -10],
  ["mul", { a: -4, b: 0 }, 0],
  ["div", { a: 7, b: 2 }, 3.5],
  ["pow", { base: 2, exponent: 10 }, 1024],
  ["pow", { base: -2, exponent: 3 }, -8],
  ["pow", { base: 4, exponent: 0.5 }, 2],
  ["sqrt", { x: 2 }, Math.SQRT2],
  ["abs_val", { x: -3 }, 3],
  ["mod", { a: 7, b: 3 }, 1],
  ["mod", { a: -7, b: 3 }, 2],
  ["mod", { a: 7, b: -3 }, -2],
  ["mod", { a: -6, b: 3 }, 0],
  ["floor_div", { a: 7, b: 2 }, 3],
  ["floor_div", { a: -7, b: 2 }, -4],
  ["floor_div", { a: -6, b: 2 }, -3],
  ["floor_div", { a: Number.MAX_SAFE_INTEGER, b: 2 }, 4_503_599_627_370_495],
  ["max_val", { a: 1, b: 2 }, 2],
  ["min_val", { a: 1, b: 2 }, 1],
  ["round_val", { x: 2.5 }, 3],
  ["round_val", { x: -2.5 }, -3],
  ["round_val", { x: 2.675, ndigits: 2 }, 2.68],
  ["round_val", { x: 1.005, ndigits: 2 }, 1.01],
  ["round_val", { x: 1234, ndigits: -2 }, 1200],
  ["round_val", { x: 1e300, ndigits: 20 }, 1e300],
  ["round_val", { x: 1.5e-7, ndigits: 7 }, 2e-7],
  ["round_val", { x: 0.4, ndigits: 0 }, 0],
  ["log", { x: Math.E }, 1],
  ["log", { x: 1000, base: 10 }, 3],
  ["log", { x: 125, base: 5 }, 3],
  ["log", { x: 0.125, base: 2 }, -3],
  ["exp", { x: 0 }, 1],
  ["sin", { x: Math.PI / 2 }, 1],
  ["cos", { x: Math.PI }, -1],
  ["tan", { x: 0 }, 0],
  ["asin", { x: 1 }, Math.PI / 2],
  ["acos", { x: -1 }, Math.PI],
  ["atan", { x: 1 }, Math.PI / 4],
  ["sinh", { x: 0 }, 0],
  ["cosh", { x: 0 }, 1],
  ["tanh", { x: 1e9 }, 1],
  ["factorial", { n: 0 }, 1],
  ["factorial", { n: 5 }, 120],
  ["factorial", { n: 18 }, 6_402_373_705_728_000],
  ["gcd", { a: -12, b: 18 }, 6],
  ["gcd", { a: 0, b: 0 }, 0],
  ["lcm", { a: 4, b: -6 }, 12],
  ["lcm", { a: 0, b: 5 }, 0],
  ["deg_to_rad", { degrees: 180 }, Math.PI],
  ["rad_to_deg", { radians: Math.PI }, 180],
  ["is_even", { n: -2 }, true],
  ["is_even", { n: 3 }, false],
  ["is_odd", { n: -3 }, true],
  ["is_odd", { n: 0 }, false],
  ["is_prime", { n: 1 }, false],
  ["is_prime", { n: -7 }, false],
  ["is_prime", { n: 2 }, true],
  ["is_prime", { n: 561 }, false],
  ["is_prime", { n: 3_215_031_751 }, false],
  ["is_prime", { n: 341_550_071_728_321 }, false],
  ["is_prime", { n: 9_007_199_254_740_881 }, true],
  ["is_prime", { n: Number.MAX_SAFE_INTEGER }, false],
  ["nth_fibonacci", { n: 0 }, 0],
  ["nth_fibonacci", { n: 10 }, 55],
  ["nth_fibonacci", { n: 78 }, 8_944_394_323_791_464],
  ["sum_of_list", { values: [] }, 0],
  ["sum_of_list", { values: [1e16, 1, -1e16] }, 1],
  ["sum_of_list", { values: Array(10).fill(0.1) }, 1],
  ["product_of_list", { values: [] }, 1],
  ["product_of_list", { values: [1e300, 1e300, 0] }, 0],
  ["mean", { values: [1, 2, 6] }, 3],
  ["mean", { values: [1.6e308, 1.6e308] }, 1.6e308],
  ["median", { values: [5, 1, 3] }, 3],
  ["median", { values: [4, 1, 3, 2] }, 2.5],
  ["mode", { values: [3, 1, 1, 3, 2] }, 3],
  ["variance", { values: [2, 4, 4, 4, 5, 5, 7, 9] }, 4],
  ["variance", { values: [1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16], sample: true }, 30],
  ["variance", { values: [5] }, 0],
  ["standard_deviation", { values: [2, 4, 4, 4, 5, 5, 7, 9], sample: false }, 2],
  ["clamp", { x: 5, low: 0, high: 3 }, 3],
  ["clamp", { x: -5, low: 0, high: 3 }, 0],
  ["hypot", { a: 3, b: 4 }, 5],
  ["hypot", { a: 3e200, b: 4e200 }, 5e200],
  ["cbrt", { x: -27 }, -3],
];

const refused: [string, JsonObject, RegExp][] = [
  ["add", { a: Number.MAX_VALUE, b: Number.MAX_VALUE }, /too large/],
  ["div", { a: 1, b: 0 }, /division by zero/],
  ["div", { a: 0, b: -0 }, /division by zero/],
  ["div", { a: 1e308, b: 1e-10 }, /too large/],
  ["mod", { a: 1, b: 0 }, /division by zero/],
  ["floor_div", { a: 1, b: 0 }, /division by zero/],
  ["floor_div", { a: 1e300, b: 1 }, /exact/],
  ["pow", { base: 0, exponent: -1 }, /divides by 0/],
  ["pow", { base: -8, exponent: 0.5 }, /whole exponent/],
  ["pow", { base: 10, exponent: 400 }, /too large/],
  ["sqrt", { x: -1 }, /negative/],
  ["log", { x: 0 }, /above 0/],
  ["log", { x: 8, base: 1 }, /base/],
  ["exp", { x: 1000 }, /too large/],
  ["cosh", { x: 1000 }, /too large/],
  ["asin", { x: 1.1 }, /-1 to 1/],
  ["acos", { x: -1.1 }, /-1 to 1/],
  ["factorial", { n: -1 }, /negative/],
  ["factorial", { n: 19 }, /limit is n = 18/],
  ["nth_fibonacci", { n: -1 }, /none/],
  ["nth_fibonacci", { n: 79 }, /limit is n = 78/],
  ["lcm", { a: 9_007_199_254_740_881, b: 2 }, /exact/],
  ["product_of_list", { values: [1e200, 1e200] }, /too large/],
  ["mean", { values: [] }, /empty/],
  ["median", { values: [] }, /empty/],
  ["mode", { values: [] }, /empty/],
  ["variance", { values: [] }, /empty/],
  ["variance", { values: [1], sample: true }, /at least two/],
  ["standard_deviation", { values: [1], sample: true }, /at least two/],
  ["clamp", { x: 1, low: 2, high: 1 }, /empty/],
];

describe("Math", () => {
  it("has 42 tools, each with a text and described parameters", () => {
    expect(math.tools).toHaveLength(42);
    for (const tool of math.tools) {
      expect(tool.text.length).toBeGreaterThan(10);
      for (const [name, field] of Object.entries(tool.input.shape)) {
        expect((field as { description?: string }).description, `${tool.name}.${name}`).toBeTruthy();
      }
    }
  });

  it("shows the defaults of what may be left out", () => {
    const round = math.tool("round_val");
    const schema = round === undefined ? null : z.toJSONSchema(round.input);
    expect(schema).toMatchObject({ required: ["x"], properties: { ndigits: { type: "integer", default: 0 } } });
  });

  it("has a known value for every tool", () => {
    expect([...new Set(known.map(([tool]) => tool))].sort()).toEqual(math.tools.map((tool) => tool.name).sort());
  });

  it.each(known)("%s %j is %j", (tool, input, expected) => {
    expect(math.tool(tool)?.input.safeParse(input).success).toBe(true);
    if (typeof expected === "boolean") expect(value(tool, input)).toBe(expected);
    else expect(Math.abs(value(tool, input) - expected)).toBeLessThanOrEqual(1e-14 * Math.max(1, Math.abs(expected)));
    expect(Object.is(value(tool, input), -0)).toBe(false);
  });

  it.each(refused)("%s %j is refused", (tool, input, words) => {
    expect(refusal(tool, input)).toMatch(words);
  });

  it.each([
    ["add", { a: 1 }],
    ["add", { a: 1, b: Number.POSITIVE_INFINITY }],
    ["add", { a: 1, b: "2" }],
    ["gcd", { a: 1.5, b: 2 }],
    ["is_even", { n: 2 ** 53 }],
    ["mean", { values: [1, null] }],
    ["sqrt", { x: 4, y: 1 }],
  ])("%s does not take %j", (tool, input) => {
    expect(math.tool(tool)?.input.safeParse(input).success).toBe(false);
  });
});

describe("Math, for any numbers", () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const safe = fc.maxSafeInteger();

  it("answers with a finite number or a refusal", () => {
    const numeric = math.tools.filter((tool) => !("values" in tool.input.shape));
    fc.assert(
      fc.property(fc.constantFrom(...numeric), fc.array(number, { minLength: 3, maxLength: 3 }), (tool, drawn) => {
        const names = Object.keys(tool.input.shape);
        const input = Object.fromEntries(names.map((name, at) => [name, drawn[at] ?? 0]));
        if (!tool.input.safeParse(input).success) return;
        const answer = call(tool.name, input);
        expect(answer.status).not.toBe("internal error");
        if (answer.status === "ok") expect(tool.output.safeParse(answer.output).success).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("divides so that quotient and remainder give the dividend", () => {
    const part = fc.integer({ min: -1e6, max: 1e6 });
    fc.assert(
      fc.property(part, part, (a, b) => {
        fc.pre(b !== 0);
        const remainder = value("mod", { a, b });
        expect(b * value("floor_div", { a, b }) + remainder).toBe(a);
        expect(remainder === 0 || remainder < 0 === b < 0).toBe(true);
      }),
    );
  });

  it("finds the same primes as trial division", () => {
    for (let n = 0; n < 2000; n++) {
      let prime = n > 1;
      for (let factor = 2; factor * factor <= n; factor++) if (n % factor === 0) prime = false;
      expect(value("is_prime", { n })).toBe(prime);
    }
  });

  it("finds no prime among products", () => {
    const factor = fc.integer({ min: 2, max: 90_000_000 });
    fc.assert(
      fc.property(factor, factor, (a, b) => {
        expect(value("is_prime", { n: a * b })).toBe(false);
      }),
    );
  });

  it("gives a common divisor of both numbers", () => {
    fc.assert(
      fc.property(safe, safe, (a, b) => {
        const divisor = value("gcd", { a, b });
        fc.pre(divisor !== 0);
        expect(Math.abs(a % divisor) + Math.abs(b % divisor)).toBe(0);
      }),
    );
  });

  it("rounds to at most half a unit", () => {
    const moderate = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(moderate, fc.integer({ min: 0, max: 6 }), (x, ndigits) => {
        const rounded = value("round_val", { x, ndigits });
        expect(Math.abs(rounded - x)).toBeLessThanOrEqual(0.5 * 10 ** -ndigits + 1e-9);
        expect(value("round_val", { x: rounded, ndigits })).toBe(rounded);
      }),
    );
  });

  it("has a variance that a shift does not change", () => {
    const list = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(list, (values) => {
        const moved = values.map((entry) => entry + 1e9);
        expect(value("variance", { values: moved })).toBeCloseTo(value("variance", { values }), 3);
      }),
    );
  });
});
