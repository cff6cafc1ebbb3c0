import Papa from "papaparse";
import { RE2JS } from "re2js";
import { errorMessage } from "../../base/errors.ts";
import { isJsonObject, type Json, tryParseJson } from "../../base/json.ts";
import { define, type FunctionTable } from "./function.ts";
import {
  asList,
  asNumber,
  asText,
  asWhole,
  type Charge,
  checkListLength,
  checkTextLength,
  describe,
  equal,
  finite,
  misfit,
  textOf,
} from "./values.ts";

/** Number of values in a list, of fields in an object, or of characters (code points) in a text. */
function size(value: Json | undefined): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value === "string") return [...value].length;
  if (isJsonObject(value)) return Object.keys(value).length;
  throw misfit(`size needs a list, a text or an object, got ${describe(value)}`);
}

function contains(args: readonly Json[], charge: Charge): boolean {
  const [whole, part] = args;
  if (Array.isArray(whole)) return whole.some((item: Json) => equal(item, part, charge));
  return asText(whole, "contains").includes(asText(part, "contains"));
}

function replace(args: readonly Json[]): string {
  const [text, old, by] = [asText(args[0], "replace"), asText(args[1], "replace"), asText(args[2], "replace")];
  if (old === "") throw misfit("replace needs a text to look for, got the empty text");
  const pieces = text.split(old);
  checkTextLength(text.length + (pieces.length - 1) * (by.length - old.length));
  return pieces.join(by);
}

function join(args: readonly Json[], charge: Charge): string {
  const separator = asText(args[1] ?? "", "join");
  const parts = asList(args[0], "join").map((item) => textOf(item, charge));
  checkTextLength(parts.reduce((sum, part) => sum + part.length + separator.length, 0));
  return parts.join(separator);
}

const patterns = new Map<string, RE2JS>();

/** RE2 works in time linear in the text, whatever the pattern. */
function compiled(pattern: string): RE2JS {
  let found = patterns.get(pattern);
  if (found === undefined) {
    try {
      found = RE2JS.compile(pattern);
    } catch (thrown) {
      throw misfit(`"${pattern}" is no pattern of RE2: ${errorMessage(thrown)}`);
    }
    if (patterns.size > 500) patterns.clear();
    patterns.set(pattern, found);
  }
  return found;
}

/** All matches: the first group where the pattern has one, else the whole match. */
function matchesOf(args: readonly Json[], what: string, most: number, charge: Charge): string[] {
  const text = asText(args[0], what);
  const pattern = compiled(asText(args[1], what));
  charge(text.length / 10);
  const matcher = pattern.matcher(text);
  const group = matcher.groupCount() > 0 ? 1 : 0;
  const found: string[] = [];
  while (found.length < most && matcher.find()) {
    charge(1);
    found.push(matcher.group(group) ?? "");
  }
  return found;
}

