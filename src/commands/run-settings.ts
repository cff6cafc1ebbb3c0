import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { planFollower } from "../agent/plan-follower.ts";
import { parseStrategy } from "../agent/react/strategy.ts";
import { resolveAgents } from "../agent/resolve.ts";
import { errorMessage, TandemError } from "../base/errors.ts";
import { addFaults, readFaults } from "../config/fault-file.ts";
import type { Project } from "../config/project.ts";
import type { Models } from "../model/models.ts";
import type { RunSettings } from "../run/settings.ts";
import type { Host } from "./host.ts";
import { resolveJudges } from "./judges.ts";

/** The flags of `run` that decide what the numbers are. */
export const settingFlags = {
  agent: z.array(z.string()),
  model: z.string().optional(),
  judge: z.array(z.string()),
  reference: z.enum(["parallel", "bracket", "llm"]),
  repeats: z.number(),
  seed: z.number(),
  seeds: z.number(),
  salt: z.string().optional(),
  maxRounds: z.number(),
  poolSize: z.number(),
  distractors: z.union([z.number(), z.literal("all")]),
  strategy: z.string(),
  embedder: z.string().optional(),
  faults: z.string(),
  timeLimit: z.number(),
  tokenLimit: z.number().optional(),
  costLimit: z.number().optional(),
};
const flagsSchema = z.object(settingFlags);
/** Values of {@link settingFlags}. */
export type SettingFlags = z.output<typeof flagsSchema>;

/** What flags are made into settings with. */
export interface SettingSources {
  readonly host: Host;
  readonly project: Project;
  readonly models: Models;
  readonly queries: RunSettings["queries"];
  readonly servers: RunSettings["servers"];
}

/**
 * The settings of a run.
 * @throws TandemError of `usage`, `config` or `credentials`, before anything runs
 */
export async function settingsOf(flags: SettingFlags, sources: SettingSources): Promise<RunSettings> {
  const { host, project, models, queries, servers } = sources;
  return {
    queries,
    servers: withFaultFile(flags.faults, host, servers),
    agents: await resolveAgents(
      flags.agent,
      {
        project,
        models,
        env: host.env,
        strategy: parseStrategy(flags.strategy),
        embedder: embedderName(flags.embedder),
        model: flags.model ?? null,
      },
      host.cwd,
    ),
    seeds: Array.from({ length: flags.seeds }, (_, i) => flags.seed + i),
    repeats: flags.repeats,
    judges: resolveJudges(flags.judge, { models, model: flags.model ?? null, cwd: host.cwd }),
    reference: flags.reference,
    follower: flags.reference === "llm" ? followerOf(flags, sources) : null,
    faults: flags.faults !== "off",
    salt: flags.salt === undefined ? null : readSalt(resolve(host.cwd, flags.salt)),
    limits: {
      rounds: flags.maxRounds,
      timeSeconds: flags.timeLimit,
      tokens: flags.tokenLimit ?? null,
      costUsd: flags.costLimit ?? null,
    },
    poolSize: flags.poolSize,
    distractors: flags.distractors === "all" ? null : flags.distractors,
  };
}

function followerOf({ model }: SettingFlags, { models, project }: SettingSources): RunSettings["follower"] {
  if (model !== undefined) return planFollower(models.chat(model), project.arguments === "lenient");
  throw new TandemError("usage.no-model", "--reference llm needs a model that follows the plan", {
    hint: "Give --model.",
  });
}

/** `openai:<model>` as a model's name. */
function embedderName(text: string | undefined): string | null {
  if (text === undefined) return null;
  const name = /^openai:(.+)$/.exec(text)?.[1];
  if (name !== undefined) return name;
  throw new TandemError("usage.bad-embedder", `there is no embedder ${text}`, {
    hint: "Write openai:<model>, with an embeddings model or its alias; without --embedder tools are found by BM25.",
  });
}

/** The servers with the faults of the file that `--faults` names, if it names one. */
function withFaultFile(faults: string, host: Host, servers: RunSettings["servers"]): RunSettings["servers"] {
  if (faults === "on" || faults === "off") return servers;
  const file = resolve(host.cwd, faults);
  return addFaults(servers, readFaults(file), file);
}

function readSalt(file: string): string {
  let salt: string;
  try {
    salt = readFileSync(file, "utf8").trim();
  } catch (thrown) {
    throw new TandemError("usage.no-salt", `cannot read the salt: ${errorMessage(thrown)}`, {
      hint: "Give a file that holds a secret text of your own.",
      details: { file },
    });
  }
  if (salt !== "") return salt;
  throw new TandemError("usage.empty-salt", `the salt file ${file} is empty`, {
    hint: "Write a secret text of your own into it.",
    details: { file },
  });
}
