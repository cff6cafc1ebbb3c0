import { TandemError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { PROJECT_FILE, type Project } from "../config/project.ts";
import type { Models } from "../model/models.ts";
import type { Agent, AgentAnswer, AgentTask } from "./agent.ts";
import { noop, randomAgent } from "./baselines.ts";
import { execAgent } from "./exec/exec-agent.ts";
import { isModulePath, loadAgentModule } from "./module-agent.ts";
import { type PlanMaterial, parrotAgent, plannedAgent } from "./planned.ts";
import { reactAgent, reactConfiguration } from "./react/react.ts";
import type { Strategy } from "./react/strategy.ts";

/** Makes an agent for one episode. Only agents that stand for a known truth look at the plan. */
export interface AgentFactory {
  readonly name: string;
  readonly help: string;
  /** What decides its results, for the run's configuration; left out if the name says all. */
  readonly configuration?: JsonObject;
  /** Values that must not show in anything that is written. */
  readonly secrets?: readonly string[];
  create(material: PlanMaterial): Agent;
}

/** The agents that need no model. */
export const builtInAgents: readonly AgentFactory[] = [
  {
    name: "oracle",
    help: "follows the plan: what a perfect agent scores",
    create: (material) => plannedAgent("oracle", material),
  },
  { name: "noop", help: "answers at once and calls nothing", create: () => noop },
  { name: "random", help: "makes seeded calls that fit the schemas", create: () => randomAgent },
  {
    name: "parrot",
    help: "follows the plan's reading steps and answers with all that it saw",
    create: parrotAgent,
  },
];

/** What agents that are more than a name are made from. */
export interface AgentSources {
  readonly project: Project;
  readonly models: Models;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly strategy: Strategy;
  /** Name of the embeddings model, or null for BM25. */
  readonly embedder: string | null;
  /** Model of an agent `react` that names none. */
  readonly model: string | null;
}

/**
 * The factories of agents' names, each once: as {@link resolveAgent}, or modules by their paths.
 * @param cwd folder that paths start from
 */
export async function resolveAgents(
  names: readonly string[],
  sources: AgentSources,
  cwd: string,
): Promise<AgentFactory[]> {
  return Promise.all(
    [...new Set(names)].map((name) => (isModulePath(name) ? loadAgentModule(name, cwd) : resolveAgent(name, sources))),
  );
}

/**
 * The factory of an agent's name: one of {@link builtInAgents}, `react:<model>` or `exec:<name>`.
 * @throws TandemError `usage.unknown-agent`, `usage.no-model`; of `credentials` or `config` for its model or command
 */
export function resolveAgent(name: string, sources?: AgentSources): AgentFactory {
  const found = builtInAgents.find((factory) => factory.name === name);
  if (found !== undefined) return found;
  const [kind, rest = ""] = splitOnce(name);
  if (kind === "react" && sources !== undefined) return reactFactory(name, rest, sources);
  if (kind === "exec" && sources !== undefined) return execFactory(rest, sources);
  const names = builtInAgents.map((factory) => factory.name).join(", ");
  throw new TandemError("usage.unknown-agent", `there is no agent ${name}`, {
    hint: `Agents: ${names}, react:<model>, exec:<name>, or the path of a module.`,
  });
}

function splitOnce(name: string): [string, string?] {
  const colon = name.indexOf(":");
  return colon < 0 ? [name] : [name.slice(0, colon), name.slice(colon + 1)];
}

function reactFactory(name: string, given: string, sources: AgentSources): AgentFactory {
  const model = given === "" ? sources.model : given;
  if (model === null || model === "") {
    throw new TandemError("usage.no-model", `the agent ${name} names no model`, {
      hint: "Write react:<model>, or give --model.",
    });
  }
  const { project, models, embedder, strategy } = sources;
  const setting = {
    name,
    model: models.chat(model),
    strategy,
    embedder: embedder === null ? null : models.embedder(embedder),
    lenient: project.arguments === "lenient",
  };
  return {
    name,
    help: `${model} in rounds of thought, call and result`,
    configuration: reactConfiguration(setting),
    create: () => reactAgent(setting),
  };
}

function execFactory(name: string, { project, env }: AgentSources): AgentFactory {
  const entry = Object.hasOwn(project.agents, name) ? project.agents[name] : undefined;
  if (entry !== undefined) return execAgent(name, entry, { env, folder: project.folder });
  const known = Object.keys(project.agents);
  const where = project.file ?? PROJECT_FILE;
  throw new TandemError("usage.unknown-agent", `there is no agent exec:${name}: ${where} has no agents.${name}`, {
    hint:
      known.length === 0
        ? `Add it to ${where}; docs/outside-agents.md has entries for common agents.`
        : `It has: ${known.join(", ")}.`,
    details: { agent: name, file: where },
  });
}

/** What an agent of your own does with a task: it gives its answer, or {@link AgentAnswer} if it stopped without one. */
export type AgentFunction = (task: AgentTask) => AgentAnswer | string | Promise<AgentAnswer | string>;

/**
 * An agent of your own, from what it does with a task. The same function works on all episodes, so it must not keep anything
 * between them. In a module that exports it as `agent`, or as its default, it can be named on the command line:
 * `--agent ./my-agent.js`.
 */
export function defineAgent(
  run: AgentFunction,
  options: { readonly name?: string; readonly help?: string } = {},
): AgentFactory {
  const { name = "function", help = "" } = options;
  const agent: Agent = {
    name,
    run: async (task) => {
      const answer = await run(task);
      return typeof answer === "string" ? { text: answer } : answer;
    },
  };
  return { name, help, create: () => agent };
}
