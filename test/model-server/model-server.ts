import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../../src/base/json.ts";
import { type Reply, type Said, wireChunks, wireCompletion, wireUsage } from "./replies.ts";

/** A message as it came over the wire. */
export interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
  readonly tool_call_id?: string;
}

/** A request as a script sees it. */
export interface ModelRequest {
  /** From 0, counted over all chat requests that are no injected fault. */
  readonly number: number;
  readonly model: string;
  readonly messages: readonly WireMessage[];
  /** How often the model has spoken in this conversation. */
  readonly turn: number;
  /** Names of the tools on offer. */
  readonly tools: readonly string[];
  readonly stream: boolean;
  readonly body: JsonObject;
  readonly headers: IncomingHttpHeaders;
}

/** Decides what the model says. What it throws is an error 500 whose message is told to nobody but the client. */
export type Script = (request: ModelRequest) => Reply | Promise<Reply>;

/** Faults that the server injects before the script is asked: shares of requests, drawn by a seed. */
export interface ModelFaults {
  readonly seed: number;
  /** 429, with `retry-after-ms`. */
  readonly rateLimited?: number;
  /** 503. */
  readonly unavailable?: number;
  /** The connection ends, half of the times within the response. */
  readonly broken?: number;
  readonly retryAfterMs?: number;
}

/** Options of {@link startModelServer}. */
export interface ModelServerOptions {
  /** The only key that is accepted; any if left out. */
  readonly key?: string;
  readonly faults?: ModelFaults;
  /** Models that exist; any if left out. */
  readonly models?: readonly string[];
}

/** What the server has counted. Tokens are those of responses that were sent whole. */
export interface ModelServerCounts {
  requests: number;
  completed: number;
  rateLimited: number;
  unavailable: number;
  broken: number;
  embeddings: number;
  promptTokens: number;
  cachedTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  /** Most requests that were open at a time. */
  mostAtOnce: number;
}

