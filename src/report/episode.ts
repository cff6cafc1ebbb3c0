import Table from "cli-table3";
import pico from "picocolors";
import type { EpisodeRecord } from "../record/episode-record.ts";
import type { CallStats, FactGrade, StateGrade, Verdict } from "../record/grades.ts";
import type { Trajectory, TrajectoryEvent } from "../record/trajectory.ts";
import { cut, oneLine, visibleText } from "./escape.ts";
import { durationText, episodeName, shareText } from "./result-table.ts";
import { changedWrongly, valueText } from "./state-paths.ts";
import { type TextOptions, widthOrDefault } from "./terminal.ts";

/** The trajectories of both sides of an episode. */
export interface Trajectories {
  readonly reference: Trajectory;
  readonly tested: Trajectory;
}

const MOST_PATHS = 50;
const LONGEST_VALUE = 60;
const LONGEST_ANSWER = 2000;
/** Below this width the two sides are listed one after the other. */
const SIDE_BY_SIDE = 90;

/**
 * One episode for people: outcome and why, both trajectories side by side, facts, judges' reasons, and the state paths with
 * their three values.
 * @param trajectories null if they cannot be read
 */
export function episodeReport(
  record: EpisodeRecord,
  trajectories: Trajectories | null,
  options: TextOptions = {},
): string {
  const columns = widthOrDefault(options.columns);
  const paint = pico.createColors(options.colour ?? false);
  const sections: [title: string, lines: readonly string[]][] = [
    [oneLine(episodeName(record)), outcomeLines(record)],
    ["Trajectories", trajectoryLines(trajectories, columns)],
    ["Answer of the reference", answerLines(record.reference?.answer)],
    ["Answer of the tested agent", answerLines(record.tested?.answer)],
    ["Facts", record.facts === null ? ["none compared"] : record.facts.map(factLine)],
    ["Judges", judgeLines(record)],
    ["State", record.state === null ? ["not scored"] : stateLines(record.state)],
  ];
  const blocks = sections.map(([title, lines]) => [paint.bold(title), ...lines.map((line) => `  ${line}`)].join("\n"));
  return `${blocks.join("\n\n")}\n`;
}

function outcomeLines(record: EpisodeRecord): string[] {
  const { tested, reference, error } = record;
  const lines = [`${record.outcome}: ${oneLine(record.reason)}`];
  if (error !== null) {
    const server = error.server === null ? "" : ` (server ${oneLine(error.server)})`;
    lines.push(`${oneLine(error.code)}${server}: ${oneLine(error.message)}`);
  }
  const skew =
    record.skewMs === null ? "" : `, the tested side's first act ${Math.round(record.skewMs)} ms after the reference's`;
  lines.push(`${record.suite}, ${record.tier}, reference ${record.referenceMode}, ${durationText(record.ms)}${skew}`);
  if (record.variant !== null) lines.push(`matched the variant ${oneLine(record.variant)}`);
  for (const deviation of record.deviations ?? []) lines.push(`the reference left the plan: ${oneLine(deviation)}`);
  if (reference !== null) lines.push(`reference stopped: ${stopText(reference)}; ${callsText(reference.calls)}`);
  if (tested !== null) lines.push(`tested stopped: ${stopText(tested)}; ${callsText(tested.calls)}`);
  return lines;
}

function stopText(side: { readonly stop: string; readonly detail: string }): string {
  return side.detail === "" ? side.stop : `${side.stop}, ${cut(oneLine(side.detail), 300)}`;
}

function callsText(calls: CallStats): string {
  const faults = calls.faultsMet === 0 ? "" : `, ${calls.faultsRecovered} of ${calls.faultsMet} faults recovered`;
  return `${calls.total} calls: ${calls.valid} valid, ${calls.failed} failed, ${calls.syntactic} syntactic${faults}`;
}

function trajectoryLines(trajectories: Trajectories | null, columns: number): string[] {
  if (trajectories === null) return ["cannot be read"];
  const inner = columns - 2;
  if (columns < SIDE_BY_SIDE) {
    return [
      "reference",
      ...sideLines(trajectories.reference, inner - 2).map((line) => `  ${line}`),
      "tested",
      ...sideLines(trajectories.tested, inner - 2).map((line) => `  ${line}`),
    ];
  }
  const width = Math.floor((inner - 3) / 2);
  const [left, right] = [trajectories.reference, trajectories.tested].map((side) => sideLines(side, width - 2));
  const table = new Table({
    head: ["reference", "tested"],
    colWidths: [width, width],
    style: { head: [], border: [], compact: true },
  });
  const rows = Math.max(left?.length ?? 0, right?.length ?? 0);
  for (let row = 0; row < rows; row++) table.push([left?.[row] ?? "", right?.[row] ?? ""]);
  return table.toString().split("\n");
}

function sideLines(trajectory: Trajectory, width: number): string[] {
  return trajectory.flatMap(eventLines).map((line) => cut(line, width));
}

