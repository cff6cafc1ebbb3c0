import { DateTime } from "luxon";
import { z } from "zod";
import { defineApp, refuse, toolsOf } from "../define.ts";

const tool = toolsOf<undefined>();

const SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 } as const;
const SHORT: Readonly<Record<string, keyof typeof SECONDS>> = {
  s: "second",
  sec: "second",
  min: "minute",
  h: "hour",
  hr: "hour",
  d: "day",
  w: "week",
};
const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

const date = (text: string) => z.string().describe(`${text}, as YYYY-MM-DD`);
const timestamp = (text: string) =>
  z.string().describe(`${text}: YYYY-MM-DDTHH:MM:SS, with an optional offset (Z or +02:00); UTC if there is none`);

/** The Time server: date arithmetic on ISO 8601 texts, apart from any clock. Days have 24 hours, as in UTC. */
export const time = defineApp<undefined>({
  name: "Time",
  title: "Dates and times",
  text: "Date arithmetic on ISO 8601 texts and conversion of time units. It knows no current time.",
  tools: [
    tool({
      name: "days_diff",
      text: "Whole days from the first date to the second; negative if the second is earlier.",
      input: { date1: date("the date to count from"), date2: date("the date to count to") },
      output: z.int(),
      run: (_, { date1, date2 }) => Math.round(readDate(date2).diff(readDate(date1), "days").days) + 0,
    }),
    tool({
      name: "date_to_weekday",
      text: "Day of the week of a date, in English.",
      input: { date: date("the date") },
      output: z.enum(WEEKDAYS),
      run: (_, input) => WEEKDAYS[readDate(input.date).weekday - 1] ?? refuse("the date has no weekday"),
    }),
    tool({
      name: "iso_seconds_diff",
      text: "Seconds from one timestamp to another, exact to a millisecond; negative if the end is earlier.",
      input: { start: timestamp("the timestamp to count from"), end: timestamp("the timestamp to count to") },
      output: z.number(),
      run: (_, { start, end }) => (readTimestamp(end).toMillis() - readTimestamp(start).toMillis()) / 1000,
    }),
    tool({
      name: "add_seconds_iso",
      text:
        "Moves a timestamp by a number of seconds, rounded to a millisecond. The result is written like the timestamp: " +
        "with its offset if it has one, and with a blank in place of T if it has that.",
      input: {
        timestamp: timestamp("the timestamp to move"),
        seconds: z.number().describe("seconds to add; negative goes back"),
      },
      output: z.string(),
      run: (_, input) => addSeconds(input.timestamp, input.seconds),
    }),
    tool({
      name: "convert_time_units",
      text: "Converts a length of time between seconds, minutes, hours, days and weeks.",
      input: {
        value: z.number().describe("the length of time in the unit from_unit"),
        from_unit: z.string().describe("seconds, minutes, hours, days or weeks"),
        to_unit: z.string().describe("seconds, minutes, hours, days or weeks"),
      },
      output: z.number(),
      run: (_, input) => convert(input.value, secondsOf(input.from_unit), secondsOf(input.to_unit)),
    }),
  ],
});

function readDate(text: string): DateTime {
  const parsed = /^\d{4}-\d{2}-\d{2}$/.test(text) ? DateTime.fromISO(text, { zone: "utc" }) : null;
  return parsed?.isValid ? parsed : refuse(`${quoted(text)} is not a date: expected YYYY-MM-DD, as in 2026-02-28`);
}

/** A timestamp must begin with a full date: luxon would take a bare time of day for today's. */
function readTimestamp(text: string): DateTime {
  const iso = text.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, "$1T");
  const parsed = /^\d{4}-\d{2}-\d{2}(T|$)/.test(iso) ? DateTime.fromISO(iso, { zone: "utc", setZone: true }) : null;
  if (parsed?.isValid) return parsed;
  return refuse(`${quoted(text)} is not a timestamp: expected YYYY-MM-DDTHH:MM:SS, as in 2026-02-28T14:30:00`);
}

function addSeconds(text: string, seconds: number): string {
  const moved = readTimestamp(text).plus({ milliseconds: Math.round(seconds * 1000) });
  const hasOffset = /T.*(Z|[+-]\d{2}(:?\d{2})?)$/i.test(text.replace(" ", "T"));
  const written = moved.toISO({ includeOffset: hasOffset, suppressMilliseconds: true });
  if (written === null || moved.year < 0 || moved.year > 9999) refuse("the result is outside of the years 0 to 9999");
  return text.includes(" ") ? written.replace("T", " ") : written;
}

/** The units are whole multiples of each other, so the ratio is exact and only one operation rounds. */
function convert(value: number, from: number, to: number): number {
  const converted = from >= to ? value * (from / to) : value / (to / from);
  if (!Number.isFinite(converted)) refuse("the result is too large");
  return converted + 0;
}

function secondsOf(unit: string): number {
  const name = unit.trim().toLowerCase();
  const singular = SHORT[name] ?? name.replace(/s$/, "");
  for (const [known, seconds] of Object.entries(SECONDS)) if (known === singular) return seconds;
  return refuse(`${quoted(unit)} is not a unit: expected one of ${Object.keys(SECONDS).join("s, ")}s`);
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
