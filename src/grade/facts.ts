import type { Json } from "../base/json.ts";
import type { FactGrade } from "../record/grades.ts";
import type { CompareKind, Fact } from "../suite/fact.ts";
import { answerText } from "./prose/answer-text.ts";
import { findBooleans } from "./prose/booleans.ts";
import { type DateMention, findDates, findTimes, type TimeMention } from "./prose/dates.ts";
import { isRejected, type Span } from "./prose/negation.ts";
import { findNumbers, type NumberMention } from "./prose/numbers.ts";
import { findText, namesIn } from "./prose/words.ts";

/**
 * Tells for each fact whether an answer states it: its value is stated, and none of its foils is.
 *
 * What counts as the answer: its own words. JSON in it is tool output and no statement, unless the whole answer is one JSON value
 * (see {@link answerText}). A value is stated where it stands and the clause does not reject it ({@link isRejected}).
 *
 * - number: digits with sign, thousands separators, decimal point or comma, exponent, currency, unit, per cent (25 % is 25 and 0.25),
 *   or the words for 0 to 99; never a part of a date, a time, an id, a version or a list number. It may differ by `within`, and by a
 *   billionth of its size.
 * - text: the same characters after NFC, in any case, as whole words.
 * - date: the same day in one of the usual forms (without its year if the answer gives none), and if the value has a time, the same
 *   minute in the same line.
 * - boolean: see {@link findBooleans}.
 * - set, list: every element is stated by the rule of its own type; a list in its order.
 *
 * A foil counts only where it does not overlap a place that states the value. An answer with very many different values of one
 * kind lists rather than states: beyond 12, or 8 for each fact of that kind, a value counts only in a line that has the fact's name.
 *
 * Two facts of one kind whose values are swapped are not told apart; give each the other's likely mistake as a foil.
 * @param answer null if the agent gave none: then nothing is stated
 */
export function gradeFacts(answer: string | null, facts: readonly Fact[]): FactGrade[] {
  const prose = readProse(answer === null ? "" : answerText(answer), facts);
  return facts.map((fact) => gradeFact(prose, fact));
}

/** An answer with all that was found in it once. */
interface Prose {
  readonly text: string;
  readonly numbers: readonly NumberMention[];
  readonly dates: readonly DateMention[];
  readonly times: readonly TimeMention[];
  /** Kinds of which the answer has too many values. */
  readonly crowded: ReadonlySet<CompareKind>;
}

const MANY = 12;
const MANY_PER_FACT = 8;

function readProse(text: string, facts: readonly Fact[]): Prose {
  const numbers = findNumbers(text);
  const dates = findDates(text);
  const bound = (kinds: readonly CompareKind[]) =>
    Math.max(MANY, MANY_PER_FACT * facts.filter(({ compare }) => kinds.includes(compare)).length);
  const crowded = new Set<CompareKind>();
  if (new Set(numbers.map(({ values }) => values[0])).size > bound(["number"])) crowded.add("number");
  if (new Set(dates.map(({ date }) => date)).size > bound(["date"])) crowded.add("date");
  return { text, numbers, dates, times: findTimes(text), crowded };
}

function gradeFact(prose: Prose, fact: Fact): FactGrade {
  const { name, value, compare } = fact;
  if (compare === "boolean") return gradeBoolean(prose, fact);
  const elements: readonly Json[] = Array.isArray(value) ? value : [value];
  const places = elements.map((element) => statements(prose, element, fact, false));
  const stated = places.every((spans) => spans.length > 0) && (compare !== "list" || inOrder(places));
  const empty = elements.length === 0 ? findText(prose.text, /\b(?:none|nothing|no|empty|zero|0)\b/gi) : [];
  const isStated = elements.length === 0 ? empty.length > 0 : stated;
  const foils = fact.foils.flatMap((foil): readonly Json[] => (Array.isArray(foil) ? foil : [foil]));
  const own = places.flat();
  const foil = foils
    .filter((candidate) => !elements.includes(candidate))
    .flatMap((candidate) => statements(prose, candidate, fact, true))
    .find((span) => !own.some((place) => place.start < span.end && span.start < place.end));
  const [first] = elements.length === 0 ? empty : own;
  return {
    name,
    value,
    right: isStated && foil === undefined,
    found: isStated && first !== undefined ? prose.text.slice(first.start, first.end) : null,
    foil: foil === undefined ? null : prose.text.slice(foil.start, foil.end),
  };
}

/** Places that state a single value. @param strict leaves out words that may mean something else */
function statements(prose: Prose, value: Json, fact: Fact, strict: boolean): Span[] {
  const kind = kindOf(value, fact.compare);
  const spans = mentions(prose, value, kind, fact.within, strict).filter((span) => !isRejected(prose.text, span));
  return prose.crowded.has(kind) ? spans.filter((span) => namesIn(lineAt(prose.text, span), fact.name)) : spans;
}

function kindOf(value: Json, compare: CompareKind): CompareKind {
  if (compare === "date") return "date";
  return typeof value === "number" ? "number" : "text";
}

const RELATIVE = 1e-9;

function mentions(prose: Prose, value: Json, kind: CompareKind, within: number, strict: boolean): Span[] {
  if (kind === "number" && typeof value === "number") {
    const reach = Math.max(within, RELATIVE * Math.abs(value)) * (1 + RELATIVE);
    return prose.numbers.filter(
      ({ values, weak }) => !(strict && weak) && values.some((found) => Math.abs(found - value) <= reach),
    );
  }
  if (kind === "date") return dateMentions(prose, String(value));
  return findText(prose.text, String(value));
}

function dateMentions(prose: Prose, value: string): Span[] {
  const [, day = "", time] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?/.exec(value) ?? [];
  if (day === "") return findText(prose.text, value);
  const days = prose.dates.filter(({ date }) => date === day || date === `--${day.slice(5)}`);
  if (time === undefined) return days;
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  return days.filter((span) => {
    const line = lineSpan(prose.text, span);
    return prose.times.some((at) => at.minutes === minutes && at.start >= line.start && at.end <= line.end);
  });
}

function gradeBoolean({ text }: Prose, { name, value }: Fact): FactGrade {
  const found = findBooleans(text, name);
  const [first] = found;
  const right = first !== undefined && found.every(({ means }) => means === value);
  const against = found.find(({ means }) => means !== value);
  return { name, value, right, found: right ? first.words : null, foil: against?.words ?? null };
}

/** Whether elements can be met in this order: each has a place after the one before. */
function inOrder(places: readonly (readonly Span[])[]): boolean {
  let after = -1;
  return places.every((spans) => {
    const next = spans.find(({ start }) => start > after);
    after = next?.start ?? Number.POSITIVE_INFINITY;
    return next !== undefined;
  });
}

function lineSpan(text: string, { start, end }: Span): Span {
  const next = text.indexOf("\n", end);
  return { start: text.lastIndexOf("\n", start) + 1, end: next < 0 ? text.length : next };
}

function lineAt(text: string, span: Span): string {
  const line = lineSpan(text, span);
  return text.slice(line.start, line.end);
}