/** An event on one line, and below a call what it met and what it wrote. */
function eventLines(event: TrajectoryEvent): string[] {
  switch (event.type) {
    case "model":
      return [
        `model: ${event.calls} calls${event.cached ? " [cached]" : ""}${event.text === "" ? "" : `, ${oneLine(event.text)}`}`,
        ...(event.attempts ?? []).map(
          ({ status, message }) => `    attempt failed: ${status ?? ""} ${oneLine(message)}`,
        ),
      ];
    case "tool": {
      const input = oneLine(JSON.stringify(event.arguments));
      const lines = [`${event.call} ${oneLine(event.name)} ${event.outcome} ${input}`];
      if (event.outcome !== "ok")
        lines.push(`    ${event.fault === null ? "" : `[${event.fault}] `}${oneLine(event.text)}`);
      const [first] = event.writes;
      const more = event.writes.length - 1;
      if (first !== undefined)
        lines.push(`    wrote ${more > 0 ? `${event.writes.length} paths, ` : ""}${oneLine(first)}`);
      return lines;
    }
    case "server":
      return [
        `server ${oneLine(event.server)} ${event.status}${event.detail === "" ? "" : `: ${oneLine(event.detail)}`}`,
      ];
    case "quirk":
      return [`${event.kind}: ${oneLine(event.detail)}`];
    case "note":
      return [`note: ${oneLine(event.text)}`];
    case "answer":
      return [`answer: ${oneLine(event.text)}`];
    case "stop":
      return [`stop: ${stopText({ stop: event.reason, detail: event.detail })}`];
  }
}

function answerLines(answer: string | null | undefined): string[] {
  if (answer === null || answer === undefined) return ["none"];
  return answer === "" ? ["empty"] : visibleText(cut(answer, LONGEST_ANSWER)).split("\n");
}

function factLine(fact: FactGrade): string {
  const quoted = (text: string) => `"${cut(oneLine(text), LONGEST_VALUE)}"`;
  const found = fact.found === null ? "not found" : `found in ${quoted(fact.found)}`;
  const foil = fact.foil === null ? "" : `, foil stated in ${quoted(fact.foil)}`;
  return `${fact.right ? "right" : "wrong"} ${oneLine(fact.name)} = ${valueText(fact.value, LONGEST_VALUE)}: ${found}${foil}`;
}

function judgeLines(record: EpisodeRecord): string[] {
  const lines = Object.entries(record.judges).flatMap(([name, verdict]) => {
    const by = verdict.model === undefined ? oneLine(name) : `${oneLine(name)} (${oneLine(verdict.model)})`;
    const scores = (["result", "trajectory"] as const).flatMap((aspect) =>
      verdict[aspect] === null
        ? []
        : [`${by}: ${aspect} ${verdict[aspect]}${samplesText(verdict, aspect)}, ${oneLine(verdict.reasons[aspect])}`],
    );
    return [
      ...scores,
      ...(verdict.error === null ? [] : [`${by}: no score, ${oneLine(verdict.error)}`]),
      ...(verdict.notes ?? []).map((text) => `${by}: note: ${oneLine(text)}`),
    ];
  });
  return lines.length === 0 ? ["none"] : lines;
}

/** All scores of a model that was asked more than once. */
function samplesText({ samples }: Verdict, aspect: "result" | "trajectory"): string {
  const scores = samples?.[aspect].map(({ score }) => score ?? "none") ?? [];
  return scores.length < 2 ? "" : ` of ${scores.join(", ")}`;
}

function stateLines(state: StateGrade): string[] {
  const { required, modified, misbehaving, wrong } = state;
  const effects = state.effects === null ? "" : `, ${state.effects.done} of ${state.effects.total} effects complete`;
  const lines = [
    `${state.success ? "succeeded" : "failed"}: ${modified} of ${required} required changes made, ${wrong} wrong, ${misbehaving} unwanted${effects}`,
    `Rc ${shareText(state.completionRate)}, Rb ${shareText(state.misbehavingRate)}, P ${shareText(state.precision)}, F1 ${shareText(state.f1)}`,
  ];
  if (state.approximate) lines.push("more records differed than are matched exactly: the counts are approximate");
  const paths = [...changedWrongly(state.paths), ...state.paths.filter(({ kind }) => kind === "modified")];
  for (const at of paths.slice(0, MOST_PATHS)) {
    const calls = at.writtenBy === undefined || at.writtenBy.length === 0 ? "" : ` (call ${at.writtenBy.join(", ")})`;
    const [before, reference, after] = [at.before, at.reference, at.after].map((value) =>
      valueText(value, LONGEST_VALUE),
    );
    lines.push(`${at.kind} ${oneLine(at.path)}${calls}`);
    lines.push(`    before ${before}, reference ${reference}, after ${after}`);
    if (at.hint !== undefined) lines.push(`    ${oneLine(at.hint)}`);
  }
  if (paths.length > MOST_PATHS) lines.push(`and ${paths.length - MOST_PATHS} more paths`);
  return lines;
}
