import { matchesGlobs } from "../base/globs.ts";
import type { JsonObject } from "../base/json.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { ToolDefinition } from "../sandbox/catalog.ts";
import type { Answer } from "./results.ts";

/** One server of a pool, whether it runs here, as a child process or elsewhere. */
export interface Member {
  readonly config: ServerConfig;
  /** The same without the faults in front of it, where there are some: a state is read past them. */
  readonly behindFaults?: Member;
  /**
   * The tools that it offers; they are read once and stay. Starts the server if they are not known without.
   * @throws TandemError `server.start-failed`
   */
  readonly tools: () => Promise<readonly ToolDefinition[]>;
  /** Starts the server if it is not running. @throws TandemError `server.start-failed` */
  readonly start: () => Promise<void>;
  /** Calls one of {@link tools}. @throws the signal's reason if it is aborted, and nothing else */
  call(tool: string, args: JsonObject, signal: AbortSignal | undefined): Promise<Answer>;
  /** Ends the server in bounded time. Never rejects. */
  close(): Promise<void>;
}

/** The tools that a server's entry lets through: those that `tools` names (all without it), less `disabledTools`. */
export function offeredTools(config: ServerConfig, tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const { tools: globs, disabledTools } = config;
  return tools.filter(
    ({ name }) => (globs === null || matchesGlobs(name, globs)) && !matchesGlobs(name, disabledTools),
  );
}
