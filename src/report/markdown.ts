import { type AgentSummary, byTier, summarise } from "../analysis/summary.ts";
import type { EpisodeRecord } from "../record/episode-record.ts";
import { cut, markdownBlock, markdownCode, markdownText, oneLine } from "./escape.ts";
import type { ReportHeader } from "./header.ts";
import { modelUseLines } from "./model-use.ts";
import {
  type Column,
  countsText,
  episodeName,
  LEGEND,
  NOT_RANKED,
  notPassed,
  resultTable,
  shareText,
} from "./result-table.ts";
import { changedWrongly, valueText } from "./state-paths.ts";

const MOST_LISTED = 200;
const MOST_PATHS = 10;
const LONGEST_REASON = 500;
const LONGEST_VALUE = 80;

/**
 * A report of a run in GitHub-flavoured Markdown: the run, its tables with standard deviations, success by tier, the
 * episodes that did not pass, and the paths of failed state diffs. Texts that are not ours are escaped.
 */
export function markdownReport(header: ReportHeader, records: readonly EpisodeRecord[]): string {
  const summary = summarise(header, records);
  const failed = notPassed(records);
  const sections = [
    `# Run ${markdownText(header.run)}`,
    [
      `- Folder: ${markdownCode(header.folder)}`,
      `- Started: ${markdownText(header.startedAt)}`,
      `- Episodes: ${summary.episodes} of ${header.planned} planned (${countsText(summary.outcomes)})`,
      ...(header.complete
        ? []
        : [
            `- **Not complete:** ${summary.episodes < header.planned ? "planned episodes" : "scores of a judge"} are missing.`,
          ]),
    ].join("\n"),
    "## Result",
    ...resultSections(summary.agents),
    "## Success rate by tier",
    tierTable(records, summary.agents),
    `## Not passed: ${failed.length}`,
    ...notPassedSections(failed),
    "## Configuration",
    markdownBlock(JSON.stringify(header.configuration, null, 2), "json"),
  ];
  return `${sections.join("\n\n")}\n`;
}

function resultSections(given: readonly AgentSummary[]): string[] {
  if (given.length === 0) return ["No episode was graded."];
  const { agents, ranked, groups } = resultTable(given, true);
  const names: Column = { head: "agent", cells: agents.map(({ agent }) => agent) };
  return [
    ...groups.map((group) => table([names, ...group])),
    ...(ranked ? [] : [`**${markdownText(NOT_RANKED)}**`]),
    ...listOf(modelUseLines(agents)),
    ...listOf(LEGEND),
  ];
}

/** One section, or none for no sentence. */
function listOf(sentences: readonly string[]): string[] {
  return sentences.length === 0 ? [] : [sentences.map((sentence) => `- ${markdownText(sentence)}`).join("\n")];
}

function tierTable(records: readonly EpisodeRecord[], agents: readonly AgentSummary[]): string {
  const tiers = byTier(records);
  if (tiers.length === 0) return "No episode was graded.";
  const cell = (of: readonly AgentSummary[], agent: string) => {
    const found = of.find((candidate) => candidate.agent === agent);
    return found === undefined ? "" : `${shareText(found.success.rate)} (${found.outcomes.pass} of ${found.episodes})`;
  };
  return table([
    { head: "agent", cells: agents.map(({ agent }) => agent) },
    ...tiers.map(({ tier, agents: of }) => ({ head: tier, cells: agents.map(({ agent }) => cell(of, agent)) })),
  ]);
}

function notPassedSections(failed: readonly EpisodeRecord[]): string[] {
  if (failed.length === 0) return ["All episodes passed."];
  const items = failed
    .slice(0, MOST_LISTED)
    .flatMap((record) => [
      `- **${record.outcome}** ${markdownText(episodeName(record))}: ${markdownText(cut(oneLine(record.reason), LONGEST_REASON))}`,
      ...pathLines(record),
    ]);
  const more = failed.length - MOST_LISTED;
  return [[...items, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n")];
}

function pathLines(record: EpisodeRecord): string[] {
  const paths = record.state === null ? [] : changedWrongly(record.state.paths);
  const value = (of: Parameters<typeof valueText>[0]) => markdownCode(valueText(of, LONGEST_VALUE));
  const lines = paths
    .slice(0, MOST_PATHS)
    .map(
      (at) =>
        `  - ${at.kind} ${markdownCode(at.path)}: before ${value(at.before)}, reference ${value(at.reference)}, after ${value(at.after)}`,
    );
  return paths.length > MOST_PATHS ? [...lines, `  - and ${paths.length - MOST_PATHS} more paths`] : lines;
}

function table(columns: readonly Column[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const heads = columns.map(({ head }) => markdownText(head.replace("-\n", "")));
  const rows = (columns[0]?.cells ?? []).map((_, at) => row(columns.map(({ cells }) => markdownText(cells[at] ?? ""))));
  return [row(heads), row(columns.map((_, at) => (at === 0 ? ":--" : "--:"))), ...rows].join("\n");
}
