import { dateFunctions } from "./date-functions.ts";
import { drawFunctions } from "./draw-functions.ts";
import type { ExpressionFunction } from "./function.ts";
import { listFunctions } from "./list-functions.ts";
import { textFunctions } from "./text-functions.ts";

const always = new Map<string, ExpressionFunction>(
  Object.entries({ ...listFunctions, ...textFunctions, ...dateFunctions }),
);
/** CEL's own names of two conversions. */
for (const [alias, name] of [
  ["string", "text"],
  ["double", "number"],
] as const) {
  const known = always.get(name);
  if (known !== undefined) always.set(alias, known);
}
const drawing = new Map<string, ExpressionFunction>(Object.entries(drawFunctions));

/**
 * The function of that name which takes `count` arguments. `int` is two functions: `int(value)` cuts off a fraction, and
 * `int(low, high)` draws.
 */
export function findFunction(name: string, count: number): ExpressionFunction | undefined {
  return functionsOf(name).find(({ count: [fewest, most] }) => count >= fewest && count <= most);
}

/** All functions of that name; none if it is not known. */
export function functionsOf(name: string): readonly ExpressionFunction[] {
  return [always.get(name), drawing.get(name)].filter((found) => found !== undefined);
}

/** Names of all functions, macros not included. */
export const functionNames: readonly string[] = [...new Set([...always.keys(), ...drawing.keys()])];
