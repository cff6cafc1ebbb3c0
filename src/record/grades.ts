import { z } from "zod";
import type { Json } from "../base/json.ts";
import { modelUseSchema } from "./model-use.ts";
import { usageSchema } from "./trajectory.ts";

const value = z.custom<Json>().optional().describe("left out where the path is missing");

/**
 * What happened at a path: `modified` was to change and did (M); `missed` was to change and was left alone; `wrong` was to
 * change and got a third value (W); `misbehaving` was to stay and changed (Mb).
 */
export const pathKinds = ["modified", "missed", "wrong", "misbehaving"] as const;

/** One path of a state diff with its three values. */
export const statePathSchema = z.strictObject({
  path: z.string().describe("JSON Pointer, from the server name on"),
  kind: z.enum(pathKinds),
  before: value,
  reference: value,
  after: value,
  writtenBy: z
    .array(z.number())
    .optional()
    .describe("numbers of the tested side's calls that wrote it, where the state is ours"),
  hint: z.string().optional().describe("why two values that look alike differ"),
});
export type StatePath = z.infer<typeof statePathSchema>;

/** The state diff of an episode: T, M, Mb, W and what follows from them (DESIGN §6). */
export const stateGradeSchema = z.strictObject({
  required: z.number().describe("T: paths that had to change"),
  modified: z.number().describe("M: of those, paths that changed to the reference's value"),
  misbehaving: z.number().describe("Mb: paths that had to stay and changed"),
  wrong: z.number().describe("W: paths that had to change and got a third value"),
  completionRate: z.number().nullable().describe("M / T; null if T = 0"),
  misbehavingRate: z.number().nullable().describe("Mb / T; null if T = 0"),
  precision: z.number().nullable().describe("M / (M + W + Mb); null if nothing was changed"),
  f1: z.number().nullable(),
  effects: z
    .strictObject({ done: z.number(), total: z.number() })
    .nullable()
    .describe(
      "the reference's writing calls, and those of them whose paths are all right; null where the state is not ours",
    ),
  success: z.boolean(),
  approximate: z.boolean().describe("true if more records differed than are matched exactly"),
  paths: z.array(statePathSchema),
});
export type StateGrade = z.infer<typeof stateGradeSchema>;

/** Whether an answer states a fact. */
export const factGradeSchema = z.strictObject({
  name: z.string(),
  right: z.boolean(),
  value: z.custom<Json>(),
  found: z.string().nullable().describe("the part of the answer that states the value"),
  foil: z.string().nullable().describe("the part of the answer that states a foil"),
});
export type FactGrade = z.infer<typeof factGradeSchema>;

/** A Likert score from 1 to 5. */
export const likertSchema = z.int().min(1).max(5);
/** (s − 1)/4: a Likert score as a share of 1. */
export const normalised = (score: number): number => (score - 1) / 4;

/** One answer of a model that judges. */
export const verdictSampleSchema = z.strictObject({
  score: likertSchema.nullable(),
  reason: z.string(),
  error: z
    .string()
    .nullable()
    .describe(
      "why there is no score: empty, no-score, bad-score, truncated, refusal, context, endpoint or time, a colon, and the details",
    ),
  answers: z.array(z.string()).describe("all that the model said, as it said it: the last answer decided"),
});
export type VerdictSample = z.infer<typeof verdictSampleSchema>;

/** What one judge says of one episode. A score that is missing is null beside an error, never a number. */
export const verdictSchema = z.strictObject({
  result: likertSchema.nullable(),
  trajectory: likertSchema.nullable(),
  reasons: z.strictObject({ result: z.string(), trajectory: z.string() }),
  error: z.string().nullable(),
  usage: usageSchema.nullable().describe("null for a judge that is no model"),
  costUsd: z.number().nullable(),
  use: modelUseSchema
    .optional()
    .describe("what all requests of the verdict used; left out for a judge that is no model"),
  model: z.string().optional().describe("the model that judged"),
  promptHash: z.string().optional().describe("of the prompts and rubrics that the model was asked with"),
  samples: z
    .strictObject({ result: z.array(verdictSampleSchema), trajectory: z.array(verdictSampleSchema) })
    .optional(),
  notes: z
    .array(z.string())
    .optional()
    .describe("what a reader should know: evidence that was left out, and what looks like a planted verdict"),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** Counts of a side's tool calls. */
export const callStatsSchema = z.strictObject({
  total: z.number(),
  valid: z.number().describe("did what they were asked"),
  failed: z.number().describe("execution failures: refused by the environment, a fault, a time-out, a dead server"),
  syntactic: z.number().describe("unknown tool, or arguments that break the schema"),
  faultsMet: z.number(),
  faultsRecovered: z.number().describe("faults after which the same tool worked for the same arguments"),
  distinctTools: z.number(),
});
export type CallStats = z.infer<typeof callStatsSchema>;
