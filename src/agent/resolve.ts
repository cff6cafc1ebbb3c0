import { TandemError } from "../base/errors.ts";
import type { Agent } from "./agent.ts";
import { noop, randomAgent } from "./baselines.ts";
import { type PlanMaterial, parrotAgent, plannedAgent } from "./planned.ts";

/** Makes an agent for one episode. Only agents that stand for a known truth look at the plan. */
export interface AgentFactory {
  readonly name: string;
  readonly help: string;
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

/**
 * The factory of an agent's name.
 * @throws TandemError `usage.unknown-agent`
 */
export function resolveAgent(name: string): AgentFactory {
  const found = builtInAgents.find((factory) => factory.name === name);
  if (found !== undefined) return found;
  const names = builtInAgents.map((factory) => factory.name).join(", ");
  throw new TandemError("usage.unknown-agent", `there is no agent ${name}`, { hint: `Agents: ${names}.` });
}

/**
 * An agent of your own: what it does with a task. The same function works on all episodes, so it must not keep anything between
 * them.
 */
export function defineAgent(name: string, run: Agent["run"], help = ""): AgentFactory {
  return { name, help, create: () => ({ name, run }) };
}
