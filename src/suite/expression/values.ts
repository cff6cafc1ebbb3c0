import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { ExpressionError } from "./error.ts";

/** Adds to the work that an evaluation has done. @throws ExpressionError `limit` when it is too much */
export type Charge = (units: number) => void;

/** Longest list that an expression may build. */
export const MOST_ELEMENTS = 100_000;
/** Longest text that an expression may build, in UTF-16 units. */
export const MOST_TEXT = 1_000_000;
/** Largest result, in values counted through all levels. */
export const MOST_RESULT = 1_000_000;

/** `value` in a few words, for messages: its kind and, if short, itself. */
export function describe(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return `an object with ${listed(Object.keys(value), "no fields")}`;
  if (typeof value === "string") return value.length > 40 ? `the text "${value.slice(0, 37)}…"` : `the text "${value}"`;
  return `the ${typeof value} ${String(value)}`;
}

/** A few names as one text. */
export function listed(names: readonly string[], none: string): string {
  if (names.length === 0) return none;
  return names.length > 12 ? `${names.slice(0, 12).join(", ")}, …` : names.join(", ");
}

/** An error of a value that does not fit. */
export function misfit(message: string): ExpressionError {
  return new ExpressionError("value", message);
}

export function asList(value: Json | undefined, what: string): readonly Json[] {
  if (Array.isArray(value)) return value;
  throw misfit(`${what} needs a list, got ${describe(value)}`);
}

export function asText(value: Json | undefined, what: string): string {
  if (typeof value === "string") return value;
  throw misfit(`${what} needs a text, got ${describe(value)}`);
}

export function asNumber(value: Json | undefined, what: string): number {
  if (typeof value === "number") return value;
  throw misfit(`${what} needs a number, got ${describe(value)}`);
}

export function asWhole(value: Json | undefined, what: string): number {
  const number = asNumber(value, what);
  if (Number.isSafeInteger(number)) return number;
  throw misfit(`${what} needs a whole number, got ${describe(value)}`);
}

export function asObject(value: Json | undefined, what: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw misfit(`${what} needs an object, got ${describe(value)}`);
}

/** A number that JSON can hold. @throws ExpressionError `value` for infinity and what is no number */
export function finite(number: number, what: string): number {
  if (Number.isFinite(number)) return number;
  throw misfit(`${what} has no finite result`);
}

/** Equality of JSON values: by content, and false (not an error) for values of different kinds. */
export function equal(a: Json | undefined, b: Json | undefined, charge: Charge): boolean {
  charge(1);
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => equal(item, b[i], charge));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key], charge))
  );
}

/**
 * Order of two numbers, two texts (by UTF-16 units) or two booleans (false first).
 * @returns less than, equal to, or more than 0
 * @throws ExpressionError `value` for anything else
 */
export function order(a: Json | undefined, b: Json | undefined): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  throw misfit(`there is no order between ${describe(a)} and ${describe(b)}`);
}

/** The field of that name, or undefined. Inherited properties are no fields. */
export function fieldOf(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The value at a path such as `price.economy` or `legs.0.from`, or undefined if there is none. */
export function valueAt(value: Json, path: string): Json | undefined {
  let current: Json | undefined = value;
  for (const part of path.split(".")) {
    if (Array.isArray(current)) current = /^\d+$/.test(part) ? current[Number(part)] : undefined;
    else current = fieldOf(current, part);
    if (current === undefined) return undefined;
  }
  return current;
}

/** The value at a path. @throws ExpressionError `value` if there is none */
export function requiredAt(value: Json, path: string): Json {
  const found = valueAt(value, path);
  if (found !== undefined) return found;
  throw misfit(`there is no ${path} in ${describe(value)}`);
}

/** Checks the length of a list that is about to be built. */
export function checkListLength(length: number): void {
  if (length <= MOST_ELEMENTS) return;
  throw new ExpressionError("limit", `a list of ${length} is longer than the ${MOST_ELEMENTS} allowed`);
}

/** Checks the length of a text that is about to be built. */
export function checkTextLength(length: number): void {
  if (length <= MOST_TEXT) return;
  throw new ExpressionError("limit", `a text of ${length} characters is longer than the ${MOST_TEXT} allowed`);
}

/**
 * Makes sure that a result is JSON and of bounded size. Values that are shared many times count each time, because they
 * do so when they are written down.
 */
export function checkResult(value: unknown): Json {
  let left = MOST_RESULT;
  const visit = (part: unknown): void => {
    if (--left < 0) {
      throw new ExpressionError("limit", `the result has more than the ${MOST_RESULT} values allowed`);
    }
    if (typeof part === "string" || typeof part === "boolean" || part === null) return;
    if (typeof part === "number" && Number.isFinite(part)) return;
    if (Array.isArray(part)) part.forEach(visit);
    else if (isJsonObject(part)) Object.values(part).forEach(visit);
    else throw misfit(`the result holds a value that JSON has not got (${typeof part})`);
  };
  visit(value);
  return value as Json;
}

/**
 * A value as text: texts as they are, numbers and booleans in JSON's form, lists and objects as JSON.
 */
export function textOf(value: Json, charge: Charge): string {
  if (typeof value === "string") return value;
  if (typeof value === "object" && value !== null) {
    countValues(value, charge);
    const text = JSON.stringify(value);
    checkTextLength(text.length);
    return text;
  }
  return String(value);
}

function countValues(value: Json, charge: Charge): void {
  charge(1);
  if (Array.isArray(value)) for (const item of value) countValues(item, charge);
  else if (isJsonObject(value)) for (const item of Object.values(value)) countValues(item, charge);
}
