import { random } from "../base/random.ts";

const DAY_MS = 86_400_000;

/**
 * World time at the start of a seed's world: some day of 2026, between 08:00:00 and 17:59:59.
 * @returns milliseconds since 1970-01-01T00:00:00, without zone
 */
export function seededStart(seed: number, salt = ""): number {
  const source = random(seed, "LightOS/clock", salt);
  const day = Date.UTC(2026, 0, 1) + source.int(30, 330) * DAY_MS;
  return day + source.int(8 * 3600, 18 * 3600 - 1) * 1000;
}

/** A world time as the apps print it: `YYYY-MM-DD HH:MM:SS`, without zone. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}

/** The world time that {@link formatTime} printed, in milliseconds; NaN if `text` is not of its form. */
export function parseTime(text: string): number {
  return Date.parse(`${text.replace(" ", "T")}Z`);
}
