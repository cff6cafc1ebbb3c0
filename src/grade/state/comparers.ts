import Papa from "papaparse";
import { canonicalJson } from "../../base/canonical-json.ts";
import { isJsonObject, type Json, tryParseJson } from "../../base/json.ts";
import type { TextComparer } from "../../suite/schema.ts";
import { type Hash, hashNumber, hashText, mix, TAG } from "./hash.ts";

/** Numbers that differ by no more than this, absolutely or in relation to the larger one, are equal. */
export const TOLERANCE = 1e-9;

/** Deeper JSON inside a text is compared as text. */
const MAX_TEXT_DEPTH = 500;

/** How one leaf is compared. */
export interface LeafRule {
  /** The path and all below it do not count. */
  readonly ignored: boolean;
  /** The array at this path is compared by index. */
  readonly ordered: boolean;
  /** A text that is a number is compared as one. */
  readonly numeric: boolean;
  readonly comparer: TextComparer | null;
}

/** The rule of a path that no pattern names. */
export const PLAIN: LeafRule = { ignored: false, ordered: false, numeric: false, comparer: null };

/** True if two numbers are equal within `tolerance`, absolute or relative. 0 and -0 are equal, NaN equals NaN. */
export function equalNumbers(a: number, b: number, tolerance: number): boolean {
  if (a === b || Object.is(a, b)) return true;
  const gap = Math.abs(a - b);
  return Number.isFinite(gap) && gap <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));
}

/** Unicode NFC. Texts without characters from U+0300 on are in that form already. */
export function nfc(text: string): string {
  return /[\u0300-\uffff]/.test(text) ? text.normalize("NFC") : text;
}

/** A scalar, or an empty container, under a rule. Texts have their minted ids replaced already. */
export function equalScalars(a: Json, b: Json, rule: LeafRule, tolerance: number): boolean {
  if (a === b) return true;
  if (typeof a === "number" && typeof b === "number") return equalNumbers(a, b, tolerance);
  if (rule.numeric) {
    const equal = equalAsNumbers(a, b, tolerance);
    if (equal !== null) return equal;
  }
  if (typeof a !== "string" || typeof b !== "string") return rule.comparer === "any";
  return nfc(a) === nfc(b) || (rule.comparer !== null && equalUnder(rule.comparer, a, b, tolerance));
}

/** The hash of a scalar, equal for scalars that {@link equalScalars} calls equal (up to numbers at a rounding edge). */
export function hashScalar(value: Json, rule: LeafRule): Hash {
  if (rule.comparer === "any") return TAG.satisfied;
  switch (typeof value) {
    case "number":
      return hashNumber(value);
    case "boolean":
      return value ? TAG.true : TAG.false;
    case "string": {
      const form = rule.numeric ? numberForm(value) : null;
      if (form !== null) return hashNumber(Number(form));
      return mix(TAG.text, rule.comparer === null ? hashText(nfc(value)) : hashUnder(rule.comparer, value));
    }
    default:
      return TAG.null;
  }
}

function equalUnder(comparer: TextComparer, a: string, b: string, tolerance: number): boolean {
  if (comparer === "any") return true;
  if (comparer === "json") {
    const left = parseJsonText(a);
    const right = parseJsonText(b);
    return left !== undefined && right !== undefined && equalJson(left, right, tolerance);
  }
  if (comparer === "csv") {
    const left = parseCsvText(a);
    const right = parseCsvText(b);
    return left !== null && right !== null && equalRows(left, right, tolerance);
  }
  return containsAll(a, comparer.contains) && containsAll(b, comparer.contains);
}

function hashUnder(comparer: Exclude<TextComparer, "any">, text: string): Hash {
  if (comparer === "json") {
    const value = parseJsonText(text);
    return hashText(value === undefined ? nfc(text) : canonicalJson(value));
  }
  if (comparer === "csv") {
    const rows = parseCsvText(text);
    return hashText(rows === null ? nfc(text) : JSON.stringify(rows.map((row) => row.map(cellForm))));
  }
  return containsAll(text, comparer.contains) ? TAG.satisfied : hashText(nfc(text));
}

/** The text of a number in digits, or null if `text` is no plain decimal number. */
function numberForm(text: string): string | null {
  const trimmed = text.trim();
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(trimmed) ? trimmed : null;
}

