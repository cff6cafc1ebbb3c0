import type { Metric } from "../analysis/statistics.ts";
import { type AgentSummary, isRanked } from "../analysis/summary.ts";
import type { EpisodeRecord } from "../record/episode-record.ts";
import type { OutcomeCounts } from "../record/outcome.ts";

/** What stands where there is nothing to average. */
export const NOTHING = "–";

/** A column of the result table, with one cell for each agent. */
export interface Column {
  /** One or two words, on lines of their own. */
  readonly head: string;
  readonly cells: readonly string[];
}

/** The result table of a set of agents. Columns that belong together are a group. */
export interface ResultTable {
  /** In the order of their success rates if they are ranked, else as they were given. */
  readonly agents: readonly AgentSummary[];
  readonly ranked: boolean;
  readonly groups: readonly (readonly Column[])[];
}

/**
 * Builds the table that all reports show. Token and cost columns that no agent knows are left out.
 * @param detail true: each mean has its standard deviation, and its n where that is not the number of episodes
 */
export function resultTable(given: readonly AgentSummary[], detail: boolean): ResultTable {
  const ranked = isRanked(given);
  const agents = ranked ? given.toSorted((one, other) => rate(other) - rate(one)) : given;
  const column = (head: string, cell: (agent: AgentSummary) => string): Column => ({ head, cells: agents.map(cell) });
  const metric = (
    head: string,
    of: (agent: AgentSummary) => Metric | null | undefined,
    format: (mean: number) => string,
  ) => column(head, (agent) => metricText(of(agent) ?? null, format, detail, agent.episodes));
  const known = (columns: readonly Column[]) => columns.filter(({ cells }) => cells.some((cell) => cell !== NOTHING));
  const judges = [...new Set(agents.flatMap((agent) => Object.keys(agent.judges)))];
  const parties = ["agent", "reference", "judge"] as const;
  const groups: readonly (readonly Column[])[] = [
    [
      column("success\nrate", (agent) => shareText(agent.success.rate)),
      column("bounds", ({ success }) => boundsText(success.low, success.high)),
      column("pass", ({ outcomes }) => String(outcomes.pass)),
      column("fail", ({ outcomes }) => String(outcomes.fail)),
      column("error", ({ outcomes }) => String(outcomes.error)),
      column("incon-\nclusive", ({ outcomes }) => String(outcomes.inconclusive)),
    ],
    [
      metric("state\nsuccess", ({ state }) => state.success, shareText),
      metric("state\nRc", ({ state }) => state.completionRate, shareText),
      metric("state\nRb", ({ state }) => state.misbehavingRate, shareText),
      metric("state\nP", ({ state }) => state.precision, shareText),
      metric("state\nF1", ({ state }) => state.f1, shareText),
    ],
    ...judges.map((name) => [
      metric(`${name}\nTSR`, (agent) => agent.judges[name]?.tsr, shareText),
      metric(`${name}\nARS`, (agent) => agent.judges[name]?.ars, shareText),
      metric(`${name}\nATS`, (agent) => agent.judges[name]?.ats, shareText),
    ]),
    [
      metric("calls\nvalid", ({ toolCalls }) => toolCalls.valid, countText),
      metric("calls\nfailed", ({ toolCalls }) => toolCalls.failed, countText),
      metric("calls\nsyntactic", ({ toolCalls }) => toolCalls.syntactic, countText),
    ],
    known(
      parties.flatMap((party) => [
        metric(`${party} tok\nprompt`, ({ tokens }) => tokens[party].prompt, tokensText),
        metric(`${party} tok\ncached`, ({ tokens }) => tokens[party].cachedPrompt, tokensText),
        metric(`${party} tok\noutput`, ({ tokens }) => tokens[party].output, tokensText),
        metric(`${party} tok\ntool`, ({ tokens }) => tokens[party].toolResponse, tokensText),
      ]),
    ),
    known(parties.map((party) => metric(`${party}\nUSD`, ({ costUsd }) => costUsd[party], dollarText))),
  ];
  return { agents, ranked, groups: groups.filter((group) => group.length > 0) };
}

/** What the short heads of the table mean, as sentences. */
export const LEGEND = [
  "Success rate is pass / (pass + fail); its bounds count unscored episodes as failed and as passed.",
  "Rc: required state changes that were made. Rb: unwanted changes per required one. P, F1: precision, and F1 of P and Rc.",
  "TSR: results with score 5. ARS, ATS: mean result and trajectory score, from 0 to 100 %.",
  "Calls, tokens (tok) and cost are means per episode; tool tokens are what tools answered; what is not known is left out, not counted as zero.",
] as const;

/** Why the agents are in no order of rank. */
export const NOT_RANKED =
  "Not ranked: more than 5 % of an agent's episodes are unscored, so the order of the agents says nothing.";

/** The episodes that did not pass: errors first, then inconclusive ones, then failures. */
export function notPassed(records: Iterable<EpisodeRecord>): EpisodeRecord[] {
  const order = { error: 0, inconclusive: 1, fail: 2, pass: 3 };
  return [...records]
    .filter((record) => record.outcome !== "pass")
    .sort((one, other) => order[one.outcome] - order[other.outcome]);
}

/** Names an episode for people. */
export function episodeName(of: Pick<EpisodeRecord, "query" | "agent" | "seed" | "repeat">): string {
  return `${of.query} · ${of.agent} · seed ${of.seed} · repeat ${of.repeat}`;
}

/** A number with its noun: `1 episode`, `2 episodes`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Counts of outcomes in words, such as `3 pass, 1 fail, 0 error, 0 inconclusive`. */
export function countsText(counts: OutcomeCounts): string {
  return `${counts.pass} pass, ${counts.fail} fail, ${counts.error} error, ${counts.inconclusive} inconclusive`;
}

/** A share of 1 in per cent, with one decimal. */
export function shareText(share: number | null): string {
  return share === null ? NOTHING : `${(100 * share).toFixed(1)}%`;
}

/** A length of time: `850 ms`, `12.3 s`, `4 min 10 s`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function rate(agent: AgentSummary): number {
  return agent.success.rate ?? -1;
}

function boundsText(low: number | null, high: number | null): string {
  return low === null || high === null ? NOTHING : `${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)}%`;
}

function countText(mean: number): string {
  return mean.toFixed(1);
}

function tokensText(mean: number): string {
  if (mean < 999.5) return String(Math.round(mean));
  return mean < 999_950 ? `${(mean / 1000).toFixed(1)}k` : `${(mean / 1e6).toFixed(1)}M`;
}

function dollarText(mean: number): string {
  return mean.toFixed(4);
}

function metricText(
  metric: Metric | null,
  format: (mean: number) => string,
  detail: boolean,
  episodes: number,
): string {
  if (metric === null) return NOTHING;
  if (!detail) return format(metric.mean);
  return `${format(metric.mean)} ± ${format(metric.sd)}${metric.n === episodes ? "" : ` (n ${metric.n})`}`;
}
