import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { createWorld } from "../world.ts";
import { time } from "./time.ts";

fc.configureGlobal({ seed: 1 });
const world = createWorld({ seed: 1, apps: [time], faults: false });
const call = (tool: string, input: JsonObject) => world.invoke("Time", tool, input);

describe("Time", () => {
  it("has five tools", () => {
    expect(time.tools).toHaveLength(5);
  });

  it.each<[string, JsonObject, string | number]>([
    ["days_diff", { date1: "2024-02-28", date2: "2024-03-01" }, 2],
    ["days_diff", { date1: "2023-02-28", date2: "2023-03-01" }, 1],
    ["days_diff", { date1: "2026-03-29", date2: "2026-03-28" }, -1],
    ["days_diff", { date1: "2026-01-01", date2: "2026-01-01" }, 0],
    ["date_to_weekday", { date: "2026-07-14" }, "Tuesday"],
    ["date_to_weekday", { date: "2000-02-29" }, "Tuesday"],
    ["date_to_weekday", { date: "1900-01-01" }, "Monday"],
    ["iso_seconds_diff", { start: "2026-07-14T10:00:00", end: "2026-07-14T10:01:30" }, 90],
    ["iso_seconds_diff", { start: "2026-07-14T10:00:00Z", end: "2026-07-14T10:00:00+02:00" }, -7200],
    ["iso_seconds_diff", { start: "2026-07-14 23:59:59", end: "2026-07-15" }, 1],
    ["iso_seconds_diff", { start: "2026-07-14T10:00:00.250", end: "2026-07-14T10:00:01" }, 0.75],
    ["add_seconds_iso", { timestamp: "2024-02-28T23:59:59", seconds: 1 }, "2024-02-29T00:00:00"],
    ["add_seconds_iso", { timestamp: "2026-07-14 10:00:00", seconds: -1 }, "2026-07-14 09:59:59"],
    ["add_seconds_iso", { timestamp: "2026-07-14T10:00:00Z", seconds: 0.5 }, "2026-07-14T10:00:00.500Z"],
    ["add_seconds_iso", { timestamp: "2026-07-14T23:30:00+02:00", seconds: 3600 }, "2026-07-15T00:30:00+02:00"],
    ["add_seconds_iso", { timestamp: "2026-07-14", seconds: 60 }, "2026-07-14T00:01:00"],
    ["convert_time_units", { value: 90, from_unit: "minutes", to_unit: "hours" }, 1.5],
    ["convert_time_units", { value: 2, from_unit: "Week", to_unit: "days" }, 14],
    ["convert_time_units", { value: 1, from_unit: "d", to_unit: "s" }, 86_400],
    ["convert_time_units", { value: -3, from_unit: "hours", to_unit: "hours" }, -3],
  ])("%s %j", (tool, input, expected) => {
    expect(time.tool(tool)?.input.safeParse(input).success).toBe(true);
    expect(call(tool, input)).toEqual({ status: "ok", output: expected, writes: [] });
  });

  it.each<[string, JsonObject, RegExp]>([
    ["days_diff", { date1: "2023-02-29", date2: "2023-03-01" }, /"2023-02-29" is not a date: expected YYYY-MM-DD/],
    ["days_diff", { date1: "14.07.2026", date2: "2023-03-01" }, /expected YYYY-MM-DD/],
    ["days_diff", { date1: "2026-7-4", date2: "2023-03-01" }, /expected YYYY-MM-DD/],
    ["date_to_weekday", { date: "2026-W29" }, /not a date/],
    ["date_to_weekday", { date: "" }, /not a date/],
    ["iso_seconds_diff", { start: "10:00", end: "2026-07-14T10:00:00" }, /not a timestamp/],
    ["iso_seconds_diff", { start: "2026-07-14T25:00:00", end: "2026-07-14" }, /not a timestamp/],
    ["iso_seconds_diff", { start: "now", end: "2026-07-14" }, /not a timestamp/],
    ["add_seconds_iso", { timestamp: "9999-12-31T23:59:59", seconds: 1 }, /outside/],
    ["add_seconds_iso", { timestamp: "2026-07-14", seconds: 1e300 }, /outside/],
    ["convert_time_units", { value: 1, from_unit: "months", to_unit: "days" }, /"months" is not a unit/],
    ["convert_time_units", { value: 1, from_unit: "constructor", to_unit: "days" }, /not a unit/],
    ["convert_time_units", { value: 1e308, from_unit: "weeks", to_unit: "seconds" }, /too large/],
  ])("%s %j is refused", (tool, input, words) => {
    const answer = call(tool, input);
    expect(answer.status).toBe("failed");
    expect(answer.output).toMatch(words);
  });

  it("finds the seconds that it added", () => {
    const moment = fc.date({ min: new Date("1900-01-01"), max: new Date("2200-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(moment, fc.integer({ min: -1e9, max: 1e9 }), (date, seconds) => {
        const start = date.toISOString();
        const end = String(call("add_seconds_iso", { timestamp: start, seconds }).output);
        expect(call("iso_seconds_diff", { start, end }).output).toBe(seconds);
      }),
    );
  });

  it("converts there and back", () => {
    const unit = fc.constantFrom("seconds", "minutes", "hours", "days", "weeks");
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), unit, unit, (value, from_unit, to_unit) => {
        const there = Number(call("convert_time_units", { value, from_unit, to_unit }).output);
        const back = call("convert_time_units", { value: there, from_unit: to_unit, to_unit: from_unit });
        expect(back.output).toBeCloseTo(value, 5);
      }),
    );
  });
});
