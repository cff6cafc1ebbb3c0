import { isJsonObject, type Json } from "../base/json.ts";
import type { Random } from "../base/random.ts";
import { checkTree, type Visible } from "./expression/check.ts";
import { ExpressionError } from "./expression/error.ts";
import { evaluateTree, type Scope } from "./expression/evaluate.ts";
import { parseExpression } from "./expression/parse.ts";
import { checkResult } from "./expression/values.ts";

export type { Visible } from "./expression/check.ts";
export { ExpressionError, type ExpressionFault } from "./expression/error.ts";
export type { Scope } from "./expression/evaluate.ts";

/** True for a text that begins with one equals sign. `==x` is the text `=x`. */
export function isExpression(value: unknown): value is string {
  return typeof value === "string" && value.startsWith("=") && !value.startsWith("==");
}

/**
 * Checks one expression with its leading equals sign, before anything runs.
 * @returns all that is wrong, each with its place counted from the equals sign; empty if it is sound
 */
export function checkExpression(text: string, visible: Visible): ExpressionError[] {
  try {
    return checkTree(parseExpression(text.slice(1)), visible).map(shifted);
  } catch (thrown) {
    if (thrown instanceof ExpressionError) return [shifted(thrown)];
    throw thrown;
  }
}

/**
 * Evaluates one expression with its leading equals sign.
 * @param random the stream that `pick`, `sample` and `int(low, high)` draw from; left out, they are errors
 * @returns JSON, which may share parts with the scope
 * @throws ExpressionError that quotes the expression and the place in it
 */
export function evaluateExpression(text: string, scope: Scope, random?: Random): Json {
  try {
    return checkResult(evaluateTree(parseExpression(text.slice(1)), scope, random));
  } catch (thrown) {
    // A value that is too deep, or a text beyond what the engine can hold.
    if (thrown instanceof RangeError) throw new ExpressionError("limit", `${thrown.message}, in "${quoted(text)}"`);
    if (!(thrown instanceof ExpressionError)) throw thrown;
    const { fault, span, unknown, message } = shifted(thrown);
    throw new ExpressionError(fault, `${message}, in "${quoted(text, span?.start)}"`, span, unknown);
  }
}

/**
 * A value with all expressions in it evaluated, however deep they sit in lists and objects.
 * @throws ExpressionError as {@link evaluateExpression}
 */
export function resolveValue(value: unknown, scope: Scope, random?: Random): Json {
  if (isExpression(value)) return evaluateExpression(value, scope, random);
  if (typeof value === "string") return value.startsWith("==") ? value.slice(1) : value;
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, scope, random));
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveValue(item, scope, random)]));
  }
  return checkResult(value ?? null);
}

/** An expression inside a value, with its place in it. */
export interface PlacedExpression {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** All expressions inside a value. */
export function expressionsIn(value: unknown, path: readonly (string | number)[] = []): PlacedExpression[] {
  if (isExpression(value)) return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, i) => expressionsIn(item, [...path, i]));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([key, item]) => expressionsIn(item, [...path, key]));
  return [];
}

function shifted(error: ExpressionError): ExpressionError {
  if (error.span === null) return error;
  const span = { start: error.span.start + 1, end: error.span.end + 1 };
  return new ExpressionError(error.fault, error.message, span, error.unknown);
}

const QUOTED = 100;

/** The part of a long expression around a place in it. */
function quoted(text: string, place = 0): string {
  if (text.length <= QUOTED) return text;
  const start = Math.max(0, Math.min(place - QUOTED / 2, text.length - QUOTED));
  const part = text.slice(start, start + QUOTED);
  return `${start > 0 ? "…" : ""}${part}${start + QUOTED < text.length ? "…" : ""}`;
}
