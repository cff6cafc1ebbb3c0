import { parseTree } from "jsonc-parser";
import { getUnsafeNumberReason, parse, UnsafeNumberReason } from "lossless-json";
import { canonicalJson } from "../../base/canonical-json.ts";
import { errorMessage } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { QuirkKind } from "../../record/trajectory.ts";

/** A call's arguments as they can be used, or why they cannot. */
export interface ReadArguments {
  /** Null if the call cannot be made. */
  readonly args: JsonObject | null;
  /** What the model is told if `args` is null. */
  readonly problem: string | null;
  /** How they differ from a JSON object in a text. */
  readonly quirk: { readonly kind: QuirkKind; readonly detail: string } | null;
}

/**
 * Reads the arguments of a call as an endpoint gave them. Nothing, white space and `null` stand for `{}`; equal copies of one
 * object, or one behind a placeholder `{}`, for that object. Anything else that is no JSON object is the model's mistake and
 * is not mended: two different objects would be a guess, and mended JSON would change what a model scores.
 *
 * @param lenient whether an object that was written as JSON twice over is read
 */
export function readArguments(given: unknown, lenient: boolean): ReadArguments {
  if (isJsonObject(given)) return mended(given, "repaired-arguments", "an object instead of JSON text");
  if (given === undefined || given === null) return mended({}, "empty-arguments", "none given");
  if (typeof given !== "string") return invalid(`${JSON.stringify(given)} is no JSON object`);
  const text = given.trim();
  if (text === "" || text === "null") return mended({}, "empty-arguments", JSON.stringify(given));
  const parsed = parseExact(text);
  if ("error" in parsed) return readCopies(text) ?? invalid(parsed.error);
  if (isJsonObject(parsed.value)) return { args: parsed.value, problem: null, quirk: null };
  const inner = lenient && typeof parsed.value === "string" ? parseExact(parsed.value) : null;
  if (inner !== null && "value" in inner && isJsonObject(inner.value)) {
    return mended(inner.value, "coerced-arguments", `written as JSON text twice over: ${text}`);
  }
  return invalid("they must be a JSON object");
}

function mended(args: JsonObject, kind: QuirkKind, detail: string): ReadArguments {
  return { args, problem: null, quirk: { kind, detail } };
}

function invalid(why: string): ReadArguments {
  return {
    args: null,
    problem: `The arguments cannot be used: ${why}. Send the call again with one JSON object.`,
    quirk: { kind: "invalid-arguments", detail: why },
  };
}

/**
 * Parses JSON whose numbers can be passed on as they are written: a number that would lose digits on its way to the server
 * (an id of 19 digits, 1e400) is refused rather than changed.
 */
function parseExact(text: string): { readonly value: Json } | { readonly error: string } {
  try {
    parse(text, null, exactNumber);
    return { value: JSON.parse(text) as Json };
  } catch (thrown) {
    return { error: errorMessage(thrown) };
  }
}

function exactNumber(text: string): number {
  const reason = getUnsafeNumberReason(text);
  if (reason === UnsafeNumberReason.truncate_integer || reason === UnsafeNumberReason.overflow) {
    throw new RangeError(`the number ${text} cannot be passed on exactly; if the tool takes text, send it as text`);
  }
  return Number(text);
}

/** Several JSON objects one after the other that say the same; null if the text is anything else. */
function readCopies(text: string): ReadArguments | null {
  const objects: JsonObject[] = [];
  for (let rest = text; rest !== ""; ) {
    const length = parseTree(rest, [], { allowTrailingComma: false, disallowComments: true })?.length ?? 0;
    const parsed = parseExact(rest.slice(0, length));
    if (length === 0 || "error" in parsed || !isJsonObject(parsed.value)) return null;
    objects.push(parsed.value);
    rest = rest.slice(length).trim();
  }
  const distinct = new Map(objects.map((object) => [canonicalJson(object), object]));
  if (distinct.size > 1) distinct.delete("{}");
  const [only] = distinct.values();
  if (only === undefined) return null;
  if (distinct.size > 1) return invalid(`they hold ${distinct.size} different objects`);
  return mended(only, "repaired-arguments", `${objects.length} objects that say the same: ${text}`);
}
