import type { AgentFactory } from "../agent/resolve.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { Judge } from "../grade/judge.ts";
import { rulesJudge } from "../grade/rules-judge.ts";
import type { Environment } from "../pool/connection.ts";
import type { LoadedQuery } from "../suite/load.ts";
import { type Evaluation, evaluate } from "./evaluate.ts";
import type { RunSettings } from "./settings.ts";
import { createWorlds } from "./worlds.ts";

/** What {@link runEpisode} takes. */
export interface EpisodeOptions {
  readonly query: LoadedQuery;
  readonly agent: AgentFactory;
  readonly seed: number;
  readonly repeat?: number;
  /** All servers that the pool may be drawn from, see `loadServers`. */
  readonly servers: readonly ServerConfig[];
  /** Default: the `rules` judge. */
  readonly judges?: readonly Judge[];
  /** Default `parallel`. */
  readonly reference?: RunSettings["reference"];
  /** The model that plays the reference `llm`. */
  readonly follower?: AgentFactory;
  readonly limits?: Partial<RunSettings["limits"]>;
  /** Servers per side, 15 by default. */
  readonly poolSize?: number;
  /** Tools offered beside those that the query needs; all of the pool, if left out. */
  readonly distractors?: number;
  /** False switches all faults off. */
  readonly faults?: boolean;
  readonly salt?: string;
  /** Where `PATH`, `HOME` and the like of child processes come from. */
  readonly env?: Environment;
  readonly signal?: AbortSignal;
}

/** Runs and grades one episode by itself, without a run folder. Never rejects: what goes wrong is an outcome. */
export function runEpisode(options: EpisodeOptions): Promise<Evaluation> {
  const { query, agent, seed, repeat = 0, faults = true, salt = null } = options;
  return evaluate(
    { loaded: query, agent, seed, repeat },
    {
      settings: {
        queries: [query],
        agents: [agent],
        seeds: [seed],
        repeats: 1,
        judges: options.judges ?? [rulesJudge],
        reference: options.reference ?? "parallel",
        follower: options.follower ?? null,
        faults,
        salt,
        limits: { rounds: 30, timeSeconds: 300, tokens: null, costUsd: null, ...options.limits },
        poolSize: options.poolSize ?? 15,
        distractors: options.distractors ?? null,
        servers: options.servers,
      },
      worlds: createWorlds({ salt: salt ?? "", faults }),
      catalogue: new Map(),
      env: options.env ?? process.env,
      interrupted: options.signal ?? new AbortController().signal,
    },
  );
}
