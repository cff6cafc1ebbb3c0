import type { Span } from "./negation.ts";

/** A date in a text, with the time of day that stands beside it. */
export interface DateMention extends Span {
  /** `YYYY-MM-DD`, or `--MM-DD` where the text gives no year. */
  readonly date: string;
}

/** A time of day in a text, in minutes. */
export interface TimeMention extends Span {
  readonly minutes: number;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH =
  "(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const DAY = "(?<day>\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "(?<year>\\d{4})";

const FORMS = [
  /(?<![\w-])(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?!\d)/g,
  new RegExp(`(?<!\\w)${DAY}(?: of)? ${MONTH}(?:,? ${YEAR})?(?!\\w)`, "gi"),
  new RegExp(`(?<!\\w)${MONTH} ${DAY}(?:,? ${YEAR})?(?!\\w)`, "gi"),
  /(?<![\w.])(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})(?!\w)/g,
];
const SLASHED = /(?<![\w/])(?<first>\d{1,2})\/(?<second>\d{1,2})\/(?<year>\d{4})(?![\w/])/g;
const TIME = /(?<![\w:.])(?<hour>\d{1,2}):(?<minute>\d{2})(?::\d{2})?(?: ?(?<half>[ap])\.?m\b\.?)?/gi;

/**
 * Dates in a text: 2026-07-04, 4 July 2026, July 4th, 2026, 04.07.2026; 7/4/2026 only where day and month cannot be mistaken for
 * each other.
 */
export function findDates(text: string): DateMention[] {
  const found = FORMS.flatMap((form) =>
    [...text.matchAll(form)].flatMap((match) => dateOf(match, match.groups?.month ?? "", match.groups?.day ?? "")),
  );
  const slashed = [...text.matchAll(SLASHED)].flatMap((match) => {
    const [first, second] = [match.groups?.first ?? "", match.groups?.second ?? ""];
    if (Number(first) > 12) return dateOf(match, second, first);
    return Number(second) > 12 || Number(first) === Number(second) ? dateOf(match, first, second) : [];
  });
  return [...found, ...slashed].sort((a, b) => a.start - b.start);
}

function dateOf(match: RegExpExecArray, month: string, day: string): DateMention[] {
  const number = /^\d+$/.test(month) ? Number(month) : MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  if (number < 1 || number > 12 || Number(day) < 1 || Number(day) > 31) return [];
  const two = (value: number) => String(value).padStart(2, "0");
  const date = `${match.groups?.year ?? "-"}-${two(number)}-${two(Number(day))}`;
  return [{ start: match.index, end: match.index + match[0].length, date }];
}

/** Times of day in a text: 09:30, 9:30 am, 21:05:30. */
export function findTimes(text: string): TimeMention[] {
  return [...text.matchAll(TIME)].flatMap((match) => {
    const { hour = "", minute = "", half } = match.groups ?? {};
    const late = half?.toLowerCase() === "p" ? 12 : 0;
    const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + late;
    if (hours > 23 || Number(minute) > 59) return [];
    return [{ start: match.index, end: match.index + match[0].length, minutes: hours * 60 + Number(minute) }];
  });
}
