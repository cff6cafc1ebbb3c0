import { z } from "zod";
import { refuse } from "../../define.ts";
import { exact, finite, ofNumber, ofTwoNumbers, type StatelessTool, tool } from "./number.ts";

const BOTH = ["the first number", "the second number"] as const;
const DIVISION = ["the dividend", "the divisor, not 0"] as const;

/** Basic arithmetic, comparison and rounding. */
export const arithmeticTools: readonly StatelessTool[] = [
  ofTwoNumbers("add", "Adds two numbers: a + b.", BOTH, (a, b) => a + b),
  ofTwoNumbers("sub", "Subtracts the second number from the first: a - b.", BOTH, (a, b) => a - b),
  ofTwoNumbers("mul", "Multiplies two numbers: a * b.", BOTH, (a, b) => a * b),
  ofTwoNumbers("div", "Divides the first number by the second: a / b. Fails if b is 0.", DIVISION, (a, b) => {
    return a / divisor(b);
  }),
  ofTwoNumbers(
    "mod",
    "Remainder of a floored division. It has the sign of b: mod(-7, 3) is 2. Fails if b is 0.",
    DIVISION,
    (a, b) => flooredRemainder(a, divisor(b)),
  ),
  tool({
    name: "floor_div",
    text: "Whole quotient rounded down, so that a = b * floor_div(a, b) + mod(a, b). Fails if b is 0.",
    input: { a: z.number().describe(DIVISION[0]), b: z.number().describe(DIVISION[1]) },
    output: z.int(),
    run: (_, { a, b }) => exact(flooredQuotient(a, divisor(b))),
  }),
  tool({
    name: "pow",
    text: "Raises the base to the exponent. A negative base needs a whole exponent.",
    input: { base: z.number().describe("the base"), exponent: z.number().describe("the exponent") },
    output: z.number(),
    run: (_, { base, exponent }) => {
      if (base === 0 && exponent < 0) refuse("0 cannot be raised to a negative exponent: that divides by 0");
      if (base < 0 && !Number.isInteger(exponent)) refuse("a negative base needs a whole exponent");
      return finite(base ** exponent);
    },
  }),
  ofNumber("sqrt", "Square root. Fails for a negative number.", "a number, 0 or more", (x) => {
    if (x < 0) refuse(`${x} is negative and has no real square root`);
    return Math.sqrt(x);
  }),
  ofNumber("cbrt", "Cube root, also of a negative number.", "any number", Math.cbrt),
  ofTwoNumbers(
    "hypot",
    "Length of the hypotenuse: the square root of a*a + b*b.",
    ["one leg", "the other leg"],
    (a, b) => Math.hypot(a, b),
  ),
  ofNumber("abs_val", "Absolute value: the number without its sign.", "any number", Math.abs),
  ofTwoNumbers("max_val", "The larger of two numbers.", BOTH, (a, b) => Math.max(a, b)),
  ofTwoNumbers("min_val", "The smaller of two numbers.", BOTH, (a, b) => Math.min(a, b)),
  tool({
    name: "clamp",
    text: "Limits a number to a range: gives low if x is below it, high if x is above it, else x.",
    input: {
      x: z.number().describe("the number to limit"),
      low: z.number().describe("the lower bound"),
      high: z.number().describe("the upper bound, not below low"),
    },
    output: z.number(),
    run: (_, { x, low, high }) => {
      if (low > high) refuse(`the range is empty: low ${low} is above high ${high}`);
      return finite(Math.min(Math.max(x, low), high));
    },
  }),
  tool({
    name: "round_val",
    text:
      "Rounds a number to a count of decimals. A tie rounds away from zero, judged on the decimal digits as written: " +
      "2.5 gives 3 and 2.675 to two decimals gives 2.68.",
    input: {
      x: z.number().describe("the number to round"),
      ndigits: z
        .int()
        .optional()
        .describe("decimals to keep, 0 if left out; -2 rounds to hundreds")
        .meta({ default: 0 }),
    },
    output: z.number(),
    run: (_, { x, ndigits }) => finite(roundDecimal(x, ndigits ?? 0)),
  }),
];

function divisor(b: number): number {
  return b === 0 ? refuse("division by zero: b must not be 0") : b;
}

/** a − b·floor(a/b), with the sign of b. `%` is exact for doubles, so only the last addition can round. */
function flooredRemainder(a: number, b: number): number {
  const remainder = a % b;
  return remainder !== 0 && remainder < 0 !== b < 0 ? remainder + b : remainder;
}

/** The whole number that belongs to {@link flooredRemainder}. It starts from the remainder, so that a/b cannot round up. */
function flooredQuotient(a: number, b: number): number {
  const remainder = a % b;
  const quotient = Math.round((a - remainder) / b);
  return remainder !== 0 && remainder < 0 !== b < 0 ? quotient - 1 : quotient;
}

/** Moves the point in the decimal text of `x`, which unlike a multiplication never rounds. */
function roundDecimal(x: number, digits: number): number {
  const shifted = shift(Math.abs(x), digits);
  if (shifted > Number.MAX_SAFE_INTEGER) return x;
  return Math.sign(x) * shift(Math.round(shifted), -digits);
}

function shift(x: number, digits: number): number {
  const [mantissa, exponent = "0"] = String(x).split("e");
  return Number(`${mantissa}e${Number(exponent) + digits}`);
}
