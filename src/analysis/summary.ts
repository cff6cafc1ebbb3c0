import type { EpisodeRecord, Tokens } from "../record/episode-record.ts";
import { normalised } from "../record/grades.ts";
import { addModelUse, type ModelUse } from "../record/model-use.ts";
import type { Outcome, OutcomeCounts } from "../record/outcome.ts";
import { type Metric, MOST_UNSCORED, metricOf, type Success, successOf, unscoredShare } from "./statistics.ts";

type Metrics<K extends string> = Readonly<Record<K, Metric | null>>;
type Party = "agent" | "reference" | "judge";

const STATE = ["success", "completionRate", "misbehavingRate", "precision", "f1"] as const;
const JUDGE = ["tsr", "ars", "ats"] as const;
const CALLS = ["valid", "failed", "syntactic"] as const;
const TOKENS = ["prompt", "cachedPrompt", "output", "toolResponse"] as const satisfies readonly (keyof Tokens)[];
const PARTIES = ["agent", "reference", "judge"] as const satisfies readonly Party[];

/**
 * Metrics of one agent, each a mean per episode. Grades and tool calls count in scored episodes only (`pass` or `fail`):
 * what was cut off by a dead server says nothing of the agent. Tokens and cost count in all, because they were spent.
 */
export interface AgentSummary {
  readonly agent: string;
  readonly episodes: number;
  readonly outcomes: OutcomeCounts;
  readonly success: Success;
  /** Over episodes whose state was scored. `success` is the share in which the state succeeded. */
  readonly state: Metrics<(typeof STATE)[number]>;
  /** By name of the judge: share of results with score 5, mean normalised result score, mean normalised trajectory score. */
  readonly judges: Readonly<Record<string, Metrics<(typeof JUDGE)[number]>>>;
  /** By name of the judge: verdicts that are an error, and count in no mean. */
  readonly judgeErrors: Readonly<Record<string, number>>;
  readonly toolCalls: Metrics<(typeof CALLS)[number]>;
  readonly tokens: Readonly<Record<Party, Metrics<(typeof TOKENS)[number]>>>;
  readonly costUsd: Metrics<Party>;
  /** Sums over all episodes. */
  readonly modelUse: Readonly<Record<Party, ModelUse>>;
  /** Episodes whose reference was played by a model, those of them in which it left the plan, and how often it did. */
  readonly deviations: { readonly episodes: number; readonly deviating: number; readonly total: number };
}

/** The document that `run --json` prints. */
export interface RunSummary {
  readonly run: string;
  readonly folder: string;
  readonly episodes: number;
  readonly outcomes: OutcomeCounts;
  readonly agents: readonly AgentSummary[];
}

/**
 * Summarises a run in one pass; no record is kept. Agents come in the order in which they are met.
 * @param run name and folder of the run
 * @param records graded episodes, each once
 */
export function summarise(
  run: { readonly run: string; readonly folder: string },
  records: Iterable<EpisodeRecord>,
): RunSummary {
  const agents = summariseAgents(records);
  const outcomes = addCounts(agents.map((agent) => agent.outcomes));
  const episodes = agents.reduce((sum, agent) => sum + agent.episodes, 0);
  return { run: run.run, folder: run.folder, episodes, outcomes, agents };
}

/** Metrics of each agent of a set of episodes. */
export function summariseAgents(records: Iterable<EpisodeRecord>): AgentSummary[] {
  const tallies = new Map<string, Tally>();
  for (const record of records) addRecord(entryOf(tallies, record.agent, newTally), record);
  return [...tallies].map(([agent, tally]) => close(agent, tally));
}

/** The agents of each tier that the episodes have, from easy to hard. */
export function byTier(
  records: Iterable<EpisodeRecord>,
): { readonly tier: EpisodeRecord["tier"]; readonly agents: readonly AgentSummary[] }[] {
  const groups = groupBy(records, (record) => record.tier);
  return (["easy", "medium", "hard"] as const).flatMap((tier) => {
    const group = groups.get(tier);
    return group === undefined ? [] : [{ tier, agents: summariseAgents(group) }];
  });
}

/** The agents of each query, queries in the order in which they are met. */
export function byQuery(
  records: Iterable<EpisodeRecord>,
): { readonly query: string; readonly agents: readonly AgentSummary[] }[] {
  return [...groupBy(records, (record) => record.query)].map(([query, group]) => ({
    query,
    agents: summariseAgents(group),
  }));
}

/**
 * True if agents may be ranked by success rate: no agent has more than 5 % of its episodes unscored. Else a rank could be
 * a matter of which episodes broke.
 */
export function isRanked(agents: readonly Pick<AgentSummary, "outcomes">[]): boolean {
  return agents.every(({ outcomes }) => (unscoredShare(outcomes) ?? 0) <= MOST_UNSCORED);
}

/** The sum of outcome counts. */
export function addCounts(all: Iterable<OutcomeCounts>): OutcomeCounts {
  const sum = noCounts();
  for (const counts of all) {
    sum.pass += counts.pass;
    sum.fail += counts.fail;
    sum.error += counts.error;
    sum.inconclusive += counts.inconclusive;
  }
  return sum;
}

