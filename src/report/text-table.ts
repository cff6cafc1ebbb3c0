import Table from "cli-table3";
import { cut, oneLine } from "./escape.ts";

const NO_BORDER = Object.fromEntries(
  ["top", "bottom", "left", "right", "mid", "middle"].flatMap((name) =>
    ["", "-mid", "-left", "-right"].map((suffix) => [`${name}${suffix}`, name === "middle" ? "  " : ""]),
  ),
);

/**
 * A plain table for people, without borders: a head and one line a row. On a terminal the last column is cut at its edge.
 * @returns lines, each with its line break; only the head if there are no rows
 */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  to: { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined } = {},
): string {
  const table = new Table({
    head: [...head],
    chars: NO_BORDER,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  for (const row of rows) table.push(row.map(oneLine));
  const width = to.isTTY === true ? to.columns || Number.POSITIVE_INFINITY : Number.POSITIVE_INFINITY;
  return table
    .toString()
    .split("\n")
    .map((line) => `${cut(line.trimEnd(), width)}\n`)
    .join("");
}
