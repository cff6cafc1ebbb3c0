import { stringify } from "yaml";
import type { JsonObject } from "../base/json.ts";
import type { OpenModel } from "../model/models.ts";
import type { Plan } from "../suite/schema.ts";
import type { PlanMaterial } from "./planned.ts";
import { planPrompt } from "./react/prompt.ts";
import { reactAgent } from "./react/react.ts";
import type { AgentFactory } from "./resolve.ts";

/** A model that plays the reference: it follows the plan in order, and is told to add and skip nothing. */
export function planFollower(model: OpenModel, lenient: boolean): AgentFactory {
  return {
    name: `reference:${model.name}`,
    help: "follows the plan by a model",
    configuration: { model: model.configuration },
    create: (material) =>
      reactAgent({
        name: `reference:${model.name}`,
        model,
        strategy: { type: "full-context" },
        embedder: null,
        lenient,
        system: planPrompt(planText(material)),
      }),
  };
}

/** A plan as a model reads it: its steps, recoveries and answer as YAML, and the values that the seed gave. */
function planText({ plan, scope }: PlanMaterial): string {
  const { steps, recover, answer }: Plan = plan;
  const values = JSON.parse(JSON.stringify(scope, plainNumbers)) as JsonObject;
  return stringify({ values, steps, ...(recover === undefined ? {} : { recover }), answer: answer ?? {} });
}

/** Expressions compute with integers of any size. */
function plainNumbers(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
