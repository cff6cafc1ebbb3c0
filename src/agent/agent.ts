import type { Json } from "../base/json.ts";
import type { CallResult, OfferedTool } from "../pool/pool.ts";
import type { DistributiveOmit, StopReason, TrajectoryEvent } from "../record/trajectory.ts";

/** What an agent works with on one side of an episode. Calls and events are recorded by the side, not by the agent. */
export interface AgentTask {
  /** What is asked, for this seed. */
  readonly query: string;
  readonly tools: readonly OfferedTool[];
  readonly seed: number;
  readonly repeat: number;
  /** Calls a tool; an unknown tool and bad arguments are outcomes. @throws Stopped when a limit is reached or the run ends */
  call(name: string, args: Json): Promise<CallResult>;
  /**
   * Records a call that cannot be made, because its tool is not on offer or its arguments are no JSON object: a syntactic
   * error. @throws Stopped as {@link call}
   */
  reject(name: string, args: Json, why: string): CallResult;
  /** Has to be called before a model is asked. @throws Stopped if no further turn is allowed */
  beginTurn(): void;
  /** Records a model turn, a quirk of it or a note. @throws Stopped when a limit is reached */
  record(event: DistributiveOmit<Extract<TrajectoryEvent, { type: "model" | "quirk" | "note" }>, "at">): void;
  /** Fires when a limit is reached or the run is interrupted. */
  readonly signal: AbortSignal;
}

/** What an agent ends with. */
export interface AgentAnswer {
  /** Null if it stopped without one. */
  readonly text: string | null;
  /** Why it stopped, if not because it had answered. */
  readonly reason?: StopReason;
  readonly detail?: string;
}

/** Anything that works on a query: the plan's interpreter, a model, a baseline, an outside program, a person. */
export interface Agent {
  /** As named on the command line: `oracle`, `react:gpt-5`, … */
  readonly name: string;
  /** Works until it has an answer. What it throws is a crash of the agent, unless it is {@link Stopped}. */
  run(task: AgentTask): Promise<AgentAnswer>;
}

/** Thrown into an agent's call when its side has to end. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  readonly reason: StopReason;

  constructor(reason: StopReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}
