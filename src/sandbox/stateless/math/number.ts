import { z } from "zod";
import { refuse, type SandboxTool, toolsOf } from "../../define.ts";

/** Declares a tool of a server without a state. */
export const tool = toolsOf<undefined>();

/** A tool of a server without a state. */
export type StatelessTool = SandboxTool<undefined>;

/**
 * `value` as a tool may return it: JSON has neither infinity nor NaN, and a negative zero is a zero.
 * Refuses what is not finite.
 */
export function finite(value: number): number {
  if (Number.isNaN(value)) refuse("the result is not defined for these numbers");
  if (!Number.isFinite(value)) refuse(`the result is too large: the limit is ${Number.MAX_VALUE}`);
  return value + 0;
}

/** `value` if it is a whole number that a double holds exactly. Refuses a larger one: it would only look exact. */
export function exact(value: number): number {
  if (!Number.isSafeInteger(value)) {
    refuse(`the result is too large to be exact: the limit is ${Number.MAX_SAFE_INTEGER} (2^53 - 1)`);
  }
  return value + 0;
}

const decimal = (text: string) => z.number().describe(text);
const whole = (text: string) => z.int().describe(text);

/** A tool that takes one number `x` and returns a number. `x` says what the parameter is. */
export function ofNumber(name: string, text: string, x: string, compute: (x: number) => number): StatelessTool {
  return tool({
    name,
    text,
    input: { x: decimal(x) },
    output: z.number(),
    run: (_, input) => finite(compute(input.x)),
  });
}

/** A tool that takes two numbers `a` and `b` and returns a number. */
export function ofTwoNumbers(
  name: string,
  text: string,
  [a, b]: readonly [a: string, b: string],
  compute: (a: number, b: number) => number,
): StatelessTool {
  return tool({
    name,
    text,
    input: { a: decimal(a), b: decimal(b) },
    output: z.number(),
    run: (_, input) => finite(compute(input.a, input.b)),
  });
}

/** A tool that takes a whole number `n` and says whether something holds. */
export function ofWholeTest(name: string, text: string, test: (n: number) => boolean): StatelessTool {
  return tool({
    name,
    text,
    input: { n: whole("the whole number to test") },
    output: z.boolean(),
    run: (_, input) => test(input.n),
  });
}
