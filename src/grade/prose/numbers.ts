import { findDates, findTimes } from "./dates.ts";
import type { Span } from "./negation.ts";

/** A number in a text. */
export interface NumberMention extends Span {
  /** What it may stand for: `25 %` is 25 and 0.25, `3 thousand` is 3000. */
  readonly values: readonly number[];
  /** True for words that often mean no number: one, no, none. */
  readonly weak: boolean;
}

const WORDS = [
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen",
  "nineteen twenty",
]
  .join(" ")
  .split(" ");
const TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const WEAK_ZERO = ["no", "none", "nothing", "nobody"];

const UNITS = "kg|g|mg|km|m|cm|mm|l|ml|h|hrs?|hours?|min|s|ms|x|pcs|eur|usd|gbp|c|f|k";
const NUMBER = new RegExp(
  "(?<![\\w.,])(?<sign>(?<![\\w)])[+-])?(?:[$€£¥] ?)?" +
    "(?<digits>\\d{1,3}(?:[,.'\\u00a0\\u202f]\\d{3})+(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)?)(?:e(?<power>[+-]?\\d+))?" +
    `(?: ?(?<scale>%|percent|per cent|thousand|million|billion)(?!\\w)|(?: ?°)?(?:${UNITS})(?!\\w)|(?![\\w]|[.,]\\d))`,
  "gi",
);
const WORD = new RegExp(
  `(?<![\\w-])(?:(?<ten>${TENS.join("|")})(?:[ -](?<one>${WORDS.slice(1, 10).join("|")}))?|(?<word>${[...WORDS, ...WEAK_ZERO].join("|")}))(?![\\w-])`,
  "gi",
);

const SCALES: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9 };

/** What holds digits and is no number: addresses, ids, versions, ordinals, the number of a list's line. */
const NOT_NUMBERS = [
  /\bhttps?:\/\/\S+/g,
  /\b\w*(?:[a-z]_|_[a-z])\w*\b/gi,
  /\b(?=\w*[a-z]{2})(?=\w*\d\w*[a-z])(?=[a-z])\w+\b/gi,
  /\b\d+(?:st|nd|rd|th)\b/gi,
  /\bv?\d+(?:\.\d+){2,}\b/g,
  /^ *\d{1,3}[.)] /gm,
];

/** Numbers in a text, as digits or in words, without those that are parts of dates, times, ids, addresses and versions. */
export function findNumbers(text: string): NumberMention[] {
  const masked = mask(text);
  return [...digitNumbers(masked), ...wordNumbers(masked)].sort((a, b) => a.start - b.start);
}

function mask(text: string): string {
  let masked = text;
  const hide = ({ start, end }: Span) => {
    masked = masked.slice(0, start) + "\u0001".repeat(end - start) + masked.slice(end);
  };
  for (const span of [...findDates(text), ...findTimes(text)]) hide(span);
  for (const pattern of NOT_NUMBERS) {
    for (const match of text.matchAll(pattern)) hide({ start: match.index, end: match.index + match[0].length });
  }
  return masked;
}

function digitNumbers(text: string): NumberMention[] {
  return [...text.matchAll(NUMBER)].flatMap((match) => {
    const { sign, digits = "", power, scale } = match.groups ?? {};
    const size = readDigits(digits) * 10 ** Number(power ?? 0);
    const value = sign === "-" ? -size : size;
    const word = scale?.toLowerCase() ?? "";
    const values = word === "%" || word.startsWith("per") ? [value, value / 100] : [value * (SCALES[word] ?? 1)];
    return [{ start: match.index, end: match.index + match[0].length, values, weak: false }];
  });
}

/**
 * The number that digits stand for. With both separators the last one is the decimal point. A single comma before three digits
 * separates thousands, else it is a decimal comma; a single point is always a decimal point.
 */
function readDigits(digits: string): number {
  const plain = digits.replace(/['\u00a0\u202f]/g, "");
  const [comma, point] = [plain.lastIndexOf(","), plain.lastIndexOf(".")];
  if (comma >= 0 && point >= 0) {
    return Number(comma > point ? plain.replaceAll(".", "").replace(",", ".") : plain.replaceAll(",", ""));
  }
  if (comma >= 0) {
    const groups = plain.split(",");
    return Number(
      groups.slice(1).every((group) => group.length === 3) ? plain.replaceAll(",", "") : plain.replace(",", "."),
    );
  }
  return Number(plain.split(".").length > 2 ? plain.replaceAll(".", "") : plain);
}

function wordNumbers(text: string): NumberMention[] {
  return [...text.matchAll(WORD)].map((match) => {
    const { ten, one, word = "" } = match.groups ?? {};
    const lower = word.toLowerCase();
    const value =
      ten === undefined
        ? Math.max(0, WORDS.indexOf(lower))
        : (TENS.indexOf(ten.toLowerCase()) + 2) * 10 + Math.max(0, WORDS.indexOf(one?.toLowerCase() ?? ""));
    const weak = ten === undefined && (lower === "one" || WEAK_ZERO.includes(lower));
    return { start: match.index, end: match.index + match[0].length, values: [value], weak };
  });
}
