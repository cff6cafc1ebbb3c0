import { statSync } from "node:fs";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { DEFAULT_INHERITED_ENV_VARS } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { fillPlaceholders } from "../config/expand.ts";
import type { HttpServerConfig, StdioServerConfig } from "../config/server-config.ts";
import { type StreamWatch, watchedFetch } from "./http-fetch.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** A server that is not part of the sandbox. */
export type RemoteServerConfig = StdioServerConfig | HttpServerConfig;

/** What one side fills into a server's configuration. */
export interface SideValues {
  /** Value of `${workdir}`. */
  readonly workdir: string;
  /** Value of `${side}`. */
  readonly side: string;
}

/** The environment that programs are chosen parts of. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A transport to a server, not yet started. */
export interface Connection {
  readonly transport: Transport;
  /** Set its handler to hear of answers' streams that ended; over HTTP alone. */
  readonly streams: StreamWatch;
  /** Version of the protocol that was agreed on, or null before. */
  protocol(): string | null;
  /** How the server's process ended, or null while it runs or where there is none. */
  exit(): string | null;
  /** What the server left in words: noise on stdout, the end of stderr. Empty if nothing. */
  remains(): string;
  /** Ends connection and process; takes a few seconds at most and never rejects. */
  close(): Promise<void>;
}

const POLITE_MS = 1000;

/**
 * Prepares the transport that a server's configuration asks for.
 * @throws Error in words if its working folder is missing
 */
export function openConnection(config: RemoteServerConfig, values: SideValues, env: Environment): Connection {
  const streams: StreamWatch = { onCallStreamEnd: () => {} };
  const opened =
    config.type === "stdio" ? stdioConnection(config, values, env) : httpConnection(config, values, streams);
  let agreed: string | null = null;
  const { transport } = opened;
  const tell = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    agreed = version;
    tell?.(version);
  };
  return { ...opened, streams, protocol: () => agreed };
}

type OpenedTransport = Omit<Connection, "streams" | "protocol">;

function stdioConnection(config: StdioServerConfig, values: SideValues, env: Environment): OpenedTransport {
  const fill = (text: string) => fillPlaceholders(text, values);
  const cwd = config.cwd === null ? values.workdir : fill(config.cwd);
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`its working folder does not exist: ${cwd}`);
  }
  const transport = new StdioTransport({
    command: fill(config.command),
    args: config.args.map(fill),
    env: childEnvironment(
      env,
      Object.fromEntries(Object.entries(config.env).map(([key, value]) => [key, fill(value)])),
    ),
    cwd,
  });
  return {
    transport,
    exit: () => transport.exit,
    remains: () => {
      const stderr = transport.stderrEnd;
      return [transport.noise, stderr === "" ? "" : `its stderr ends with:\n${stderr}`].filter(Boolean).join("; ");
    },
    close: () => transport.close(),
  };
}

/** Variables of a child process: those named for it, and the few that programs need to run at all. */
export function childEnvironment(env: Environment, named: Readonly<Record<string, string>>): Record<string, string> {
  const basics = DEFAULT_INHERITED_ENV_VARS.flatMap((key) => {
    const value = env[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  return { ...Object.fromEntries(basics), ...named };
}

function httpConnection(config: HttpServerConfig, values: SideValues, streams: StreamWatch): OpenedTransport {
  const fill = (text: string) => fillPlaceholders(text, values);
  const url = new URL(fill(config.url));
  const headers = Object.fromEntries(Object.entries(config.headers).map(([key, value]) => [key, fill(value)]));
  const transport =
    config.type === "sse"
      ? new SSEClientTransport(url, { requestInit: { headers } })
      : new StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch: watchedFetch(streams) });
  return {
    // The SDK's class has an optional property that its own interface, read strictly, does not allow.
    transport: transport as Transport,
    exit: () => null,
    remains: () => "",
    close: async () => {
      if (transport instanceof StreamableHTTPClientTransport) {
        await settledWithin(POLITE_MS, transport.terminateSession());
      }
      await settledWithin(POLITE_MS, transport.close());
    },
  };
}

/** Waits for `work`, however it ends, but not longer than `ms`. */
export async function settledWithin(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}
