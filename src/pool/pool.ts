import type { Json, JsonObject } from "../base/json.ts";
import type { Snapshot } from "../record/snapshot.ts";
import type { CallOutcome, TrajectoryEvent } from "../record/trajectory.ts";

/** A tool as it is offered to an agent. */
export interface OfferedTool {
  /** Exposed name: `^[a-zA-Z0-9_-]{1,64}$`, unique in the pool. */
  readonly name: string;
  readonly server: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | undefined;
  /** From the annotations: what a call does to the world; null if the server does not say. */
  readonly effect: "read" | "write" | null;
}

/** What a call brought back. {@link CallOutcome} says what each outcome means. */
export interface CallResult {
  readonly outcome: CallOutcome;
  /** The result in words: never empty and, from a pool, never cut. */
  readonly text: string;
  /**
   * The result as a plan sees it: the `output` of a sandbox envelope; for other servers structured content, else the text
   * as JSON, else the text.
   */
  readonly value: Json;
  /** The injected fault that hit the call, if one did. */
  readonly fault: string | null;
  /** How a result that says it went well breaks the tool's own output schema; null if it does not. */
  readonly violation: string | null;
  /** State paths that the call changed, from the server name on, where the state is ours. */
  readonly writes: readonly string[];
  /** Null if no server has such a tool. */
  readonly tool: OfferedTool | null;
  readonly worldTime: string | null;
}

/** Events that a pool reports by itself: a server that starts, dies, or is started again. */
export type PoolEvent = Omit<Extract<TrajectoryEvent, { type: "server" }>, "at">;

/**
 * The servers that one side may use. Sandbox servers run in-process over the SDK's in-memory transport, others over stdio
 * or Streamable HTTP; each is a real MCP server.
 */
export interface Pool {
  /** The side's own folder, the value of `${workdir}`. */
  readonly workdir: string;
  /**
   * All tools of the pool, in the order of the configuration. Starts the servers whose tools are not known yet.
   * @throws TandemError `server.start-failed` for one that is not optional
   */
  tools(): Promise<readonly OfferedTool[]>;
  /**
   * Calls a tool by its exposed name, or by `<Server>.<tool>` as plans do. Never rejects for what a server or an agent did:
   * that is an outcome. Calls of one pool run one after the other.
   * @throws the signal's reason once it is aborted: a call that nobody waits for any more has no outcome
   */
  call(name: string, args: Json, signal?: AbortSignal): Promise<CallResult>;
  /**
   * The state of all state-scored servers now; of the sandbox those that are needed or have changed.
   * @throws TandemError `server.no-snapshot` if a probe fails: a missing snapshot is never an empty state
   */
  snapshot(): Promise<Snapshot>;
  /** Ends every session and process and removes the workdir. Safe to call twice. */
  close(): Promise<void>;
}
