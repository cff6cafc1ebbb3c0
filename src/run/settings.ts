import { createHash } from "node:crypto";
import type { AgentFactory } from "../agent/resolve.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import { redactor } from "../base/redact.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { Limits } from "../episode/limits.ts";
import type { Judge } from "../grade/judge.ts";
import type { LoadedQuery } from "../suite/load.ts";

/** All that decides what a run's numbers are. How many episodes go on at a time, or how they are shown, is not among it. */
export interface RunSettings {
  readonly queries: readonly LoadedQuery[];
  readonly agents: readonly AgentFactory[];
  readonly seeds: readonly number[];
  readonly repeats: number;
  readonly judges: readonly Judge[];
  readonly reference: "parallel" | "bracket" | "llm";
  /** The model that plays the reference; null unless that is `llm`. */
  readonly follower: AgentFactory | null;
  readonly faults: boolean;
  /** Text that enters every draw of a sealed run, or null. */
  readonly salt: string | null;
  readonly limits: Limits;
  readonly poolSize: number;
  /** Tools that an agent is offered beside those that the query needs; null for all of the pool. */
  readonly distractors: number | null;
  /** All configured servers that can be used, in the order of the file. */
  readonly servers: readonly ServerConfig[];
}

/**
 * The settings as a run folder keeps them: plain data without a secret. Two runs with equal configurations give equal
 * episodes, as far as the world and the agents are reproducible.
 */
export function configurationOf(settings: RunSettings): JsonObject {
  const { limits, salt } = settings;
  return {
    queries: Object.fromEntries(settings.queries.map(({ query, hash }) => [query.id, hash])),
    agents: settings.agents.map(({ name }) => name),
    ...agentSettingsOf(settings),
    seeds: [...settings.seeds],
    repeats: settings.repeats,
    judges: settings.judges.map(({ name }) => name),
    ...judgeSettingsOf(settings),
    reference: settings.reference,
    clock: "frozen",
    faults: settings.faults,
    ...faultRulesOf(settings),
    saltHash: salt === null ? null : createHash("sha256").update(salt).digest("hex"),
    limits: { ...limits },
    poolSize: settings.poolSize,
    distractors: settings.distractors,
    servers: Object.fromEntries(settings.servers.map((server) => [server.name, writtenEntry(server)])),
  };
}

/** What decides the results of agents that are more than their name; nothing if there are none. */
function agentSettingsOf({ agents, follower }: RunSettings): JsonObject {
  const all = follower === null ? agents : [...agents, follower];
  const known = all.flatMap(({ name, configuration }) => (configuration === undefined ? [] : [[name, configuration]]));
  return known.length === 0 ? {} : { agentSettings: Object.fromEntries(known) };
}

/** What decides the verdicts of judges that are more than their name; nothing if there are none. */
function judgeSettingsOf({ judges }: RunSettings): JsonObject {
  const known = judges.flatMap(({ name, configuration }) =>
    configuration === undefined ? [] : [[name, configuration]],
  );
  return known.length === 0 ? {} : { judgeSettings: Object.fromEntries(known) };
}

/** The rules that the faults in front of servers follow, wherever they were written; nothing if there are none. */
function faultRulesOf({ faults, servers }: RunSettings): JsonObject {
  const rules = servers.flatMap((server) =>
    server.faults.length === 0 ? [] : [[server.name, server.faults] as const],
  );
  return !faults || rules.length === 0 ? {} : { faultRules: Object.fromEntries(rules) as unknown as JsonObject };
}

/** A server's entry as it stands in the file; what is secret in it is replaced. */
function writtenEntry({ source, secrets }: ServerConfig): JsonObject {
  const entry: unknown = JSON.parse(redactor(secrets)(JSON.stringify(source)));
  return isJsonObject(entry) ? entry : {};
}
