import { defineApp } from "../define.ts";
import { arithmeticTools } from "./math/arithmetic.ts";
import { functionTools } from "./math/functions.ts";
import { integerTools } from "./math/integers.ts";
import { listTools } from "./math/lists.ts";

/**
 * The Math server. Numbers are doubles, so whole numbers are exact up to 2^53 − 1; tools that promise a whole number
 * refuse a larger result, and no tool ever returns infinity or NaN.
 */
export const math = defineApp<undefined>({
  name: "Math",
  title: "Mathematics",
  text: "Arithmetic, trigonometry, number theory and statistics. Angles are in radians.",
  tools: [...arithmeticTools, ...functionTools, ...integerTools, ...listTools],
});
