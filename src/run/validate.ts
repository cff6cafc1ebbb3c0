import { resolveAgent } from "../agent/resolve.ts";
import { hashJson } from "../base/canonical-json.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { EpisodeOutput } from "../episode/episode.ts";
import { rulesJudge } from "../grade/rules-judge.ts";
import { equalSnapshots } from "../grade/state/compare.ts";
import type { Environment } from "../pool/connection.ts";
import type { Catalogue } from "../pool/remote-member.ts";
import type { LoadedQuery } from "../suite/load.ts";
import { type EpisodeTask, type Evaluation, type EvaluationContext, evaluate } from "./evaluate.ts";
import { runQueue } from "./schedule.ts";
import type { RunSettings } from "./settings.ts";
import { createWorlds } from "./worlds.ts";

/** Something that is wrong with a query or its plan. */
export interface ValidationProblem {
  readonly seed: number;
  readonly check: "goal" | "plan" | "facts" | "state" | "variant" | "oracle" | "noop" | "random" | "parrot" | "episode";
  readonly message: string;
}

/** What validating one query gave. */
export interface QueryValidation {
  readonly id: string;
  readonly episodes: number;
  readonly problems: readonly ValidationProblem[];
}

/** What {@link validateQueries} needs. */
export interface ValidationInput {
  readonly queries: readonly LoadedQuery[];
  readonly servers: readonly ServerConfig[];
  readonly catalogue: Catalogue;
  readonly env: Environment;
  /** Three seeds, or more. */
  readonly seeds: readonly number[];
  readonly concurrency: number;
  readonly stop: AbortSignal;
  readonly interrupted: AbortSignal;
  /** Called as soon as a query is done. */
  readonly onQuery: (validation: QueryValidation) => void;
}

const RUNS = 3;
const MUST_FAIL = ["noop", "random", "parrot"] as const;

/**
 * Proves queries and their plans. On each seed, with the clock frozen, the plan runs three times as reference beside the `oracle`,
 * which has to pass each time; facts and states of the three have to be equal, and every goal has to hold. `noop`, `random` and
 * `parrot` have to fail.
 * @returns in the order of the queries; those that a stop cut short are left out
 */
export async function validateQueries(input: ValidationInput): Promise<QueryValidation[]> {
  const context: EvaluationContext = {
    settings: settingsOf(input),
    worlds: createWorlds({ salt: "", faults: true }),
    catalogue: input.catalogue,
    env: input.env,
    interrupted: input.interrupted,
  };
  const validations = new Map<string, QueryValidation>();
  await runQueue(input.queries, input.concurrency, input.stop, async (loaded) => {
    const validation = await validateQuery(loaded, input.seeds, context);
    if (input.interrupted.aborted) return;
    validations.set(loaded.query.id, validation);
    input.onQuery(validation);
  });
  return input.queries.flatMap(({ query }) => validations.get(query.id) ?? []);
}

function settingsOf({ queries, servers, seeds }: ValidationInput): RunSettings {
  return {
    queries,
    servers,
    seeds,
    agents: ["oracle", ...MUST_FAIL].map((name) => resolveAgent(name)),
    repeats: RUNS,
    judges: [rulesJudge],
    reference: "parallel",
    follower: null,
    faults: true,
    salt: null,
    limits: { rounds: null, timeSeconds: 300, tokens: null, costUsd: null },
    poolSize: 15,
    distractors: null,
  };
}

async function validateQuery(
  loaded: LoadedQuery,
  seeds: readonly number[],
  context: EvaluationContext,
): Promise<QueryValidation> {
  const problems: ValidationProblem[] = [];
  let episodes = 0;
  const run = (agent: string, seed: number, repeat: number): Promise<Evaluation> => {
    episodes++;
    const task: EpisodeTask = { loaded, agent: resolveAgent(agent), seed, repeat };
    return evaluate(task, context);
  };
  for (const seed of seeds) {
    const found = await validateSeed(seed, run);
    problems.push(...found);
    if (context.interrupted.aborted) break;
  }
  return { id: loaded.query.id, episodes, problems };
}

async function validateSeed(
  seed: number,
  run: (agent: string, seed: number, repeat: number) => Promise<Evaluation>,
): Promise<ValidationProblem[]> {
  const runs: Evaluation[] = [];
  for (let repeat = 0; repeat < RUNS; repeat++) {
    const evaluation = await run("oracle", seed, repeat);
    const found = referenceProblems(seed, evaluation);
    // What breaks the first run would be told again by all others.
    if (found.length > 0) return found;
    runs.push(evaluation);
  }
  const problems = runs.flatMap(({ record }): ValidationProblem[] =>
    record.outcome === "pass" ? [] : [{ seed, check: "oracle", message: `oracle must pass: ${record.reason}` }],
  );
  problems.push(
    ...differences(
      seed,
      runs.map(({ output }) => output),
    ),
  );
  for (const agent of MUST_FAIL) {
    const { record } = await run(agent, seed, 0);
    if (record.outcome === "fail") continue;
    problems.push({
      seed,
      check: agent,
      message: `${agent} must fail, and its outcome is ${record.outcome}: ${record.reason}`,
    });
  }
  return problems;
}

/** What is wrong with the reference of one run, apart from its grades. */
function referenceProblems(seed: number, { record, output }: Evaluation): ValidationProblem[] {
  const { failure, reference, variants } = output.evidence;
  if (failure !== null) return [{ seed, check: "episode", message: failure.message }];
  if (reference.stop.reason !== "answered") {
    return [{ seed, check: "plan", message: `the plan breaks: ${reference.stop.detail}` }];
  }
  const goals = reference.goals
    .filter(({ holds }) => !holds)
    .map(({ text, error }): ValidationProblem => {
      const why = error === undefined ? "" : ` (${error})`;
      return { seed, check: "goal", message: `a goal fails on the plan's end: ${text}${why}` };
    });
  const broken = variants
    .filter(({ end }) => end === null)
    .map(({ id }): ValidationProblem => ({ seed, check: "variant", message: `the variant ${id} breaks` }));
  if (goals.length + broken.length > 0) return [...goals, ...broken];
  return record.outcome === "error" ? [{ seed, check: "episode", message: record.reason }] : [];
}

/** Where runs of one seed differ in facts or states of their reference. */
function differences(seed: number, outputs: readonly EpisodeOutput[]): ValidationProblem[] {
  const [first, ...others] = outputs;
  if (first === undefined) return [];
  return others.flatMap(({ evidence }): ValidationProblem[] => {
    const { before, reference, rules } = first.evidence;
    const found: ValidationProblem[] = [];
    if (hashJson(reference.facts) !== hashJson(evidence.reference.facts)) {
      found.push({ seed, check: "facts", message: "two runs of the plan find different facts" });
    }
    if (before === null || reference.end === null || evidence.reference.end === null) return found;
    const paths = equalSnapshots(reference.end, evidence.reference.end, before, rules);
    if (paths.length > 0) {
      const message = `two runs of the plan end in different states: ${paths.slice(0, 3).join(", ")}`;
      found.push({ seed, check: "state", message });
    }
    return found;
  });
}
