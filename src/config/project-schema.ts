import { z } from "zod";

/** Prices of a model in US dollars per million tokens. */
export const pricesSchema = z.strictObject({
  input: z.number().min(0).describe("of prompt tokens that no cache held"),
  cachedInput: z.number().min(0).optional().describe("of prompt tokens from a cache; default: as input"),
  output: z.number().min(0).describe("of tokens that the model wrote, reasoning included"),
});
export type Prices = z.infer<typeof pricesSchema>;

export const protocols = ["native", "text"] as const;
export const schemaProfiles = ["standard", "strict", "as-is"] as const;
export type SchemaProfile = (typeof schemaProfiles)[number];

const text = z.string().min(1);
const texts = z.record(z.string(), z.string());

/** How a model is reached and what its endpoint accepts. */
export const modelSchema = z.strictObject({
  model: text.optional().describe("the endpoint's name of the model; default: the alias"),
  endpoint: text.optional().describe("base URL, as in https://host/v1; default: OPENAI_BASE_URL, else OpenAI's own"),
  keyVariable: text
    .optional()
    .describe("variable that holds the key; default: OPENAI_API_KEY, which OpenAI's own wants"),
  headers: texts.default({}).describe("sent with each request; ${VAR} expands"),
  prices: pricesSchema.optional(),
  protocol: z
    .enum(protocols)
    .default("native")
    .describe("native: tool calls of the endpoint; text: <tool>{…}</tool> in the answer's text"),
  schemas: z
    .enum(schemaProfiles)
    .default("standard")
    .describe("how tool schemas are rewritten: for most endpoints, for strict ones, or not at all"),
  structured: z.boolean().default(true).describe("whether the endpoint has structured output (response_format)"),
  stream: z.boolean().default(false),
  temperature: z.number().min(0).nullable().default(null).describe("null sends none"),
  maxOutputTokens: z.int().min(1).optional(),
  maxTokensParameter: z.enum(["max_completion_tokens", "max_tokens"]).default("max_completion_tokens"),
  maxTools: z.int().min(1).default(128).describe("most tools that the endpoint takes in one request"),
  emptyContent: z
    .enum(["null", "text"])
    .default("null")
    .describe("content of an assistant's message that holds calls alone: null, or an empty text"),
  extraBody: z.record(z.string(), z.unknown()).default({}).describe("added to the body of each request"),
  requestsPerMinute: z.number().positive().optional().describe("of all models of the endpoint together"),
  tokensPerMinute: z.number().positive().optional().describe("of all models of the endpoint together"),
  concurrency: z.int().min(1).optional().describe("requests at a time, of all models of the endpoint together"),
  timeout: z.number().positive().default(300).describe("seconds until an attempt is given up"),
  attempts: z.int().min(1).default(6).describe("how often a request is made if it fails in a way that passes"),
});
export type ModelEntry = z.infer<typeof modelSchema>;

/** Where a part of an outside agent's output is found: all of stdout, or a JSON Pointer into it as JSON. */
const partSchema = z.union([z.literal("stdout"), z.string().startsWith("/").or(z.literal(""))]);

/** One JSON Pointer into stdout, or several whose numbers are added. */
const countSchema = z.union([z.string(), z.array(z.string()).min(1)]);

/** An agent that runs as a process of its own and reaches the tools through the gateway. */
export const execSchema = z.strictObject({
  command: text.describe("program, found by PATH"),
  args: z
    .array(z.string())
    .default([])
    .describe("{query}, {mcpUrl}, {mcpUrlWithToken}, {mcpToken}, {mcpConfig} and {folder} are filled in"),
  env: texts.default({}).describe("variables to set; ${VAR} and the placeholders of args expand"),
  passEnv: z.array(text).default([]).describe("variables handed through from the caller"),
  stdin: z.string().optional().describe("text for its stdin, with the placeholders of args; default: none"),
  files: texts.default({}).describe("files to put into its folder before it starts, with the placeholders of args"),
  wrap: z
    .array(text)
    .default([])
    .describe("command that the agent's own is put behind, as a container or another user"),
  answer: partSchema
    .default("stdout")
    .describe("where its answer is: stdout, or a JSON Pointer into stdout; of JSON Lines the last line that has it"),
  usage: z
    .strictObject({
      prompt: countSchema.optional(),
      cachedPrompt: countSchema.optional(),
      output: countSchema.optional(),
      reasoning: countSchema.optional(),
      costUsd: countSchema.optional(),
    })
    .optional()
    .describe("JSON Pointers into stdout; of several the numbers are added"),
  timeLimit: z.number().positive().optional().describe("seconds; default: the run's time limit"),
});
export type ExecEntry = z.infer<typeof execSchema>;

/** All of `tandem.config.yaml`. */
export const projectSchema = z.strictObject({
  models: z.record(z.string(), modelSchema).default({}),
  agents: z.record(z.string(), execSchema).default({}).describe("outside agents, run as exec:<name>"),
  arguments: z
    .enum(["as-written", "lenient"])
    .default("as-written")
    .describe(
      "lenient: null for an optional parameter that may not be null is left out, and a list or object written as JSON text is parsed",
    ),
  cache: text.optional().describe("folder of the response cache; default: no cache"),
});
export type ProjectConfig = z.infer<typeof projectSchema>;
