import { z } from "zod";
import type { Usage } from "./trajectory.ts";

/** What a party's model calls used: counts, and sums of what is known. Where something is unknown, a sum is a lower bound. */
export const modelUseSchema = z.strictObject({
  calls: z.int().describe("turns of a model"),
  cached: z.int().describe("of those, answers from the response cache"),
  unknown: z.int().describe("turns whose tokens the endpoint does not tell"),
  unpriced: z.int().describe("turns whose cost is unknown"),
  prompt: z.number(),
  cachedPrompt: z.number(),
  output: z.number(),
  reasoning: z.number(),
  costUsd: z.number(),
});
export type ModelUse = z.infer<typeof modelUseSchema>;

/** No model call. */
export const NO_MODEL_USE: ModelUse = {
  calls: 0,
  cached: 0,
  unknown: 0,
  unpriced: 0,
  prompt: 0,
  cachedPrompt: 0,
  output: 0,
  reasoning: 0,
  costUsd: 0,
};

/** The use of one turn. */
export function useOfTurn(turn: {
  readonly usage: Usage;
  readonly costUsd: number | null;
  readonly cached?: boolean | undefined;
}): ModelUse {
  const { usage, costUsd } = turn;
  return {
    calls: 1,
    cached: turn.cached === true ? 1 : 0,
    unknown: usage.prompt === null || usage.output === null ? 1 : 0,
    unpriced: costUsd === null ? 1 : 0,
    prompt: usage.prompt ?? 0,
    cachedPrompt: usage.cachedPrompt ?? 0,
    output: usage.output ?? 0,
    reasoning: usage.reasoning ?? 0,
    costUsd: costUsd ?? 0,
  };
}

const KEYS = Object.keys(NO_MODEL_USE) as (keyof ModelUse)[];

/** The sum of several uses. */
export function addModelUse(uses: Iterable<ModelUse>): ModelUse {
  const sum = { ...NO_MODEL_USE };
  for (const use of uses) for (const key of KEYS) sum[key] += use[key];
  return sum;
}