/** Rounds half away from zero at a decimal place, as people do: 1.005 to two places is 1.01. */
function round(args: readonly Json[]): number {
  const number = asNumber(args[0], "round");
  const digits = asWhole(args[1] ?? 0, "round");
  if (Math.abs(digits) > 15) throw misfit(`round takes at most 15 digits, got ${digits}`);
  const [mantissa = "0", exponent = "0"] = Math.abs(number).toString().split("e");
  const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + digits}`));
  const [back = "0", backExponent = "0"] = shifted.toString().split("e");
  const rounded = Number(`${back}e${Number(backExponent) - digits}`);
  return number < 0 && rounded !== 0 ? -rounded : rounded;
}

function toNumber(value: Json | undefined): number {
  if (typeof value === "number") return value;
  const text = asText(value, "number").trim();
  const number = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(number)) return number;
  throw misfit(`${describe(value)} is not a number`);
}

function parseJson(args: readonly Json[]): Json {
  const value = tryParseJson(asText(args[0], "parseJson"));
  if (value === undefined) throw misfit(`${describe(args[0])} is not JSON`);
  return value;
}

function parseCsv(args: readonly Json[], charge: Charge): Json {
  const text = asText(args[0], "parseCsv");
  charge(text.length / 10);
  const { data, errors, meta } = Papa.parse<Record<string, string>>(text.trim(), {
    header: true,
    skipEmptyLines: true,
    delimitersToGuess: [",", ";", "\t", "|"],
  });
  const wrong = errors.find((error) => error.type !== "Delimiter");
  if (wrong !== undefined) throw misfit(`the text is no CSV table: ${wrong.message}`);
  checkListLength(data.length);
  const fields = meta.fields ?? [];
  return data.map((row) => Object.fromEntries(fields.map((field) => [field, row[field] ?? ""])));
}

function split(args: readonly Json[]): Json {
  const pieces = asText(args[0], "split").split(asText(args[1], "split"));
  checkListLength(pieces.length);
  return pieces;
}

function substring(args: readonly Json[]): string {
  const characters = [...asText(args[0], "substring")];
  const start = asWhole(args[1], "substring");
  const end = asWhole(args[2] ?? characters.length, "substring");
  if (start < 0 || end < start || end > characters.length) {
    throw misfit(`substring(${start}, ${end}) is outside of a text of ${characters.length} characters`);
  }
  return characters.slice(start, end).join("");
}

/** A text function of one text argument. */
const onText = (name: string, change: (text: string) => Json) =>
  define("text", (args) => change(asText(args[0], name)));

/** A number function of one number argument. */
const onNumber = (name: string, change: (number: number) => number) =>
  define("number", (args) => change(asNumber(args[0], name)));

/** Functions on texts and numbers. */
export const textFunctions: FunctionTable = {
  size: define("value", (args) => size(args[0])),
  contains: define("whole, part", (args, { charge }) => contains(args, charge)),
  startsWith: define("text, start", (args) => asText(args[0], "startsWith").startsWith(asText(args[1], "startsWith"))),
  endsWith: define("text, end", (args) => asText(args[0], "endsWith").endsWith(asText(args[1], "endsWith"))),
  indexOf: define("text, part", (args) => asText(args[0], "indexOf").indexOf(asText(args[1], "indexOf"))),
  substring: define("text, start, end?", substring),
  lower: onText("lower", (text) => text.toLowerCase()),
  upper: onText("upper", (text) => text.toUpperCase()),
  trim: onText("trim", (text) => text.trim()),
  lines: onText("lines", (text) => split([text.replace(/\r?\n$/, "").replaceAll("\r\n", "\n"), "\n"])),
  replace: define("text, old, new", replace),
  split: define("text, separator", split),
  join: define("list, separator?", (args, { charge }) => join(args, charge)),
  matches: define("text, pattern", (args, { charge }) => matchesOf(args, "matches", 1, charge).length > 0),
  find: define("text, pattern", (args, { charge }) => matchesOf(args, "find", 1, charge)[0] ?? null),
  findAll: define("text, pattern", (args, { charge }) => matchesOf(args, "findAll", 100_000, charge)),
  text: define("value", (args, { charge }) => textOf(args[0] ?? null, charge)),
  fixed: define("number, digits", (args) => {
    const digits = asWhole(args[1], "fixed");
    if (digits < 0 || digits > 15) throw misfit(`fixed takes 0 to 15 digits, got ${digits}`);
    return round([args[0] ?? null, digits]).toFixed(digits);
  }),
  number: define("value", (args) => toNumber(args[0])),
  int: define("value", (args) => Math.trunc(toNumber(args[0])) + 0),
  round: define("number, digits?", (args) => finite(round(args), "round")),
  floor: onNumber("floor", (number) => Math.floor(number) + 0),
  ceil: onNumber("ceil", (number) => Math.ceil(number) + 0),
  abs: onNumber("abs", Math.abs),
  parseJson: define("text", parseJson),
  parseCsv: define("text", (args, { charge }) => parseCsv(args, charge)),
};
