import { z } from "zod";
import { suites, tiers } from "../suite/schema.ts";
import { callStatsSchema, factGradeSchema, stateGradeSchema, verdictSchema } from "./grades.ts";
import { modelUseSchema } from "./model-use.ts";
import { outcomes } from "./outcome.ts";
import { stopReasons, usageSchema } from "./trajectory.ts";

/** Where a record's longer part lies in a file of the run folder, in bytes. */
const locationSchema = z.strictObject({ offset: z.int().min(0), length: z.int().min(1) });
export type Location = z.infer<typeof locationSchema>;

/** Tokens of one party. Unknown usage is null. `toolResponse` is an estimate: UTF-8 bytes of what tools returned / 4. */
const tokensSchema = z.strictObject({ ...usageSchema.shape, toolResponse: z.number().nullable() });
export type Tokens = z.infer<typeof tokensSchema>;

const partiesOf = <T extends z.ZodType>(schema: T) =>
  z.strictObject({ agent: schema, reference: schema, judge: schema });

export const referenceModes = ["parallel", "aligned", "bracket", "llm"] as const;
export type ReferenceMode = (typeof referenceModes)[number];

const sideSchema = z.strictObject({
  stop: z.enum(stopReasons),
  detail: z.string(),
  answer: z.string().nullable(),
  ms: z.number(),
  calls: callStatsSchema,
});

/** A graded episode: one line of `episodes.jsonl`. */
export const episodeRecordSchema = z.strictObject({
  key: z.string().describe("query, agent, seed and repeat; unique in a run"),
  query: z.string(),
  suite: z.enum(suites),
  tier: z.enum(tiers),
  agent: z.string(),
  seed: z.int(),
  repeat: z.int().min(0),
  startedAt: z.string().describe("UTC, ISO 8601"),
  ms: z.number(),
  skewMs: z.number().nullable().describe("how much later the tested side's first act started than the reference's"),
  outcome: z.enum(outcomes),
  reason: z.string().describe("why it counts so, in one sentence"),
  error: z
    .strictObject({ code: z.string(), message: z.string(), server: z.string().nullable() })
    .nullable()
    .describe("what went wrong, for `error` and `inconclusive`"),
  referenceMode: z.enum(referenceModes),
  deviations: z
    .array(z.string())
    .nullable()
    .default(null)
    .describe("where a model that played the reference left the plan; null if none played it"),
  variant: z.string().nullable().describe("the variant of the plan whose end matched, null for the plan's own"),
  reference: sideSchema.nullable(),
  tested: sideSchema.nullable(),
  state: stateGradeSchema.nullable().describe("null where no state is scored or the sides could not be compared"),
  facts: z.array(factGradeSchema).nullable().describe("null if the query asks for none or they could not be compared"),
  judges: z.record(z.string(), verdictSchema),
  offered: z
    .strictObject({ tools: z.int(), hash: z.string() })
    .nullable()
    .describe("what the tested agent was offered"),
  tokens: partiesOf(tokensSchema),
  costUsd: partiesOf(z.number().nullable()),
  modelUse: partiesOf(modelUseSchema).describe("model calls and the sums of what is known of them"),
  trajectories: locationSchema,
  states: locationSchema.nullable(),
});
export type EpisodeRecord = Readonly<z.infer<typeof episodeRecordSchema>>;

/** The key of an episode within a run. */
export function episodeKey(of: { query: string; agent: string; seed: number; repeat: number }): string {
  return `${of.query}|${of.agent}|${of.seed}|${of.repeat}`;
}
