import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { JsonObject } from "../base/json.ts";
import { packageVersion } from "../config/paths.ts";
import type { ToolDefinition } from "../sandbox/catalog.ts";
import { noValidator } from "../sandbox/mcp-server.ts";
import {
  type Connection,
  type Environment,
  openConnection,
  type RemoteServerConfig,
  type SideValues,
} from "./connection.ts";
import { describeError, httpStatus, isClosed, isTimeout } from "./errors.ts";
import { listAllTools } from "./list-tools.ts";
import { type Answer, plainAnswer, thirdPartyAnswer } from "./results.ts";

/** What a session is opened with. */
export interface SessionInput {
  readonly config: RemoteServerConfig;
  readonly values: SideValues;
  readonly env: Environment;
  /** Called once if the session ends without {@link Session.close}; the text says how, with the end of stderr. */
  readonly onDeath: (how: string) => void;
  /** Ends an opening that is under way. */
  readonly cancelled: AbortSignal;
}

/** A session with one running server. */
export interface Session {
  readonly alive: boolean;
  /** The server's own name and version. */
  readonly about: string;
  listTools(): Promise<ToolDefinition[]>;
  /** Calls a tool. @throws the signal's reason if it is aborted, and nothing else */
  call(tool: string, args: JsonObject, signal: AbortSignal | undefined): Promise<Answer>;
  close(): Promise<void>;
}

/** Progress lets a call go on beyond its time-out, up to this many times of it. */
const TOTAL_TIMEOUTS = 10;
const MAX_TIMER_MS = 2 ** 31 - 1;
const PING_MS = 3000;

/** A client of ours. It declares no capabilities, so servers offer what needs none. */
export function newClient(): Client {
  return new Client({ name: "mcp-tandem", version: packageVersion() }, { jsonSchemaValidator: noValidator });
}

/**
 * Starts a server and initialises a session.
 * @throws Error whose message says in words why it did not start
 */
export async function openSession(input: SessionInput): Promise<Session> {
  const { config } = input;
  const connection = openConnection(config, input.values, input.env);
  const client = newClient();
  const end = () => void connection.close();
  input.cancelled.addEventListener("abort", end, { once: true });
  try {
    input.cancelled.throwIfAborted();
    await withDeadline(client.connect(connection.transport, { timeout: config.startTimeoutMs }), config.startTimeoutMs);
  } catch (thrown) {
    await connection.close();
    throw new Error(startFailure(thrown, connection, config), { cause: thrown });
  } finally {
    input.cancelled.removeEventListener("abort", end);
  }
  return sessionOver(client, connection, input);
}

function sessionOver(client: Client, connection: Connection, { config, onDeath }: SessionInput): Session {
  let death: string | null = null;
  let closing: Promise<void> | null = null;
  let pending = 0;

  function die(how: string): void {
    if (death !== null || closing !== null) return;
    death = how;
    onDeath([how, connection.remains()].filter(Boolean).join("; "));
    void connection.close();
  }

  client.onclose = () => die(endOf(connection));
  client.onerror = (error) => {
    // The SDK leaves a call waiting whose stream broke off. Whether the server is gone, another request tells.
    if (config.type === "stdio" || pending === 0 || !/disconnected|fetch failed|reconnect/i.test(error.message)) return;
    client.ping({ timeout: PING_MS }).catch((thrown: unknown) => {
      if (!(thrown instanceof McpError)) die(describeError(thrown));
    });
  };

  function failure(thrown: unknown, tool: string): Answer {
    if (closing !== null) return plainAnswer("broken", `The connection to ${config.name} was closed.`);
    if (death !== null) return plainAnswer("broken", `The connection to ${config.name} broke: ${death}.`);
    if (isTimeout(thrown)) {
      return plainAnswer("timeout", `${config.name} did not answer ${tool} within ${config.timeoutMs / 1000} s.`);
    }
    if (thrown instanceof McpError) return plainAnswer("protocol", thrown.message);
    const status = httpStatus(thrown);
    const words = describeError(thrown);
    if (status !== null && [429, 502, 503, 504].includes(status)) return plainAnswer("transient", words);
    if (
      (status !== null && [400, 413, 422].includes(status)) ||
      thrown instanceof SyntaxError ||
      isSchemaError(thrown)
    ) {
      return plainAnswer("protocol", words);
    }
    die(words);
    return plainAnswer("broken", `The connection to ${config.name} broke: ${words}.`);
  }

  return {
    get alive() {
      return death === null && closing === null;
    },
    about: [client.getServerVersion()?.name, client.getServerVersion()?.version].filter(Boolean).join(" "),
    listTools: () => listAllTools(client, config.startTimeoutMs),
    async call(tool, args, signal) {
      // A signal of our own: the SDK never takes its listener off, and would tell the server the reason.
      const controller = new AbortController();
      const abort = () => controller.abort("cancelled by the client");
      signal?.addEventListener("abort", abort, { once: true });
      pending++;
      try {
        const request = { method: "tools/call" as const, params: { name: tool, arguments: { ...args } } };
        const result = await client.request(request, z.unknown(), {
          timeout: config.timeoutMs,
          maxTotalTimeout: Math.min(config.timeoutMs * TOTAL_TIMEOUTS, MAX_TIMER_MS),
          resetTimeoutOnProgress: true,
          // Without a handler the server is not asked for progress.
          onprogress: () => {},
          signal: controller.signal,
        });
        return thirdPartyAnswer(result);
      } catch (thrown) {
        signal?.throwIfAborted();
        return failure(thrown, tool);
      } finally {
        pending--;
        signal?.removeEventListener("abort", abort);
      }
    },
    close: () => {
      closing ??= connection.close();
      return closing;
    },
  };
}

function endOf(connection: Connection): string {
  const exit = connection.exit();
  return exit === null ? "the connection was closed" : `the server ended (${exit})`;
}

function startFailure(thrown: unknown, connection: Connection, config: RemoteServerConfig): string {
  const within = `within ${config.startTimeoutMs / 1000} s`;
  const why = (): string => {
    if (isTimeout(thrown)) return `it did not answer initialize ${within}`;
    if (thrown instanceof McpError && !isClosed(thrown)) {
      return `it answered initialize with an error: ${describeError(thrown)}`;
    }
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
    if (code === "ENOENT" && config.type === "stdio") return `the command ${config.command} was not found`;
    const exit = connection.exit();
    if (exit !== null && isClosed(thrown)) return `it ended (${exit}) before it answered initialize`;
    return describeError(thrown);
  };
  return [why(), connection.remains()].filter(Boolean).join("; ");
}

function isSchemaError(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === "ZodError";
}

/** `work`, or a time-out like the SDK's: some transports wait for an event before they send anything. */
async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new McpError(ErrorCode.RequestTimeout, "Request timed out")), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
