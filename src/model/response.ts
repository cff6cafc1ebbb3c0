import { isJsonObject, type Json } from "../base/json.ts";
import { BadResponse } from "./attempts.ts";
import type { FinishReason, RawCall } from "./chat.ts";
import { failureInBody } from "./model-errors.ts";

/** The parts of a response that matter, before usage and cost are read. */
export interface ReadResponse {
  readonly text: string;
  readonly refusal: string | null;
  readonly calls: readonly RawCall[];
  readonly finish: FinishReason;
  readonly usage: unknown;
}

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  end_turn: "stop",
  eos: "stop",
  tool_calls: "calls",
  tool_use: "calls",
  function_call: "calls",
  length: "length",
  max_tokens: "length",
  model_length: "length",
  content_filter: "filtered",
  safety: "filtered",
};

/** Any endpoint's word for why a turn ended. */
export function finishOf(reason: unknown): FinishReason {
  return typeof reason === "string" ? (FINISH[reason.toLowerCase()] ?? "unknown") : "unknown";
}

/**
 * Reads the body of a chat completion without trusting any part of it.
 * @throws BadResponse if it is an error in disguise, or no chat completion at all (an HTML page, an empty list of choices)
 */
export function readResponse(body: unknown): ReadResponse {
  const failure = failureInBody(body);
  if (failure !== null) throw new BadResponse(failure);
  const choice = isJsonObject(body) && Array.isArray(body.choices) ? (body.choices as readonly Json[])[0] : undefined;
  const message = isJsonObject(choice) ? choice.message : undefined;
  if (!isJsonObject(body) || !isJsonObject(choice) || !isJsonObject(message)) {
    const shown = (typeof body === "string" ? body : (JSON.stringify(body) ?? "")).slice(0, 200);
    throw new BadResponse({
      status: 502,
      connection: null,
      code: null,
      param: null,
      message: `no chat completion: ${shown}`,
    });
  }
  const legacy = isJsonObject(message.function_call) ? [{ id: null, ...callOf(message.function_call) }] : [];
  const listed = Array.isArray(message.tool_calls) ? (message.tool_calls as readonly Json[]).map(toRawCall) : [];
  return {
    text: textOf(message.content),
    refusal: typeof message.refusal === "string" && message.refusal !== "" ? message.refusal : null,
    calls: listed.length > 0 ? listed : legacy,
    finish: finishOf(choice.finish_reason),
    usage: body.usage,
  };
}

function toRawCall(call: Json): RawCall {
  if (!isJsonObject(call)) return { id: null, name: null, arguments: call };
  const { id } = call;
  return { id: typeof id === "string" ? id : null, ...callOf(isJsonObject(call.function) ? call.function : call) };
}

function callOf({ name, arguments: args }: Readonly<Record<string, Json>>): Pick<RawCall, "name" | "arguments"> {
  return { name: typeof name === "string" ? name : null, arguments: args };
}

/** Content may be null, a text, or a list of parts. */
function textOf(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as readonly Json[])
    .map((part) => (isJsonObject(part) && typeof part.text === "string" ? part.text : ""))
    .join("");
}
