import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { McpError, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { JsonObject } from "../base/json.ts";
import { packageVersion } from "../config/paths.ts";
import { noValidator } from "../sandbox/mcp-server.ts";
import {
  type Connection,
  type Environment,
  openConnection,
  type RemoteServerConfig,
  type SideValues,
} from "./connection.ts";
import { describeError, httpStatus, isTimeout, isTotalTimeout } from "./errors.ts";
import { type ListedTools, listAllTools } from "./list-tools.ts";
import type { PoolEvent } from "./pool.ts";
import { type Answer, plainAnswer, thirdPartyAnswer } from "./results.ts";
import { StartFailure, withDeadline } from "./start-failure.ts";

/** What a session is opened with. */
export interface SessionInput {
  readonly config: RemoteServerConfig;
  readonly values: SideValues;
  readonly env: Environment;
  /** Gets what happens beside calls: the server's death, with the end of its stderr, a late answer, changed tools. */
  readonly report: (status: PoolEvent["status"], detail: string) => void;
  /** Ends an opening that is under way. */
  readonly cancelled: AbortSignal;
}

/** What a server says of itself when a session begins. */
export interface ServerIdentity {
  readonly name: string | null;
  readonly version: string | null;
  /** Version of the protocol that both agreed on. */
  readonly protocol: string | null;
  readonly transport: RemoteServerConfig["type"];
}

/** A session with one running server. */
export interface Session {
  readonly alive: boolean;
  readonly identity: ServerIdentity;
  listTools(): Promise<ListedTools>;
  /**
   * Calls a tool.
   * @throws the signal's reason if it is aborted, {@link SessionExpired} if the server did not look at the call, and nothing
   * else
   */
  call(tool: string, args: JsonObject, signal: AbortSignal | undefined): Promise<Answer>;
  close(): Promise<void>;
}

/** The server does not know the session any more. The call was not done, and a new session may do it. */
export class SessionExpired extends Error {}

/** Progress lets a call go on beyond its time-out, up to this many times of it. */
const TOTAL_TIMEOUTS = 10;
const MAX_TIMER_MS = 2 ** 31 - 1;
const PING_MS = 3000;
/** How long after the end of its stream an answer may still be under way inside the SDK. */
const LOST_MS = 250;

/** A client of ours. It declares no capabilities, so servers offer what needs none. */
export function newClient(): Client {
  return new Client({ name: "mcp-tandem", version: packageVersion() }, { jsonSchemaValidator: noValidator });
}

/**
 * Starts a server and initialises a session. An address whose transport is not named is asked for Streamable HTTP, and for SSE
 * if it answers that it does not know that, by 404 or 405, and in no other case.
 * @throws Error whose message says in words why it did not start
 */
export async function openSession(input: SessionInput): Promise<Session> {
  const { config } = input;
  try {
    return await openOver(config, input);
  } catch (thrown) {
    if (config.type !== "http" || !config.guessed || !(thrown instanceof StartFailure)) throw thrown;
    if (thrown.status !== 404 && thrown.status !== 405) throw thrown;
    try {
      return await openOver({ ...config, type: "sse" }, input);
    } catch (second) {
      throw new Error(`over Streamable HTTP: ${thrown.message}; over SSE: ${describeError(second)}`, { cause: thrown });
    }
  }
}

async function openOver(config: RemoteServerConfig, input: SessionInput): Promise<Session> {
  const connection = openConnection(config, input.values, input.env);
  const client = newClient();
  const end = () => void connection.close();
  input.cancelled.addEventListener("abort", end, { once: true });
  try {
    input.cancelled.throwIfAborted();
    await withDeadline(client.connect(connection.transport, { timeout: config.startTimeoutMs }), config.startTimeoutMs);
  } catch (thrown) {
    await connection.close();
    throw new StartFailure(thrown, connection, config);
  } finally {
    input.cancelled.removeEventListener("abort", end);
  }
  return sessionOver(client, connection, { ...input, config });
}

function sessionOver(client: Client, connection: Connection, { config, report }: SessionInput): Session {
  let death: string | null = null;
  let closing: Promise<void> | null = null;
  /** Ends the call that is under way because its answer is lost. */
  let lose: (() => void) | null = null;
  let timeouts = 0;
  let changed = false;

  function die(how: string): void {
    if (death !== null || closing !== null) return;
    death = how;
    report("died", [how, connection.remains()].filter(Boolean).join("; "));
    void connection.close();
  }

  client.onclose = () => die(endOf(connection));
  client.onerror = (error) => {
    if (timeouts > 0 && /unknown message ID/.test(error.message)) {
      timeouts--;
      report("late", "it answered a call after its time-out; what the call did stays done");
    }
    // The SDK leaves a call waiting whose stream broke off. Whether the server is gone, another request tells.
    if (config.type === "stdio" || lose === null || !/disconnected|fetch failed|reconnect/i.test(error.message)) return;
    client.ping({ timeout: PING_MS }).catch((thrown: unknown) => {
      if (!(thrown instanceof McpError)) die(describeError(thrown));
    });
  };
  // Tools are those of the start of a run, for all its episodes, so that its numbers can be compared.
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    if (!changed) report("changed", "it says that its tools have changed; those of the start stay on offer");
    changed = true;
  });
  connection.streams.onCallStreamEnd = () => {
    const call = lose;
    setTimeout(() => {
      if (lose === call) call?.();
    }, LOST_MS);
  };

  function failure(thrown: unknown, tool: string): Answer {
    if (closing !== null) return plainAnswer("broken", `The connection to ${config.name} was closed.`);
    if (death !== null) return plainAnswer("broken", `The connection to ${config.name} broke: ${death}.`);
    if (isTimeout(thrown)) {
      timeouts++;
      return plainAnswer("timeout", timeoutText(thrown, config, tool));
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
    if (status === 404 && connection.transport.sessionId !== undefined) {
      death = "its session has expired";
      throw new SessionExpired(death);
    }
    die(words);
    return plainAnswer("broken", `The connection to ${config.name} broke: ${words}.`);
  }

  return {
    get alive() {
      return death === null && closing === null;
    },
    identity: {
      name: client.getServerVersion()?.name ?? null,
      version: client.getServerVersion()?.version ?? null,
      protocol: connection.protocol(),
      transport: config.type,
    },
    listTools: () => listAllTools(client, config.startTimeoutMs),
    async call(tool, args, signal) {
      // A signal of our own: the SDK never takes its listener off, and would tell the server the reason.
      const controller = new AbortController();
      const abort = () => controller.abort("cancelled by the client");
      let lost = false;
      const loseThis = () => {
        lost = true;
        abort();
      };
      lose = loseThis;
      signal?.addEventListener("abort", abort, { once: true });
      try {
        const request = { method: "tools/call" as const, params: { name: tool, arguments: { ...args } } };
        const result = await client.request(request, z.unknown(), {
          timeout: config.timeoutMs,
          maxTotalTimeout: totalTimeoutMs(config),
          resetTimeoutOnProgress: true,
          // Without a handler the server is not asked for progress.
          onprogress: () => {},
          signal: controller.signal,
        });
        return thirdPartyAnswer(result);
      } catch (thrown) {
        signal?.throwIfAborted();
        if (lost && death === null) {
          return plainAnswer("broken", `${config.name} ended the stream of its answer to ${tool} without the answer.`);
        }
        return failure(thrown, tool);
      } finally {
        if (lose === loseThis) lose = null;
        signal?.removeEventListener("abort", abort);
      }
    },
    close: () => {
      closing ??= connection.close();
      return closing;
    },
  };
}

function totalTimeoutMs({ timeoutMs }: RemoteServerConfig): number {
  return Math.min(timeoutMs * TOTAL_TIMEOUTS, MAX_TIMER_MS);
}

function timeoutText(thrown: unknown, config: RemoteServerConfig, tool: string): string {
  if (isTotalTimeout(thrown)) {
    const seconds = totalTimeoutMs(config) / 1000;
    return `${config.name} told of progress with ${tool} for ${seconds} s, its longest time, and did not answer.`;
  }
  return `${config.name} did not answer ${tool} within ${config.timeoutMs / 1000} s.`;
}

function endOf(connection: Connection): string {
  const exit = connection.exit();
  return exit === null ? "the connection was closed" : `the server ended (${exit})`;
}

function isSchemaError(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === "ZodError";
}
