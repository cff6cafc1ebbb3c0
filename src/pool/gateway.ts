import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { errorMessage } from "../base/errors.ts";
import { type OfferedTools, toolServer } from "./tool-server.ts";

/** A Streamable HTTP endpoint of MCP on 127.0.0.1. */
export interface Gateway {
  /** The endpoint, which wants the token as `Authorization: Bearer`. */
  readonly url: string;
  /** The endpoint for clients that send no headers of their own: it holds the token. */
  readonly urlWithToken: string;
  readonly token: string;
  /** How many sessions were opened. */
  sessions(): number;
  /** Ends all sessions and connections. Calls that are under way go on without anybody who waits for them. */
  close(): Promise<void>;
}

const PATH = "/mcp";
const LOCAL_HOSTS = new Set(["127.0.0.1", "localhost"]);

/**
 * Offers tools to clients outside this process. Each client has a session of its own, and several may work at a time. Whoever
 * has no token is refused, and so is a page of a browser that was led here by another name (DNS rebinding).
 * @param options `port` 0 lets the system choose
 * @throws the error of `listen`, as `EADDRINUSE` for a given port
 */
export async function openGateway(
  offered: OfferedTools,
  options: { readonly token?: string; readonly port?: number } = {},
): Promise<Gateway> {
  const { token = randomBytes(24).toString("base64url"), port = 0 } = options;
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  let opened = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refuse(request, token);
    if (refusal !== null) return answer(response, ...refusal);
    const id = request.headers["mcp-session-id"];
    if (id === undefined) return (await newSession()).handleRequest(request, response);
    const session = sessions.get(String(id));
    // By the protocol, 404 makes a client begin anew.
    if (session === undefined) return answer(response, 404, "there is no such session");
    await session.handleRequest(request, response);
  }

  async function newSession(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        opened += 1;
        sessions.set(id, transport);
      },
    });
    transport.onclose = () => {
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    // The SDK's class and its interface differ in how they spell an optional field.
    await toolServer(offered).connect(transport as Transport);
    return transport;
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((thrown: unknown) => {
      if (response.headersSent) response.destroy();
      else answer(response, 500, errorMessage(thrown));
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
  return {
    url,
    urlWithToken: `${url}/${token}`,
    token,
    sessions: () => opened,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      await Promise.allSettled([...sessions.values()].map((session) => session.close()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Why a request is not served, as a status and words; null if it is. */
function refuse(request: IncomingMessage, token: string): [number, string] | null {
  const { host, origin, authorization } = request.headers;
  if (!isLocal(`http://${host}`) || (origin !== undefined && !isLocal(origin))) {
    return [403, "only clients of this machine are served"];
  }
  const [path] = (request.url ?? "").split("?");
  if (path === PATH) {
    const given = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
    return isEqual(given, token) ? null : [401, "send the token as Authorization: Bearer"];
  }
  if (path?.startsWith(`${PATH}/`) && isEqual(path.slice(PATH.length + 1), token)) return null;
  return [404, `there is nothing but ${PATH}`];
}

function isLocal(url: string): boolean {
  try {
    return LOCAL_HOSTS.has(new URL(url).hostname);
  } catch {
    return false;
  }
}

/** Compares in a time that tells nothing. */
function isEqual(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function answer(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, {
    "content-type": "application/json",
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
  });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message } }));
}
