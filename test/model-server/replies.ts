import type { JsonObject } from "../../src/base/json.ts";

/** A tool call that a script makes. */
export interface ScriptedCall {
  readonly name: string;
  /** An object is written as JSON text; anything else is sent as it is, to play an endpoint that misbehaves. */
  readonly arguments?: unknown;
  /** Default: one that is unique in the conversation. */
  readonly id?: unknown;
}

/** Token counts as they stand in a response's `usage`. */
export interface ScriptedUsage {
  readonly prompt: number;
  readonly cached?: number;
  readonly output: number;
  readonly reasoning?: number;
}

/** What a scripted model says in one turn. */
export interface Said {
  readonly text?: string | null;
  readonly refusal?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly finish?: string;
  /** Default: counted from the text at 4 bytes per token. An object of another shape is sent as it is; null sends none. */
  readonly usage?: ScriptedUsage | JsonObject | null;
}

/** What the server does with a request. */
export type Reply = (
  | Said
  /** A body as it is, with status 200. */
  | { readonly json: unknown }
  /** Any response. */
  | { readonly raw: string; readonly status?: number; readonly headers?: Readonly<Record<string, string>> }
  /** Chunks of a stream as they are: objects become events, texts are sent as they are. Ends with [DONE], or is cut. */
  | { readonly chunks: readonly unknown[]; readonly end?: "done" | "cut" }
  /** An error as OpenAI's own endpoint words it. */
  | { readonly error: { readonly status: number; readonly headers?: Readonly<Record<string, string>> } & JsonObject }
  /** No response, ever. */
  | { readonly hang: true }
  /** The connection ends without a response. */
  | { readonly break: true }
) & { readonly slowMs?: number };

/** `usage` on the wire, and the counts that it tells (null: none, or none that can be read). */
export function wireUsage(
  said: Said,
  promptText: string,
): { readonly wire: JsonObject | null; readonly counts: Required<ScriptedUsage> | null } {
  const { usage } = said;
  if (usage === null) return { wire: null, counts: null };
  if (usage !== undefined && !("prompt" in usage)) return { wire: usage as JsonObject, counts: null };
  const given = usage as ScriptedUsage | undefined;
  const counts = {
    prompt: given?.prompt ?? tokens(promptText),
    cached: given?.cached ?? 0,
    output: given?.output ?? tokens(`${said.text ?? ""}${JSON.stringify(said.calls ?? [])}`),
    reasoning: given?.reasoning ?? 0,
  };
  const wire = {
    prompt_tokens: counts.prompt,
    completion_tokens: counts.output,
    total_tokens: counts.prompt + counts.output,
    prompt_tokens_details: { cached_tokens: counts.cached },
    completion_tokens_details: { reasoning_tokens: counts.reasoning },
  };
  return { wire, counts };
}

function tokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** A whole chat completion. */
export function wireCompletion(said: Said, id: string, model: string, usage: JsonObject | null): JsonObject {
  const calls = wireCalls(said, id);
  const message = {
    role: "assistant",
    content: said.text ?? (calls.length > 0 || said.refusal !== undefined ? null : ""),
    ...(said.refusal === undefined ? {} : { refusal: said.refusal }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return {
    id,
    object: "chat.completion",
    created: 0,
    model,
    choices: [{ index: 0, message, finish_reason: finishOf(said), logprobs: null }],
    ...(usage === null ? {} : { usage }),
  } as unknown as JsonObject;
}

/** The same turn as chunks of a stream: text and arguments in two pieces each, usage in a chunk of its own if asked for. */
export function wireChunks(said: Said, id: string, model: string, usage: JsonObject | null): object[] {
  const chunk = (delta: object, finish: string | null = null) => ({
    id,
    object: "chat.completion.chunk",
    created: 0,
    model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const deltas: object[] = [{ role: "assistant", content: "" }];
  for (const content of halves(said.text ?? "")) deltas.push({ content });
  if (said.refusal !== undefined) deltas.push({ refusal: said.refusal });
  wireCalls(said, id).forEach(({ function: called, ...call }, index) => {
    const [first = "", ...rest] = typeof called.arguments === "string" ? halves(called.arguments) : [];
    deltas.push({ tool_calls: [{ index, ...call, function: { ...called, arguments: first } }] });
    for (const piece of rest) deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] });
  });
  const chunks: object[] = [...deltas.map((delta) => chunk(delta)), chunk({}, finishOf(said))];
  if (usage !== null) chunks.push({ id, object: "chat.completion.chunk", created: 0, model, choices: [], usage });
  return chunks;
}

function wireCalls(said: Said, id: string) {
  return (said.calls ?? []).map((call, at) => ({
    id: call.id === undefined ? `${id}_${at}` : call.id,
    type: "function",
    function: { name: call.name, ...("arguments" in call ? { arguments: wireArguments(call.arguments) } : {}) },
  }));
}

/** Objects become JSON text, as the protocol has it. */
function wireArguments(given: unknown): unknown {
  return typeof given === "object" && given !== null && !Array.isArray(given) ? JSON.stringify(given) : given;
}

function finishOf({ finish, calls = [] }: Said): string {
  return finish ?? (calls.length > 0 ? "tool_calls" : "stop");
}

function halves(text: string): string[] {
  if (text.length < 2) return text === "" ? [] : [text];
  const middle = text.length >> 1;
  return [text.slice(0, middle), text.slice(middle)];
}
