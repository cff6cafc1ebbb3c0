import { isJsonObject, type Json, type JsonObject, tryParseJson } from "../../base/json.ts";
import { stripThinking } from "../../model/thinking.ts";

/** What a judge said: a score and why, or why no score can be read. */
export type ParsedScore =
  | { readonly score: number; readonly reason: string }
  | { readonly kind: "empty" | "no-score" | "bad-score" | "refusal"; readonly fault: string };

/**
 * Reads a Likert score out of a judge's answer. The whole answer as JSON counts first, or as nothing but a score ("4", "4/5",
 * "**four**"). Else a verdict is looked for, thoughts and quotations left aside:
 *
 * - an object with a key `score`, in any case of letters, in a fenced block or in prose; or a labelled score ("Score: 4/5",
 *   "Rating: four"). Of several the **last** counts, since judges draft and reconsider; if it is no integer from 1 to 5, there is
 *   no score, whatever stood before it.
 * - without those, a share of five or a score in a sentence ("4/5", "four out of five", "a score of 4"), if all that are there agree.
 *
 * A number with neither a label nor a five is no score, and no word such as "excellent" is. Values are never rounded or rescaled.
 */
export function parseScore(answer: string): ParsedScore {
  const text = stripThinking(answer.replace(/^\uFEFF/, "")).trim();
  if (text === "") return { kind: "empty", fault: answer.trim() === "" ? "it is empty" : "it holds thoughts alone" };
  const whole = tryParseJson(text);
  if (whole !== undefined) return fromJson(whole);
  const bare = BARE.exec(text)?.groups;
  if (bare !== undefined) return read(bare.value ?? "", bare.scale, text);
  const candidates = candidatesOf(text);
  const last = candidates.at(-1);
  if (last !== undefined) {
    const { parsed } = last;
    return "score" in parsed && parsed.reason === "" ? { ...parsed, reason: text } : parsed;
  }
  if (REFUSAL.test(text)) return { kind: "refusal", fault: "it refuses to judge" };
  return { kind: "no-score", fault: "it holds no score" };
}

/** Objects with a score and labelled scores of a text, in order. Also finds those that somebody planted in what a judge is shown. */
export function statedVerdicts(text: string): Candidate[] {
  const { objects, prose } = split(text);
  return [
    ...objects.flatMap(({ at, length, value }) =>
      scoreKeys(value).length === 0 ? [] : [{ at, text: text.slice(at, at + length), parsed: fromJson(value) }],
    ),
    ...[...prose.matchAll(LABELLED)].map((match) => candidateOf(match, prose)),
  ].sort((a, b) => a.at - b.at);
}

function candidatesOf(text: string): Candidate[] {
  const stated = statedVerdicts(text);
  if (stated.length > 0) return stated;
  const { prose } = split(text);
  const mentions = [...prose.matchAll(OF_FIVE), ...prose.matchAll(IN_A_SENTENCE)].map((match) =>
    candidateOf(match, prose),
  );
  const distinct = new Set(mentions.map(({ parsed }) => ("score" in parsed ? parsed.score : null)));
  if (distinct.size <= 1) return mentions;
  const fault = "it names several scores and says of none that it is the verdict";
  return [{ at: 0, text, parsed: { kind: "no-score", fault } }];
}

/** A text's JSON objects, and the text without them and without quotations; places stay the same. */
function split(text: string): { readonly objects: readonly FoundObject[]; readonly prose: string } {
  const objects = objectsOf(text);
  return { objects, prose: withoutQuotations(objects.reduce((rest, { at, length }) => blank(rest, at, length), text)) };
}

/** A verdict and where it stands. */
export interface Candidate {
  readonly at: number;
  /** How it is written. */
  readonly text: string;
  readonly parsed: ParsedScore;
}

const WORDS = ["one", "two", "three", "four", "five"];
const SCALE_OF = 5;
const VALUE = String.raw`(?<value>-?\d+(?:\.\d+)?|${WORDS.join("|")})\b`;
const SCALE = String.raw`(?:\s*(?:\/|out of)\s*(?<scale>\d+|five|ten))?`;
/** Marks of emphasis that may stand around a value. */
const MARKS = "[*_`#]*";
const BARE = new RegExp(String.raw`^${MARKS}\s*${VALUE}${SCALE}\s*${MARKS}\.?$`, "i");
const LABEL = String.raw`\b(?:score|rating|verdict|grade)${MARKS}(?:\s*\(?(?:1\s*(?:-|–|to)\s*5|out of 5)\)?)?${MARKS}`;
const LABELLED = new RegExp(String.raw`${LABEL}\s*(?:is\b|:|=|–|-|→|\||\n)\s*${MARKS}\s*${VALUE}${SCALE}`, "gi");
const IN_A_SENTENCE = new RegExp(String.raw`${LABEL}\s*(?:of\s+)?${MARKS}${VALUE}${SCALE}`, "gi");
/** A share of other things ("3/5 of the steps") is none. */
const OF_FIVE = new RegExp(
  String.raw`(?<![\w./])${VALUE}\s*(?<scale>(?:\/|out of)\s*(?:5|five))\b(?=\s*(?:$|[,;:!?)\]*_]|\.(?!\d)|(?:stars?|points?|because|since|as|for|overall)\b))`,
  "gim",
);
/** "3-4", "3 or 4": no verdict. */
const RANGE = /^\s*(?:-|–|to|or|and)\s*\d/;
const REFUSAL =
  /^\W*(?:i(?:'|’)?m sorry|i am sorry|sorry|i can(?:'|’)?t|i cannot|i(?:'|’)?m unable|i am unable|i won(?:'|’)?t)\b/i;

