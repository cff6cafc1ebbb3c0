import { z } from "zod";
import { compareKinds } from "./fact.ts";

/** Tiers by reasoning and length of the tool chain. */
export const tiers = ["easy", "medium", "hard"] as const;
export type Tier = (typeof tiers)[number];

/** The suites: state-scored tasks, and tasks in a moving world. */
export const suites = ["sandbox", "live"] as const;
export type SuiteName = (typeof suites)[number];

const idPattern = /^[a-z][a-z0-9-]*$/;
const namePattern = /^[a-z][a-z0-9_]*$/;
const name = z.string().regex(namePattern, "an id is [a-z][a-z0-9_]*");
const value: z.ZodType<unknown> = z
  .json()
  .describe("a value; a text that begins with = is an expression, == escapes it");
const toolRef = z
  .string()
  .regex(/^[^.\s]+\.[^\s]+$/, "a tool is <Server>.<tool>")
  .describe("<Server>.<tool>");

/** A tool call as plans, `arrange` and `recover` write it. */
const callSchema = z.strictObject({
  call: toolRef,
  with: z.record(z.string(), value).optional().describe("arguments by name"),
});

/** A step of a plan: a call, a value, or a loop. */
export type Step = CallStep | LetStep | ForStep;
interface StepBase {
  readonly id?: string | undefined;
  readonly why?: string | undefined;
  readonly when?: string | boolean | undefined;
}
export interface CallStep extends StepBase {
  readonly call: string;
  readonly with?: Record<string, unknown> | undefined;
  readonly else?: unknown;
  readonly check?: boolean | undefined;
  readonly retry?: number | undefined;
}
export interface LetStep extends StepBase {
  readonly id: string;
  readonly let: unknown;
}
export interface ForStep extends StepBase {
  readonly for: unknown;
  readonly as: string;
  readonly do: readonly Step[];
  readonly yield?: unknown;
}

const stepBase = {
  id: name.optional().describe("later steps use the result under this name"),
  why: z.string().optional().describe("why the step is there, for people and for judges"),
  when: z
    .union([z.string(), z.boolean()])
    .optional()
    .describe("an expression; false skips the step, whose value is then null"),
};

const callStepSchema = z.strictObject({
  ...stepBase,
  ...callSchema.shape,
  else: value.optional().describe("the step's value if the call is refused; without it a refusal breaks the reference"),
  check: z.boolean().optional().describe("true: only looks, another way may leave it out"),
  retry: z.int().min(0).max(10).optional().describe("how often a transient failure is retried, 3 by default"),
});
const letStepSchema = z.strictObject({ ...stepBase, id: name, let: value.describe("computes a value") });
const forStepSchema: z.ZodType<ForStep> = z.strictObject({
  ...stepBase,
  for: value.describe("a list; the steps under `do` run once for each element"),
  as: name.describe("name of the element inside `do`"),
  get do() {
    return z.array(stepSchema).min(1);
  },
  yield: value.optional().describe("what each round contributes to the loop's value, by default the last step's value"),
});

/** One step; the key that it has (`call`, `let`, `for`) tells which kind it is. */
export const stepSchema: z.ZodType<Step> = z.union([callStepSchema, letStepSchema, forStepSchema]);

/** A fact of `answer`. A bare value is a fact whose comparison follows from its type. */
export const answerFactSchema = z.strictObject({
  value: value.describe("what a right answer states"),
  compare: z.enum(compareKinds).optional().describe("by default from the type of the value"),
  within: z.number().nonnegative().optional().describe("largest difference of a number that still counts"),
  foils: z.array(value).optional().describe("values that only a careless answer would state"),
});
export type AnswerFact = z.infer<typeof answerFactSchema>;

/** A fact as a plan writes it: with its fields, or as the bare value. */
const writtenFactSchema = z.union([
  answerFactSchema,
  z.union([z.string(), z.number(), z.boolean(), z.array(value)]).transform((bare): AnswerFact => ({ value: bare })),
]);

const answerSchema = z.record(name, writtenFactSchema).describe("only what the query asks to be told");

const variantSchema = z.strictObject({
  id: z.string().regex(idPattern),
  why: z.string().describe("why this end is as right as the first"),
  steps: z.array(stepSchema).min(1),
  answer: answerSchema.optional().describe("by default the plan's"),
});

/** The validated way to solve a query. */
export const planSchema = z.strictObject({
  steps: z.array(stepSchema).min(1),
  recover: z
    .array(
      z.strictObject({
        on: z.string().describe("a refusal whose text contains this (any case) is covered"),
        ...callSchema.shape,
      }),
    )
    .optional()
    .describe("what to call when a refusal is met, before the refused call is tried again"),
  answer: answerSchema.optional(),
  variants: z.array(variantSchema).optional().describe("other ends that are as right"),
});
export type Plan = z.infer<typeof planSchema>;

const comparerSchema = z.union([
  z.literal("any").describe("never compared, present or absent alike only if both sides have it"),
  z.literal("json").describe("compared as JSON values"),
  z.literal("csv").describe("compared as rows of cells, numbers by value"),
  z
    .strictObject({ contains: z.union([z.string(), z.array(z.string())]) })
    .describe("must contain these facts; each may be an expression"),
]);
export type TextComparer = z.infer<typeof comparerSchema>;

/** How a query's state is compared. Paths are JSON Pointers with * and **, from the server name on. */
export const stateRulesSchema = z.strictObject({
  ignore: z.array(z.string()).default([]).describe("paths that do not count"),
  ordered: z.array(z.string()).default([]).describe("arrays whose order matters"),
  numericText: z.array(z.string()).default([]).describe('texts compared as numbers: "130.00" equals 130'),
  text: z.record(z.string(), comparerSchema).default({}).describe("comparers for texts that the agent words itself"),
});
export type StateRules = z.infer<typeof stateRulesSchema>;

/** A task in natural language. */
export const querySchema = z.strictObject({
  id: z.string().regex(idPattern, "an id is [a-z][a-z0-9-]*").describe("same as the file name"),
  tier: z.enum(tiers),
  servers: z.array(z.string()).min(1).describe("the servers that it needs; the rest of the pool are distractors"),
  tags: z.array(z.string()).default([]),
  given: z.record(name, value).default({}).describe("values drawn from the start state by the seed"),
  files: z
    .record(z.string(), z.string())
    .default({})
    .describe("text files put into ${workdir} before the servers start"),
  arrange: z.array(callSchema).default([]).describe("calls made on the start state before both sides copy it"),
  faults: z
    .array(
      z.strictObject({
        tool: toolRef,
        kind: z.enum(["network", "transient", "rate-limit"]),
        calls: z
          .array(z.int().min(1))
          .optional()
          .describe("which calls of the tool, counted from 1; left out: all until repaired"),
      }),
    )
    .default([])
    .describe("faults that hit both sides on every seed"),
  text: z.string().min(1).describe("what the agent is asked; {{expression}} inserts a value"),
  goal: z
    .array(z.string())
    .min(1)
    .describe("expressions over given, start, end and answer that are true when the query is solved"),
  state: stateRulesSchema.prefault({}),
});
export type Query = z.infer<typeof querySchema> & { readonly suite: SuiteName };
