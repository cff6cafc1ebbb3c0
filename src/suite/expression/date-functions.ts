import { DateTime } from "luxon";
import type { Json } from "../../base/json.ts";
import { define, type FunctionTable } from "./function.ts";
import { asText, asWhole, describe, misfit } from "./values.ts";

const FORM = /^(\d{4}-\d{2}-\d{2})(?:([ T])(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A date text taken apart. Dates have no zone: what a text says of one is kept, not converted. */
interface Moment {
  readonly time: DateTime<true>;
  /** The format in which the text was written, so that a result reads like its source. */
  readonly format: string;
}

function moment(value: Json | undefined, what: string): Moment {
  const text = asText(value, what).trim();
  const [, day, separator, clock] = FORM.exec(text) ?? [];
  const time = DateTime.fromISO(clock === undefined ? (day ?? "") : `${day}T${clock}`, { zone: "utc" });
  if (!time.isValid)
    throw misfit(`${what} needs a date such as 2026-07-04 or 2026-07-04 09:30, got ${describe(value)}`);
  if (clock === undefined) return { time, format: "yyyy-MM-dd" };
  const clockFormat = clock.length === 5 ? "HH:mm" : "HH:mm:ss";
  return { time, format: `yyyy-MM-dd'${separator}'${clockFormat}` };
}

/** Functions on dates, which are texts: `2026-07-04`, `2026-07-04 09:30`, `2026-07-04T09:30:00Z`. */
export const dateFunctions: FunctionTable = {
  date: define("text", (args) => moment(args[0], "date").time.toFormat("yyyy-MM-dd")),
  time: define("text", (args) => moment(args[0], "time").time.toFormat("HH:mm")),
  addDays: define("text, days", (args) => {
    const { time, format } = moment(args[0], "addDays");
    return time.plus({ days: asWhole(args[1], "addDays") }).toFormat(format);
  }),
  addMinutes: define("text, minutes", (args) => {
    const { time, format } = moment(args[0], "addMinutes");
    const dayOnly = format === "yyyy-MM-dd";
    return time.plus({ minutes: asWhole(args[1], "addMinutes") }).toFormat(dayOnly ? "yyyy-MM-dd HH:mm" : format);
  }),
  daysBetween: define("from, to", (args) => {
    const from = moment(args[0], "daysBetween").time.startOf("day");
    const to = moment(args[1], "daysBetween").time.startOf("day");
    return Math.round(to.diff(from, "days").days);
  }),
  minutesBetween: define("from, to", (args) => {
    const from = moment(args[0], "minutesBetween").time;
    return moment(args[1], "minutesBetween").time.diff(from, "minutes").minutes;
  }),
  weekday: define("text", (args) => moment(args[0], "weekday").time.setLocale("en").toFormat("cccc")),
};
