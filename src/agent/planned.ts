import type { Fact } from "../suite/fact.ts";
import type { Plan, Step } from "../suite/schema.ts";
import type { Agent } from "./agent.ts";
import { interpretPlan, type PlanOutcome } from "./interpreter.ts";

/** What an agent that follows the plan is given beside its task. */
export interface PlanMaterial {
  readonly plan: Plan;
  /** Other steps than the plan's own, for a variant. */
  readonly steps?: readonly Step[];
  readonly answer?: Plan["answer"];
  /** Values of the query for this seed. */
  readonly scope: Readonly<Record<string, unknown>>;
}

/** An agent that follows a plan exactly, and what it found on the way. */
export interface PlannedAgent extends Agent {
  /** Facts and breakage of the last run; null before it. */
  outcome(): PlanOutcome | null;
}

/**
 * The plan's interpreter as an agent: exact, free, without a model. It is the default reference agent, and `oracle` when
 * it is tested.
 */
export function plannedAgent(name: string, material: PlanMaterial): PlannedAgent {
  let outcome: PlanOutcome | null = null;
  return {
    name,
    outcome: () => outcome,
    async run(task) {
      outcome = await interpretPlan({
        steps: material.steps ?? material.plan.steps,
        recover: material.plan.recover ?? [],
        answer: material.answer ?? material.plan.answer ?? {},
        scope: material.scope,
        call: task.call,
      });
      const { broken } = outcome;
      if (broken === null) return { text: outcome.answerText };
      const dead = broken.outcome === "broken" || broken.outcome === "timeout";
      return {
        text: outcome.answerText,
        reason: dead ? "server" : "broken-plan",
        detail: `step ${broken.step}: ${broken.reason}`,
      };
    },
  };
}

const MOST_SHOWN = 200_000;

/**
 * Follows the plan's reading steps and answers with all that it saw, so that a grader which finds a fact in any heap of
 * text is found out.
 */
export function parrotAgent(material: PlanMaterial): Agent {
  return {
    name: "parrot",
    async run(task) {
      const effects = new Map(task.tools.map((tool) => [`${tool.server}.${tool.tool}`, tool.effect]));
      const seen: string[] = [];
      await interpretPlan({
        steps: material.steps ?? material.plan.steps,
        recover: [],
        answer: {},
        scope: material.scope,
        only: (call) => effects.get(call) === "read",
        call: async (name, args) => {
          const result = await task.call(name, args);
          seen.push(result.text);
          return result;
        },
      });
      return { text: seen.join("\n").slice(0, MOST_SHOWN) };
    },
  };
}

/** Facts that a planned agent found, none if it never ran. */
export function factsOf(agent: PlannedAgent): readonly Fact[] {
  return agent.outcome()?.facts ?? [];
}
