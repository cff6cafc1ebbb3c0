import OpenAI from "openai";
import { type Dispatcher, fetch } from "undici";
import type { JsonObject } from "../base/json.ts";
import type { ModelEntry } from "../config/project-schema.ts";
import { BadResponse, withAttempts } from "./attempts.ts";
import { assembleStream } from "./calls/stream.ts";
import type { ChatRequest, ChatTurn, FailedAttempt } from "./chat.ts";
import type { Endpoint } from "./endpoint.ts";
import { failureInBody } from "./model-errors.ts";
import { requestBody } from "./request-body.ts";
import { finishOf, type ReadResponse, readResponse } from "./response.ts";
import { cacheKey, type ResponseCache } from "./response-cache.ts";
import { costOf, estimateTokens, readUsage } from "./usage.ts";

/** A model with all that is needed to reach it. */
export interface ModelAccess {
  readonly name: string;
  /** The endpoint's name of the model. */
  readonly model: string;
  readonly entry: ModelEntry;
  readonly baseUrl: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly endpoint: Endpoint;
  readonly cache: ResponseCache | null;
}

/** A client of the endpoint. It makes each request once: {@link withAttempts} repeats. */
export function clientOf({ baseUrl, key, headers }: ModelAccess, dispatcher: Dispatcher): OpenAI {
  return new OpenAI({
    apiKey: key,
    baseURL: baseUrl,
    defaultHeaders: { ...headers },
    maxRetries: 0,
    // undici's own fetch: a dispatcher of another version than Node's cannot be given to Node's.
    fetch: fetch as unknown as typeof globalThis.fetch,
    fetchOptions: { dispatcher } as NonNullable<ConstructorParameters<typeof OpenAI>[0]>["fetchOptions"] & object,
  });
}

/** Asks a model once, by its rules of retry, cache and limits. See `ChatModel.complete`. */
export async function completeChat(
  client: OpenAI,
  access: ModelAccess,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ChatTurn> {
  const { entry, cache } = access;
  const body = requestBody(request, access.model, entry);
  const key = cacheKey({ endpoint: access.baseUrl, body, repeat: request.repeat });
  const kept = await cache?.read(key);
  const began = performance.now();
  if (kept !== undefined) {
    return turnOf(kept as unknown as ReadResponse, access, { failed: [], ms: 0, cached: true });
  }
  const tokens = estimateTokens(JSON.stringify(body)) + (entry.maxOutputTokens ?? 0);
  const { value, failed } = await withAttempts(
    {
      model: access.name,
      endpoint: access.endpoint,
      tokens,
      attempts: entry.attempts,
      timeoutMs: entry.timeout * 1000,
      signal,
    },
    (attempt) => send(client, body, entry.stream, attempt),
  );
  const turn = turnOf(value, access, { failed, ms: performance.now() - began, cached: false });
  access.endpoint.settle((turn.usage.prompt ?? 0) + (turn.usage.output ?? 0) - tokens);
  await cache?.write(key, value as unknown as JsonObject);
  return turn;
}

async function send(client: OpenAI, body: JsonObject, stream: boolean, signal: AbortSignal): Promise<ReadResponse> {
  const response = await client.chat.completions.create(
    body as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming,
    { signal },
  );
  if (!stream) return readResponse(response);
  const { finish, ...said } = await assembleStream(response as unknown as AsyncIterable<unknown>);
  if (finish === null) {
    const message = "the stream ended before the turn did";
    throw new BadResponse({ status: null, connection: "ECONNRESET", code: null, param: null, message });
  }
  return { ...said, finish: finishOf(finish) };
}

function turnOf(
  { usage, ...said }: ReadResponse,
  { entry }: ModelAccess,
  of: { readonly failed: readonly FailedAttempt[]; readonly ms: number; readonly cached: boolean },
): ChatTurn {
  const read = readUsage(usage);
  return {
    ...said,
    usage: read,
    costUsd: of.cached ? 0 : costOf(read, entry.prices),
    ms: of.ms,
    attempts: of.failed,
    cached: of.cached,
  };
}

/** Turns texts into vectors, by the same rules as {@link completeChat}. */
export async function embedTexts(
  client: OpenAI,
  access: ModelAccess,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<number[][]> {
  const { entry } = access;
  const { value } = await withAttempts(
    {
      model: access.name,
      endpoint: access.endpoint,
      tokens: estimateTokens(texts.join("")),
      attempts: entry.attempts,
      timeoutMs: entry.timeout * 1000,
      signal,
    },
    async (attempt) => {
      const body = { model: access.model, input: [...texts], encoding_format: "float" as const };
      const response = await client.embeddings.create(body, { signal: attempt });
      return vectorsOf(response, texts.length);
    },
  );
  return value;
}

function vectorsOf(response: unknown, count: number): number[][] {
  const failure = failureInBody(response);
  if (failure !== null) throw new BadResponse(failure);
  const data = (response as Partial<OpenAI.CreateEmbeddingResponse> | null)?.data;
  const vectors = [...(data ?? [])].sort((a, b) => a.index - b.index).map(({ embedding }) => embedding);
  const [first] = vectors;
  if (first !== undefined && vectors.length === count && vectors.every((vector) => vector?.length === first.length)) {
    return vectors;
  }
  const message = `${vectors.length} vectors for ${count} texts, or of several lengths`;
  throw new BadResponse({ status: 502, connection: null, code: null, param: null, message });
}
