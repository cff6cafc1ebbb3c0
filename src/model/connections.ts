import type OpenAI from "openai";
import { EnvHttpProxyAgent } from "undici";
import type { ChatRequest, ChatTurn } from "./chat.ts";
import { clientOf, completeChat, embedTexts, type ModelAccess } from "./openai-chat.ts";

/** Open connections to endpoints, shared by all models. The module is loaded with the first request alone. */
export interface Connections {
  /** See `ChatModel.complete`. */
  complete(access: ModelAccess, request: ChatRequest, signal: AbortSignal): Promise<ChatTurn>;
  /** See `Embedder.embed`. */
  embed(access: ModelAccess, texts: readonly string[], signal: AbortSignal): Promise<number[][]>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Opens them through the proxies that the environment names: HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in either case. */
export function openConnections(env: Readonly<Record<string, string | undefined>>): Connections {
  const proxy = (name: string) => env[name] ?? env[name.toLowerCase()] ?? "";
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: proxy("HTTP_PROXY"),
    httpsProxy: proxy("HTTPS_PROXY"),
    noProxy: proxy("NO_PROXY"),
    // Attempts have their own time limit, and a model may think for long.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const clients = new Map<ModelAccess, OpenAI>();
  const clientFor = (access: ModelAccess) => {
    let client = clients.get(access);
    if (client === undefined) {
      client = clientOf(access, dispatcher);
      clients.set(access, client);
    }
    return client;
  };
  return {
    complete: (access, request, signal) => completeChat(clientFor(access), access, request, signal),
    embed: (access, texts, signal) => embedTexts(clientFor(access), access, texts, signal),
    close: () => dispatcher.destroy(),
  };
}