/** The values of one agent so far, a list for each metric. */
interface Tally {
  readonly outcomes: Record<Outcome, number>;
  readonly state: Lists<(typeof STATE)[number]>;
  readonly judges: Map<string, Lists<(typeof JUDGE)[number]>>;
  readonly judgeErrors: Map<string, number>;
  readonly toolCalls: Lists<(typeof CALLS)[number]>;
  readonly tokens: Record<Party, Lists<(typeof TOKENS)[number]>>;
  readonly costUsd: Lists<Party>;
  readonly modelUse: Record<Party, ModelUse[]>;
  /** How often the reference left the plan, for each episode in which a model played it. */
  readonly deviations: number[];
}
type Lists<K extends string> = Record<K, number[]>;

function newTally(): Tally {
  return {
    outcomes: noCounts(),
    state: listsFor(STATE),
    judges: new Map(),
    judgeErrors: new Map(),
    toolCalls: listsFor(CALLS),
    tokens: { agent: listsFor(TOKENS), reference: listsFor(TOKENS), judge: listsFor(TOKENS) },
    costUsd: listsFor(PARTIES),
    modelUse: { agent: [], reference: [], judge: [] },
    deviations: [],
  };
}

function addRecord(tally: Tally, record: EpisodeRecord): void {
  tally.outcomes[record.outcome] += 1;
  for (const party of PARTIES) {
    for (const kind of TOKENS) note(tally.tokens[party][kind], record.tokens[party][kind]);
    note(tally.costUsd[party], record.costUsd[party]);
    tally.modelUse[party].push(record.modelUse[party]);
  }
  if (record.deviations !== null) tally.deviations.push(record.deviations.length);
  const scored = record.outcome === "pass" || record.outcome === "fail";
  for (const [name, verdict] of Object.entries(record.judges)) {
    const lists = entryOf(tally.judges, name, () => listsFor(JUDGE));
    if (!scored) continue;
    tally.judgeErrors.set(name, (tally.judgeErrors.get(name) ?? 0) + (verdict.error === null ? 0 : 1));
    if (verdict.result !== null) {
      lists.tsr.push(verdict.result === 5 ? 1 : 0);
      lists.ars.push(normalised(verdict.result));
    }
    if (verdict.trajectory !== null) lists.ats.push(normalised(verdict.trajectory));
  }
  if (!scored) return;
  if (record.state !== null) {
    for (const name of STATE) {
      const value = record.state[name];
      note(tally.state[name], value === null ? null : Number(value));
    }
  }
  if (record.tested !== null) for (const kind of CALLS) note(tally.toolCalls[kind], record.tested.calls[kind]);
}

function close(agent: string, tally: Tally): AgentSummary {
  const { outcomes } = tally;
  return {
    agent,
    episodes: outcomes.pass + outcomes.fail + outcomes.error + outcomes.inconclusive,
    outcomes,
    success: successOf(outcomes),
    state: metricsOf(tally.state),
    judges: Object.fromEntries([...tally.judges].map(([name, lists]) => [name, metricsOf(lists)])),
    judgeErrors: Object.fromEntries(tally.judgeErrors),
    toolCalls: metricsOf(tally.toolCalls),
    tokens: {
      agent: metricsOf(tally.tokens.agent),
      reference: metricsOf(tally.tokens.reference),
      judge: metricsOf(tally.tokens.judge),
    },
    costUsd: metricsOf(tally.costUsd),
    modelUse: {
      agent: addModelUse(tally.modelUse.agent),
      reference: addModelUse(tally.modelUse.reference),
      judge: addModelUse(tally.modelUse.judge),
    },
    deviations: {
      episodes: tally.deviations.length,
      deviating: tally.deviations.filter((count) => count > 0).length,
      total: tally.deviations.reduce((sum, count) => sum + count, 0),
    },
  };
}

function note(list: number[], value: number | null): void {
  if (value !== null) list.push(value);
}

function listsFor<K extends string>(names: readonly K[]): Lists<K> {
  return Object.fromEntries(names.map((name) => [name, []])) as unknown as Lists<K>;
}

function metricsOf<K extends string>(lists: Lists<K>): Metrics<K> {
  const entries = Object.entries<number[]>(lists).map(([name, list]) => [name, metricOf(list)]);
  return Object.fromEntries(entries) as Metrics<K>;
}

function noCounts(): Record<Outcome, number> {
  return { pass: 0, fail: 0, error: 0, inconclusive: 0 };
}

function groupBy<K>(records: Iterable<EpisodeRecord>, keyOf: (record: EpisodeRecord) => K): Map<K, EpisodeRecord[]> {
  const groups = new Map<K, EpisodeRecord[]>();
  for (const record of records) entryOf(groups, keyOf(record), () => []).push(record);
  return groups;
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let entry = map.get(key);
  if (entry === undefined) {
    entry = make();
    map.set(key, entry);
  }
  return entry;
}
