import { z } from "zod";
import type { Json } from "../base/json.ts";

const json = z.custom<Json>((value) => value !== undefined, "a JSON value");

/**
 * How a tool call ended.
 * - `ok`: the tool did its work
 * - `refused`: the tool answered that it will not (status `failed`, `isError`): an execution failure
 * - `transient`: it failed in a way that a retry may cure (status `internal error`, an injected fault): an execution failure
 * - `syntactic`: an unknown tool, or arguments that break the input schema; the server was not asked
 * - `protocol`: the server answered with a JSON-RPC error: an execution failure
 * - `timeout`: no answer in time
 * - `broken`: the connection or the server is dead
 */
export const callOutcomes = ["ok", "refused", "transient", "syntactic", "protocol", "timeout", "broken"] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/** Token counts of one or more model calls. What an endpoint does not tell is null, never zero. */
export const usageSchema = z.strictObject({
  prompt: z.number().nullable().describe("prompt tokens, cached ones included"),
  cachedPrompt: z.number().nullable().describe("prompt tokens read from a cache, part of `prompt`"),
  output: z.number().nullable().describe("tokens that the model wrote, reasoning included"),
  reasoning: z.number().nullable().optional().describe("output tokens that were reasoning, part of `output`"),
});
export type Usage = z.infer<typeof usageSchema>;

/**
 * Why a side stopped. `rounds`, `time`, `tokens`, `cost` are limits; `context`: the conversation outgrew the model's context;
 * `truncated`: the model's turns were cut by its output limit again and again; `model`: its endpoint, or the program that an
 * outside agent is, could not be used, which is nobody's failure; `broken-plan` is the reference's: a refusal that nothing covers.
 */
export const stopReasons = [
  "answered",
  "rounds",
  "time",
  "tokens",
  "cost",
  "context",
  "truncated",
  "model",
  "crash",
  "broken-plan",
  "server",
  "interrupted",
  "internal",
] as const;
export type StopReason = (typeof stopReasons)[number];

/**
 * How a model's turn differs from what the protocol asks for. None of them is a crash: the agent is told, and goes on.
 * - `invalid-arguments`: no JSON object; a syntactic error of the agent, and its call is not made
 * - `empty-arguments`: nothing, white space or `null` where `{}` was meant; the call is made
 * - `repaired-arguments`: equal copies of one object, or one behind a `{}`; the call is made with the one
 * - `coerced-arguments`: changed by the setting `arguments: lenient`; the raw text stands in the detail
 * - `repaired-name`: a prefix, a special token or white space was taken off a tool's name
 * - `call-id`: a missing or repeated id of a call was replaced
 * - `text-call`: a tool call written as text, which is not made
 * - `empty-answer`: neither text nor a call
 * - `length`: cut by the output limit; none of its calls is made
 * - `filtered`: ended or refused by a content filter
 * - `not-executed`: calls that a limit kept from being made
 */
export const quirkKinds = [
  "invalid-arguments",
  "empty-arguments",
  "repaired-arguments",
  "coerced-arguments",
  "repaired-name",
  "call-id",
  "text-call",
  "empty-answer",
  "length",
  "filtered",
  "not-executed",
] as const;
export type QuirkKind = (typeof quirkKinds)[number];

const at = z.number().describe("milliseconds since the barrier");

/** One thing that happened on a side. Events are in order of time. */
export const trajectoryEventSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("model"),
    at,
    ms: z.number(),
    model: z.string(),
    text: z.string(),
    calls: z.number().describe("tool calls that the turn asked for"),
    finish: z.string().optional().describe("why the model ended its turn"),
    usage: usageSchema,
    estimated: z
      .number()
      .optional()
      .describe("tokens of the turn by a rule of thumb, where the endpoint does not tell them; limits alone use it"),
    costUsd: z.number().nullable(),
    attempts: z
      .array(z.strictObject({ status: z.number().nullable(), message: z.string(), waitMs: z.number() }))
      .optional()
      .describe("requests that failed before this one"),
    cached: z.literal(true).optional().describe("answered from the response cache"),
  }),
  z.strictObject({
    type: z.literal("quirk"),
    at,
    kind: z.enum(quirkKinds),
    detail: z.string(),
  }),
  z.strictObject({
    type: z.literal("tool"),
    at,
    ms: z.number(),
    call: z.number().describe("number of the call on this side, from 0"),
    name: z.string().describe("name as it was offered and called"),
    server: z.string().nullable().describe("null if no server has such a tool"),
    tool: z.string().nullable().describe("the server's own name of the tool"),
    arguments: json,
    outcome: z.enum(callOutcomes),
    text: z.string().describe("the result in words, whole"),
    cut: z.literal(true).optional().describe("the agent was shown beginning and end of the text alone, see MOST_SHOWN"),
    value: json.describe("the result as a plan sees it: output, structured content, parsed text, or text"),
    fault: z.string().nullable().describe("kind of the injected fault, if one hit the call"),
    violation: z.string().optional().describe("how the result breaks the tool's own output schema"),
    writes: z
      .array(z.string())
      .describe("JSON Pointers of the state paths that the call changed, where the state is ours"),
    effect: z.enum(["read", "write"]).nullable().describe("from the tool's annotations; null if it does not say"),
    worldTime: z.string().nullable(),
  }),
  z.strictObject({
    type: z.literal("server"),
    at,
    server: z.string(),
    status: z
      .enum(["started", "died", "restarted", "renewed", "changed", "late"])
      .describe(
        "renewed: a new session took the place of an expired one; changed: it has other tools now; late: see detail",
      ),
    detail: z.string(),
  }),
  z.strictObject({
    type: z.literal("note"),
    at,
    text: z.string().describe("something worth knowing that is no call: a limit, a retry"),
  }),
  z.strictObject({ type: z.literal("answer"), at, text: z.string() }),
  z.strictObject({ type: z.literal("stop"), at, reason: z.enum(stopReasons), detail: z.string() }),
]);
export type TrajectoryEvent = z.infer<typeof trajectoryEventSchema>;
/** A tool call as the trajectory keeps it. */
export type ToolEvent = Extract<TrajectoryEvent, { type: "tool" }>;

/** The ordered events of one side. */
export type Trajectory = readonly TrajectoryEvent[];

/** The tool calls of a trajectory, in order. */
export function toolCalls(trajectory: Trajectory): ToolEvent[] {
  return trajectory.filter((event) => event.type === "tool");
}

/** The last answer of a trajectory, or null if the side gave none. */
export function finalAnswer(trajectory: Trajectory): string | null {
  return trajectory.findLast((event) => event.type === "answer")?.text ?? null;
}

/** `Omit` for each member of a union by itself. */
export type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
