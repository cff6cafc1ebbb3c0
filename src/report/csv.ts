import papaparse from "papaparse";
import type { EpisodeRecord } from "../record/episode-record.ts";

type Cell = string | number | boolean | null | undefined;

/** A column: its name, which is the path of the value in an episode record, and how to get it. */
type Column = readonly [name: string, cell: (record: EpisodeRecord) => Cell];

/**
 * Texts that a spreadsheet would take for a formula, also after blanks and in full width. The library's own pattern
 * overlooks such a text if it has a line break.
 */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/**
 * The episodes of a run as CSV (RFC 4180, lines end with a line feed), a row each, with a header row. What is missing is
 * an empty cell. Judges have columns of their own, in the order in which they are met. Texts that look like a formula get
 * a `'` in front; numbers never do.
 */
export function csvReport(records: readonly EpisodeRecord[]): string {
  const judges = [...new Set(records.flatMap((record) => Object.keys(record.judges)))];
  const columns = [...EPISODE, ...judges.flatMap(judgeColumns), ...CALLS, ...PARTIES.flatMap(partyColumns)];
  const fields = columns.map(([name]) => name);
  const data = records.map((record) => columns.map(([, cell]) => cell(record) ?? null));
  return `${papaparse.unparse([fields, ...data], { newline: "\n", escapeFormulae: FORMULA })}\n`;
}

const EPISODE: readonly Column[] = [
  ["query", (record) => record.query],
  ["suite", (record) => record.suite],
  ["tier", (record) => record.tier],
  ["agent", (record) => record.agent],
  ["seed", (record) => record.seed],
  ["repeat", (record) => record.repeat],
  ["outcome", (record) => record.outcome],
  ["reason", (record) => record.reason],
  ["error.code", (record) => record.error?.code],
  ["error.server", (record) => record.error?.server],
  ["startedAt", (record) => record.startedAt],
  ["ms", (record) => record.ms],
  ["skewMs", (record) => record.skewMs],
  ["referenceMode", (record) => record.referenceMode],
  ["variant", (record) => record.variant],
  ["reference.stop", (record) => record.reference?.stop],
  ["tested.stop", (record) => record.tested?.stop],
  ["state.success", (record) => record.state?.success],
  ["state.required", (record) => record.state?.required],
  ["state.modified", (record) => record.state?.modified],
  ["state.misbehaving", (record) => record.state?.misbehaving],
  ["state.wrong", (record) => record.state?.wrong],
  ["state.completionRate", (record) => record.state?.completionRate],
  ["state.misbehavingRate", (record) => record.state?.misbehavingRate],
  ["state.precision", (record) => record.state?.precision],
  ["state.f1", (record) => record.state?.f1],
  ["facts.right", (record) => record.facts?.filter((fact) => fact.right).length],
  ["facts.total", (record) => record.facts?.length],
];

const CALLS: readonly Column[] = [
  ["tested.calls.total", (record) => record.tested?.calls.total],
  ["tested.calls.valid", (record) => record.tested?.calls.valid],
  ["tested.calls.failed", (record) => record.tested?.calls.failed],
  ["tested.calls.syntactic", (record) => record.tested?.calls.syntactic],
  ["tested.calls.faultsMet", (record) => record.tested?.calls.faultsMet],
  ["tested.calls.faultsRecovered", (record) => record.tested?.calls.faultsRecovered],
  ["offered.tools", (record) => record.offered?.tools],
];

const PARTIES = ["agent", "reference", "judge"] as const;

function judgeColumns(name: string): Column[] {
  const verdict = (record: EpisodeRecord) => (Object.hasOwn(record.judges, name) ? record.judges[name] : undefined);
  return [
    [`judges.${name}.result`, (record) => verdict(record)?.result],
    [`judges.${name}.trajectory`, (record) => verdict(record)?.trajectory],
    [`judges.${name}.error`, (record) => verdict(record)?.error],
  ];
}

function partyColumns(party: (typeof PARTIES)[number]): Column[] {
  return [
    [`tokens.${party}.prompt`, (record) => record.tokens[party].prompt],
    [`tokens.${party}.cachedPrompt`, (record) => record.tokens[party].cachedPrompt],
    [`tokens.${party}.output`, (record) => record.tokens[party].output],
    [`tokens.${party}.toolResponse`, (record) => record.tokens[party].toolResponse],
    [`costUsd.${party}`, (record) => record.costUsd[party]],
  ];
}