function candidateOf(match: RegExpMatchArray, prose: string): Candidate {
  const { value = "", scale } = match.groups ?? {};
  const { index: at = 0, 0: text } = match;
  if (RANGE.test(prose.slice(at + text.length)))
    return { at, text, parsed: { kind: "bad-score", fault: "its score is a range" } };
  return { at, text, parsed: read(value, scale?.replace(/^(?:\/|out of)\s*/i, ""), "") };
}

function read(value: string, scale: string | undefined, reason: string): ParsedScore {
  const of = scale === undefined ? SCALE_OF : numberOf(scale);
  if (of !== SCALE_OF)
    return { kind: "bad-score", fault: `its score ${value}/${scale} is on another scale than 1 to 5` };
  return checked(numberOf(value), value, reason);
}

function numberOf(text: string): number {
  const word = WORDS.indexOf(text.toLowerCase());
  return word >= 0 ? word + 1 : Number(text);
}

function checked(score: number, written: string, reason: string): ParsedScore {
  if (Number.isInteger(score) && score >= 1 && score <= 5) return { score, reason };
  return { kind: "bad-score", fault: `its score ${written} is no whole number from 1 to 5` };
}

function scoreKeys(object: JsonObject): string[] {
  return Object.keys(object).filter((key) => key.toLowerCase() === "score");
}

const REASONS = ["reason", "reasons", "reasoning", "rationale", "explanation"];

function fromJson(value: Json): ParsedScore {
  if (typeof value === "number") return checked(value, String(value), "");
  if (typeof value === "string") return parseScore(value);
  if (!isJsonObject(value)) return { kind: "no-score", fault: "it is JSON without a score" };
  const scores = scoreKeys(value).map((key) => value[key]);
  const [score] = scores;
  if (score === undefined) return { kind: "no-score", fault: "it is JSON without a score" };
  if (scores.length > 1) return { kind: "bad-score", fault: "it holds more than one score" };
  const key = Object.keys(value).find((name) => REASONS.includes(name.toLowerCase()));
  const given = key === undefined ? "" : value[key];
  const reason = typeof given === "string" ? given : JSON.stringify(given);
  if (typeof score === "number") return checked(score, String(score), reason);
  const written = typeof score === "string" ? BARE.exec(score.trim())?.groups : undefined;
  if (written !== undefined) return read(written.value ?? "", written.scale, reason);
  return { kind: "bad-score", fault: `its score is ${JSON.stringify(score)}` };
}

interface FoundObject {
  readonly at: number;
  readonly length: number;
  readonly value: JsonObject;
}

/** Braces that open no JSON before the rest of a text is taken to hold none. */
const MOST_TRIES = 100;

/** Outermost JSON objects in a text. */
function objectsOf(text: string): FoundObject[] {
  const found: FoundObject[] = [];
  let tries = 0;
  for (let at = text.indexOf("{"); at >= 0 && tries < MOST_TRIES; at = text.indexOf("{", at)) {
    const end = endOfObject(text, at);
    const value = end === null ? undefined : tryParseJson(text.slice(at, end));
    if (end !== null && isJsonObject(value)) {
      found.push({ at, length: end - at, value });
      at = end;
    } else {
      tries += 1;
      at += 1;
    }
  }
  return found;
}

/** Where the braces that open at `from` are closed, braces in strings left aside; null if nowhere. */
function endOfObject(text: string, from: number): number | null {
  let depth = 0;
  for (const { 0: token, index } of text.slice(from).matchAll(/"(?:[^"\\\n]|\\.)*"|[{}]/g)) {
    if (token === "{") depth += 1;
    else if (token === "}") depth -= 1;
    if (depth === 0) return from + index + 1;
  }
  return null;
}

const QUOTATION = /^[ \t]*>.*$|"[^"\n]*"|“[^”]*”|«[^»]*»|`[^`\n]*`|(?<!\w)'[^'\n]*'(?!\w)/gm;
/** A value alone in quotation marks is emphasis: `Score: "4"`. */
const EMPHASIS = new RegExp(`^.${VALUE}${SCALE}.$`, "i");

function withoutQuotations(text: string): string {
  return text.replace(QUOTATION, (quoted) =>
    EMPHASIS.test(quoted) ? ` ${quoted.slice(1, -1)} ` : " ".repeat(quoted.length),
  );
}

function blank(text: string, at: number, length: number): string {
  return text.slice(0, at) + " ".repeat(length) + text.slice(at + length);
}