/** A running server. */
export interface ModelServer {
  /** Base URL for a client, with `/v1`. */
  readonly url: string;
  readonly counts: ModelServerCounts;
  /** All chat requests that the script was asked, in the order of their arrival. */
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

/** An OpenAI-compatible server on 127.0.0.1 whose model is a script. */
export async function startModelServer(script: Script, options: ModelServerOptions = {}): Promise<ModelServer> {
  const counts: ModelServerCounts = {
    requests: 0,
    completed: 0,
    rateLimited: 0,
    unavailable: 0,
    broken: 0,
    embeddings: 0,
    promptTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    mostAtOnce: 0,
  };
  const requests: ModelRequest[] = [];
  let open = 0;
  const server = createServer(async (request, response) => {
    open += 1;
    counts.mostAtOnce = Math.max(counts.mostAtOnce, open);
    response.once("close", () => {
      open -= 1;
    });
    try {
      await route(request, response, { script, options, counts, requests });
    } catch (thrown) {
      if (response.headersSent) response.destroy();
      else sendError(response, 500, { message: String(thrown) });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    counts,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

interface Context {
  readonly script: Script;
  readonly options: ModelServerOptions;
  readonly counts: ModelServerCounts;
  readonly requests: ModelRequest[];
}

async function route(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const { options, counts } = context;
  const body = await text(request);
  const path = request.url?.replace(/\?.*$/, "");
  if (options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`) {
    return sendError(response, 401, { message: "Incorrect API key provided", code: "invalid_api_key" });
  }
  if (path === "/v1/models") {
    return sendJson(response, { object: "list", data: (options.models ?? []).map((id) => ({ id, object: "model" })) });
  }
  counts.requests += 1;
  if (await injectFault(response, counts, options.faults)) return;
  const given = JSON.parse(body) as JsonObject;
  const { model } = given;
  if (options.models !== undefined && !options.models.includes(model as string)) {
    return sendError(response, 404, { message: `The model ${model} does not exist`, code: "model_not_found" });
  }
  if (path === "/v1/embeddings") return embed(response, given, counts);
  if (path !== "/v1/chat/completions") return sendError(response, 404, { message: `no ${path} here` });
  const messages = (given.messages ?? []) as unknown as WireMessage[];
  const asked: ModelRequest = {
    number: context.requests.length,
    model: String(model),
    messages,
    turn: messages.filter(({ role }) => role === "assistant").length,
    tools: ((given.tools ?? []) as unknown as { function: { name: string } }[]).map((tool) => tool.function.name),
    stream: given.stream === true,
    body: given,
    headers: request.headers,
  };
  context.requests.push(asked);
  const reply = await context.script(asked);
  if (reply.slowMs !== undefined) await sleep(reply.slowMs);
  await answer(response, asked, reply, counts);
}

/** @returns whether the request met a fault */
async function injectFault(
  response: ServerResponse,
  counts: ModelServerCounts,
  faults: ModelFaults | undefined,
): Promise<boolean> {
  if (faults === undefined) return false;
  const { rateLimited = 0, unavailable = 0, broken = 0 } = faults;
  const draw = createHash("sha256").update(`${faults.seed} ${counts.requests}`).digest().readUInt32BE() / 2 ** 32;
  if (draw < rateLimited) {
    counts.rateLimited += 1;
    sendError(
      response,
      429,
      { message: "Rate limit reached" },
      { "retry-after-ms": String(faults.retryAfterMs ?? 20) },
    );
  } else if (draw < rateLimited + unavailable) {
    counts.unavailable += 1;
    sendError(response, 503, { message: "The server is overloaded" }, { "retry-after-ms": "5" });
  } else if (draw < rateLimited + unavailable + broken) {
    counts.broken += 1;
    if (counts.broken % 2 === 0) {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" }).write('{"id": "hal');
      await sleep(5);
    }
    response.destroy();
  } else {
    return false;
  }
  return true;
}

async function answer(
  response: ServerResponse,
  asked: ModelRequest,
  reply: Reply,
  counts: ModelServerCounts,
): Promise<void> {
  if ("hang" in reply) return;
  if ("break" in reply) return void response.destroy();
  if ("json" in reply) return sendJson(response, reply.json);
  if ("raw" in reply) return void response.writeHead(reply.status ?? 200, { ...reply.headers }).end(reply.raw);
  if ("error" in reply) {
    const { status, headers, ...error } = reply.error;
    return sendError(response, status, error, headers);
  }
  if ("chunks" in reply) return stream(response, reply.chunks, reply.end ?? "done");
  const said: Said = reply;
  const id = `made_${asked.number}`;
  const usage = wireUsage(said, JSON.stringify([asked.messages, asked.body.tools ?? []]));
  if (asked.stream) {
    const wanted = (asked.body.stream_options as JsonObject | undefined)?.include_usage === true;
    await stream(response, wireChunks(said, id, asked.model, wanted ? usage.wire : null), "done");
  } else {
    sendJson(response, wireCompletion(said, id, asked.model, usage.wire));
  }
  counts.completed += 1;
  counts.promptTokens += usage.counts?.prompt ?? 0;
  counts.cachedTokens += usage.counts?.cached ?? 0;
  counts.outputTokens += usage.counts?.output ?? 0;
  counts.reasoningTokens += usage.counts?.reasoning ?? 0;
}

async function stream(response: ServerResponse, chunks: readonly unknown[], end: "done" | "cut"): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const chunk of chunks) {
    response.write(typeof chunk === "string" ? chunk : `data: ${JSON.stringify(chunk)}\n\n`);
    await sleep(0);
  }
  if (end === "done") response.end("data: [DONE]\n\n");
  else response.end();
}

const DIMENSIONS = 64;

/** Vectors of hashed words, so that texts that share words are near each other. */
function embed(response: ServerResponse, { input, model }: JsonObject, counts: ModelServerCounts): void {
  counts.embeddings += 1;
  const texts = Array.isArray(input) ? (input as string[]) : [String(input)];
  const data = texts.map((given, index) => {
    const vector = new Array<number>(DIMENSIONS).fill(0);
    for (const word of given.toLowerCase().split(/[^a-z0-9]+/)) {
      const at = createHash("sha256").update(word).digest().readUInt16BE() % DIMENSIONS;
      vector[at] = (vector[at] ?? 0) + 1;
    }
    return { object: "embedding", index, embedding: vector };
  });
  sendJson(response, { object: "list", model, data, usage: { prompt_tokens: 1, total_tokens: 1 } });
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function sendError(
  response: ServerResponse,
  status: number,
  error: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify({ error: { type: null, param: null, code: null, ...error } }));
}
