import type { JsonObject } from "../base/json.ts";
import type { Usage } from "../record/trajectory.ts";

/** A tool call as it stands in a conversation: its id is unique there, its arguments are JSON text. */
export interface ChatCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** One message of a conversation. Each call of an assistant's message is answered by one `tool` message, in order. */
export type ChatMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string; readonly calls: readonly ChatCall[] }
  | { readonly role: "tool"; readonly callId: string; readonly content: string };

/** A tool as it is offered to a model. */
export interface ChatTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, as the endpoint accepts it. */
  readonly parameters: JsonObject;
}

/** What a model is asked. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ChatTool[];
  /** JSON Schema that the answer has to fit, where the model's endpoint has structured output. */
  readonly format?: { readonly name: string; readonly schema: JsonObject };
  /** Number of the repeat: equal requests of different repeats never share a cached answer. */
  readonly repeat: number;
}

/** A tool call as an endpoint gave it, before anything in it is trusted. */
export interface RawCall {
  readonly id: string | null;
  readonly name: string | null;
  /** Most often JSON text; some endpoints give an object, or nothing. */
  readonly arguments: unknown;
  /** Set if pieces of it had to be put together by another rule than the protocol's. */
  readonly repaired?: string;
  /** Set if the call cannot be made, whatever its arguments: what the model is told. */
  readonly problem?: string;
}

/** Why a model ended its turn, in one spelling for all endpoints; `unknown` where it does not say. */
export const finishReasons = ["stop", "calls", "length", "filtered", "unknown"] as const;
export type FinishReason = (typeof finishReasons)[number];

/** A request that failed and was made again. */
export interface FailedAttempt {
  /** HTTP status, or null if there was no response. */
  readonly status: number | null;
  readonly message: string;
  /** Milliseconds until the next attempt. */
  readonly waitMs: number;
}

/** What a model said. */
export interface ChatTurn {
  readonly text: string;
  /** Set if the model refused in the field that its endpoint has for that. */
  readonly refusal: string | null;
  readonly calls: readonly RawCall[];
  readonly finish: FinishReason;
  readonly usage: Usage;
  /** US dollars; null if the usage or a price is unknown. */
  readonly costUsd: number | null;
  /** From the first attempt to the last byte, in milliseconds. */
  readonly ms: number;
  /** The attempts before this one. */
  readonly attempts: readonly FailedAttempt[];
  /** True if the answer came from the response cache: then nothing was sent, and it cost nothing now. */
  readonly cached: boolean;
}

/** A model behind an endpoint. */
export interface ChatModel {
  /** As it was named: an alias of `tandem.config.yaml`, or the endpoint's own name of it. */
  readonly name: string;
  /**
   * Asks the model, again if a failure is one that passes.
   * @throws TandemError of `model` or `credentials`, see `model-errors.ts`; the signal's reason once it is aborted
   */
  complete(request: ChatRequest, signal?: AbortSignal): Promise<ChatTurn>;
}

/** Turns texts into vectors. */
export interface Embedder {
  /** As it was named, for records. */
  readonly name: string;
  /** One vector per text, in order, all of one length. @throws as {@link ChatModel.complete} */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly (readonly number[])[]>;
}