/** Compares as numbers where both are numbers or texts of numbers; null where one is not. Whole numbers are exact. */
function equalAsNumbers(a: Json, b: Json, tolerance: number): boolean | null {
  const left = typeof a === "number" ? String(a) : typeof a === "string" ? numberForm(a) : null;
  const right = typeof b === "number" ? String(b) : typeof b === "string" ? numberForm(b) : null;
  if (left === null || right === null) return null;
  const whole = /^[+-]?\d+$/;
  if (whole.test(left) && whole.test(right)) return BigInt(left.replace("+", "")) === BigInt(right.replace("+", ""));
  return equalNumbers(Number(left), Number(right), tolerance);
}

/** A text as JSON, or undefined if it is none or nests too deeply. */
function parseJsonText(text: string): Json | undefined {
  let depth = 0;
  for (const char of text) {
    if (char === "[" || char === "{") depth++;
    else if (char === "]" || char === "}") depth--;
    if (depth > MAX_TEXT_DEPTH) return undefined;
  }
  return tryParseJson(text.replace(/^\uFEFF/, ""));
}

/** Equality of JSON values inside a text: order of keys is free, order of elements is not. */
function equalJson(a: Json, b: Json, tolerance: number): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => equalJson(item, b[i] as Json, tolerance));
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key] as Json, b[key] as Json, tolerance))
    );
  }
  if (typeof a === "object" || typeof b === "object") return a === b;
  return equalScalars(a, b, PLAIN, tolerance);
}

/** Rows of cells, blank lines left out; null if the quotes are broken. */
function parseCsvText(text: string): string[][] | null {
  const parsed = Papa.parse<string[]>(text.replace(/^\uFEFF/, ""), { delimiter: ",", skipEmptyLines: true });
  return parsed.errors.some((error) => error.type === "Quotes") ? null : parsed.data;
}

function equalRows(a: string[][], b: string[][], tolerance: number): boolean {
  const equalCells = (left: string, right: string) =>
    nfc(left.trim()) === nfc(right.trim()) || equalAsNumbers(left, right, tolerance) === true;
  return (
    a.length === b.length &&
    a.every((row, r) => row.length === b[r]?.length && row.every((cell, c) => equalCells(cell, b[r]?.[c] ?? "")))
  );
}

function cellForm(cell: string): string | number {
  const form = numberForm(cell);
  return form === null ? nfc(cell.trim()) : hashNumber(Number(form));
}

/**
 * True if `text` contains every fact. A fact that is a number is contained if some number of the text has its value
 * (`1,250.0` for `1250`). Any other fact is looked for without regard to case and kinds of white space, and not as a part
 * of a longer word or number.
 */
export function containsAll(text: string, facts: string | readonly string[]): boolean {
  const plain = foldForSearch(text);
  return (typeof facts === "string" ? [facts] : facts).every((fact) => containsFact(plain, foldForSearch(fact)));
}

function foldForSearch(text: string): string {
  return nfc(text).toLowerCase().replace(/\s+/g, " ").trim();
}

function containsFact(text: string, fact: string): boolean {
  const form = numberForm(fact);
  if (form !== null) {
    const numbers = text.match(/(?<![\w.])[+-]?\d+(?:,\d{3})*(?:\.\d+)?(?![\w]|\.\d)/g) ?? [];
    return numbers.some((number) => equalAsNumbers(number.replaceAll(",", ""), form, TOLERANCE) === true);
  }
  for (let at = text.indexOf(fact); at >= 0; at = text.indexOf(fact, at + 1)) {
    if (!joins(text[at - 1], fact[0]) && !joins(fact.at(-1), text[at + fact.length])) return true;
  }
  return false;
}

/** True if two neighbouring characters belong to one word. Scripts that write no spaces have no words to cut. */
function joins(a: string | undefined, b: string | undefined): boolean {
  const inWord = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;
  return a !== undefined && b !== undefined && inWord.test(a) && inWord.test(b);
}

/** Why two different texts look alike, or undefined if they do not. */
export function lookAlikeHint(a: Json | undefined, b: Json | undefined): string | undefined {
  if (typeof a !== "string" || typeof b !== "string" || a === b) return undefined;
  const spaces = (text: string) => text.replace(/\s+/g, " ").trim();
  if (spaces(a) === spaces(b)) return "differs only by white space";
  const look = (text: string) =>
    spaces(
      text
        .normalize("NFC")
        .replace(/[\u2018\u2019\u02bc]/g, "'")
        .replace(/[\u201c\u201d]/g, '"')
        .replace(/[\u2010-\u2015\u2212]/g, "-")
        .replace(/\u200b|\u200c|\u200d|\u2060|\ufeff|\ufe0e|\ufe0f/g, ""),
    );
  return look(a) === look(b) ? "differs only by Unicode form" : undefined;
}
