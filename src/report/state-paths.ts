import type { Json } from "../base/json.ts";
import type { StatePath } from "../record/grades.ts";
import { cut, oneLine } from "./escape.ts";

/** The paths that speak against an episode, worst first: unwanted changes, third values, then what was not done. */
export function changedWrongly(paths: readonly StatePath[]): StatePath[] {
  const order = { misbehaving: 0, wrong: 1, missed: 2, modified: 3 };
  return paths.filter(({ kind }) => kind !== "modified").sort((one, other) => order[one.kind] - order[other.kind]);
}

/** A state value on one line, cut to `length`; a path that is missing has none. */
export function valueText(value: Json | undefined, length: number): string {
  return value === undefined ? "(missing)" : cut(oneLine(JSON.stringify(value)), length);
}
