import type { FaultRule, ResetCommand, StateProbe } from "./server-schema.ts";

interface ServerBase {
  /** The key in the file. */
  readonly name: string;
  /** `side`: each side has its own; `shared`: both sides meet on one account, which is never state-scored. */
  readonly isolation: "side" | "shared";
  /** Globs of the tools to offer; null offers all. A shared server always has a list. */
  readonly tools: readonly string[] | null;
  /** Globs of tools that are not offered although `tools` names them. */
  readonly disabledTools: readonly string[];
  readonly state: StateProbe | null;
  /** Faults to put in front of its calls, see `pool/faults.ts`. */
  readonly faults: readonly FaultRule[];
  /** Longest time of a call without progress. */
  readonly timeoutMs: number;
  readonly startTimeoutMs: number;
  readonly optional: boolean;
  readonly disabled: boolean;
  readonly reset: ResetCommand | null;
  /** Values to redact: what came from variables and what looks like a secret by its name. */
  readonly secrets: readonly string[];
  /** The entry as written, with no variable filled in: what a run's metadata may show. */
  readonly source: Readonly<Record<string, unknown>>;
}

/** A server of the sandbox, known by its name. */
export interface SandboxServerConfig extends ServerBase {
  readonly type: "sandbox";
}

/** A server that is a child process. */
export interface StdioServerConfig extends ServerBase {
  readonly type: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute once the pool has filled in its placeholders; null is the side's `${workdir}`. */
  readonly cwd: string | null;
}

/** A server behind a URL. */
export interface HttpServerConfig extends ServerBase {
  readonly type: "http" | "sse";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** True if the entry names no transport: SSE is tried where the address does not know Streamable HTTP. */
  readonly guessed: boolean;
}

/** A server of the configuration. Texts may still hold `${workdir}` and `${side}`, which the pool fills in. */
export type ServerConfig = SandboxServerConfig | StdioServerConfig | HttpServerConfig;
