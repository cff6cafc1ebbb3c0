import Table from "cli-table3";
import pico from "picocolors";
import { summarise } from "../analysis/summary.ts";
import type { EpisodeRecord } from "../record/episode-record.ts";
import { cut, oneLine } from "./escape.ts";
import type { ReportHeader } from "./header.ts";
import { modelUseLines } from "./model-use.ts";
import {
  type Column,
  counted,
  countsText,
  episodeName,
  LEGEND,
  NOT_RANKED,
  notPassed,
  resultTable,
} from "./result-table.ts";

/** How a text for people is laid out. */
export interface TextOptions {
  /** Width of the terminal in characters, 100 if it is not known. */
  readonly columns?: number | undefined;
  /** True if colour escapes may be used. */
  readonly colour?: boolean;
}

const DEFAULT_COLUMNS = 100;

/** The width of a terminal, or 100 where it is unknown: some terminals tell 0. */
export function widthOrDefault(columns: number | undefined): number {
  return columns === undefined || columns <= 0 ? DEFAULT_COLUMNS : columns;
}

type Paint = ReturnType<typeof pico.createColors>;

const MOST_LISTED = 15;
const LONGEST_NAME = 32;

/**
 * The result of a run for people: the table, cut into as many tables as the width needs, and the first episodes that did
 * not pass with their reasons. Ends with a line break.
 */
export function terminalReport(
  header: ReportHeader,
  records: readonly EpisodeRecord[],
  options: TextOptions = {},
): string {
  const columns = widthOrDefault(options.columns);
  const paint = pico.createColors(options.colour ?? false);
  const summary = summarise(header, records);
  const { agents, ranked, groups } = resultTable(summary.agents, false);
  const names: Column = { head: "agent", cells: agents.map(({ agent }) => cut(oneLine(agent), LONGEST_NAME)) };
  const lines = [
    `${paint.bold(`Run ${oneLine(header.run)}`)}: ${counted(summary.episodes, "episode")}, ${countsText(summary.outcomes)}`,
    oneLine(header.folder),
  ];
  if (!header.complete) lines.push(paint.yellow(missingText(summary.episodes, header.planned)));
  if (agents.length > 0) {
    for (const part of pack(groups, widthOf(names) + 1, columns))
      lines.push("", drawTable([names, ...part], paint.bold));
    if (!ranked) lines.push(paint.yellow(NOT_RANKED));
    lines.push(...modelUseLines(agents).map(oneLine));
    lines.push(...LEGEND.flatMap((sentence) => wrap(sentence, columns)).map((line) => paint.dim(line)));
  }
  lines.push(...listNotPassed(records, columns, paint));
  return `${lines.join("\n")}\n`;
}

/** What an unfinished run lacks. */
function missingText(episodes: number, planned: number): string {
  const missing =
    episodes < planned
      ? `${episodes} of ${planned} planned episodes are there`
      : "all episodes are there, but a judge has no score for some";
  return `The run is not complete: ${missing}. The same command goes on with it.`;
}

function listNotPassed(records: readonly EpisodeRecord[], columns: number, paint: Paint): string[] {
  const listed = notPassed(records);
  if (listed.length === 0) return [];
  const colours = { pass: paint.green, fail: paint.red, error: paint.yellow, inconclusive: paint.magenta };
  const lines = listed.slice(0, MOST_LISTED).map((record) => {
    const outcome = record.outcome.padEnd("inconclusive".length);
    const text = cut(oneLine(`${episodeName(record)}: ${record.reason}`), Math.max(20, columns - outcome.length - 3));
    return `  ${colours[record.outcome](outcome)} ${text}`;
  });
  const more = listed.length - lines.length;
  return [
    "",
    paint.bold(`Not passed: ${listed.length}`),
    ...lines,
    ...(more > 0 ? [`  and ${more} more, see the report of the run`] : []),
  ];
}

/** Puts groups of columns into as few tables as the width allows. A group wider than that is cut into its columns. */
function pack(groups: readonly (readonly Column[])[], taken: number, columns: number): Column[][] {
  const width = (group: readonly Column[]) => group.reduce((sum, column) => sum + widthOf(column), 0);
  const units = groups.flatMap((group) =>
    taken + width(group) <= columns ? [group] : group.map((column): readonly Column[] => [column]),
  );
  const tables: Column[][] = [];
  let left = 0;
  for (const unit of units) {
    const needed = width(unit);
    const current = tables.at(-1);
    if (current === undefined || needed > left) {
      tables.push([...unit]);
      left = columns - taken - needed;
    } else {
      current.push(...unit);
      left -= needed;
    }
  }
  return tables;
}

/** Width of a column with its padding and one border. */
function widthOf(column: Column): number {
  return Math.max(...[column.head, ...column.cells].flatMap((text) => shown(text).map((line) => line.length))) + 3;
}

function shown(text: string): string[] {
  return text.split("\n").map(oneLine);
}

function drawTable(columns: readonly Column[], bold: (text: string) => string): string {
  const table = new Table({
    head: columns.map(({ head }) => shown(head).map(bold).join("\n")),
    colAligns: columns.map((_, at) => (at === 0 ? "left" : "right")),
    style: { head: [], border: [], compact: true },
  });
  const rows = columns[0]?.cells.length ?? 0;
  for (let row = 0; row < rows; row++) table.push(columns.map(({ cells }) => cells[row] ?? ""));
  return table.toString();
}

/** Breaks a line between words. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
