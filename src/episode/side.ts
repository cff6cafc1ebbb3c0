import { setTimeout as sleep } from "node:timers/promises";
import { type Agent, type AgentAnswer, type AgentTask, Stopped } from "../agent/agent.ts";
import { errorMessage, TandemError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import { cutMiddle, MOST_SHOWN } from "../base/text.ts";
import { noSuchToolText } from "../pool/offer.ts";
import type { CallResult, OfferedTool, Pool, PoolEvent } from "../pool/pool.ts";
import type { StopReason, ToolEvent, Trajectory } from "../record/trajectory.ts";
import { type Limits, type LimitWatch, watchLimits } from "./limits.ts";
import { createRecorder, type Recorder, roundMs } from "./recorder.ts";

/** What a side needs to run. */
export interface SideInput {
  readonly agent: Agent;
  readonly pool: Pool;
  readonly offered: readonly OfferedTool[];
  /** True if the pool has tools that are not on offer: calls of those are answered as if there were none. */
  readonly restricted: boolean;
  readonly text: string;
  readonly seed: number;
  readonly repeat: number;
  readonly limits: Limits;
  /** `performance.now()` when both sides were let go. */
  readonly barrier: number;
  readonly interrupted: AbortSignal;
  /** Gets the recorder, so that events of the pool enter the trajectory in their place. */
  readonly onRecorder?: (recorder: Recorder) => void;
}

/** What a side left behind. */
export interface SideOutput {
  readonly trajectory: Trajectory;
  readonly answer: string | null;
  readonly stop: { readonly reason: StopReason; readonly detail: string; readonly code?: string };
  readonly ms: number;
  /** Milliseconds since the barrier at its first act, or null if it did nothing. */
  readonly firstActMs: number | null;
}

/** Lets an agent work over its pool and records all that happens. Never rejects: what goes wrong is a stop reason. */
export async function runSide(input: SideInput): Promise<SideOutput> {
  const recorder = createRecorder(() => performance.now() - input.barrier);
  input.onRecorder?.(recorder);
  const watch = watchLimits(input.limits, input.interrupted);
  const started = performance.now();
  const answer = await work({ run: () => input.agent.run(taskOf(input, recorder, watch)), signal: watch.signal });
  watch.close();

  const text = "text" in answer ? answer.text : null;
  const { reason = "answered", detail = "" } = answer;
  const stop = { reason, detail, ...("code" in answer ? { code: answer.code } : {}) };
  if (text !== null) recorder.add({ type: "answer", text });
  recorder.add({ type: "stop", reason, detail });
  return {
    trajectory: [...recorder.events],
    answer: text,
    stop,
    ms: roundMs(performance.now() - started),
    firstActMs: recorder.firstAct(),
  };
}

/** What the agent of a side works with: each call and event enters the trajectory, each limit is watched. */
function taskOf(input: SideInput, recorder: Recorder, watch: LimitWatch): AgentTask {
  const { pool, offered } = input;
  const allowed = input.restricted
    ? new Set(offered.flatMap(({ name, server, tool }) => [name, `${server}.${tool}`]))
    : null;
  let calls = 0;

  function reject(name: string, args: Json, why: string): CallResult {
    watch.check();
    const result: CallResult = { ...NOT_CALLED, text: why, value: why };
    recorder.add({ ...toolEvent(result, { call: calls++, name, args }), ms: 0 });
    return result;
  }

  async function call(name: string, args: Json): Promise<CallResult> {
    if (allowed !== null && !allowed.has(name)) {
      return reject(
        name,
        args,
        noSuchToolText(
          name,
          offered.map((tool) => tool.name),
        ),
      );
    }
    watch.check();
    const number = calls++;
    const from = performance.now();
    const result = await pool.call(name, args, watch.signal).catch((thrown: unknown) => {
      if (thrown instanceof Stopped) {
        const event = toolEvent(cutOff(thrown, offered, name), { call: number, name, args });
        recorder.add({ ...event, ms: roundMs(performance.now() - from) });
      }
      throw thrown;
    });
    const shown = cutMiddle(result.text, MOST_SHOWN);
    const event = toolEvent(result, { call: number, name, args });
    recorder.add({ ...event, ...(shown === result.text ? {} : { cut: true }), ms: roundMs(performance.now() - from) });
    watch.check();
    return { ...result, text: shown };
  }

  const record: AgentTask["record"] = (event) => {
    recorder.add(event);
    if (event.type !== "model") return;
    try {
      watch.count(event);
    } catch (thrown) {
      if (event.calls > 0) {
        recorder.add({
          type: "quirk",
          kind: "not-executed",
          detail: `${event.calls} calls, because a limit was reached`,
        });
      }
      throw thrown;
    }
  };

  const { text, seed, repeat } = input;
  return {
    query: text,
    tools: offered,
    seed,
    repeat,
    call,
    reject,
    record,
    beginTurn: watch.beginTurn,
    signal: watch.signal,
  };
}

/** What is known of a call that no server was asked. */
const NOT_CALLED = {
  outcome: "syntactic",
  fault: null,
  violation: null,
  writes: [],
  tool: null,
  worldTime: null,
} as const satisfies Omit<CallResult, "text" | "value">;

/** What is known of a call that had no answer when its side was stopped. The tool may have done its work. */
function cutOff({ message }: Stopped, offered: readonly OfferedTool[], name: string): CallResult {
  const text = `no answer when the side was stopped: ${message}`;
  const tool = offered.find((one) => one.name === name || `${one.server}.${one.tool}` === name) ?? null;
  return { ...NOT_CALLED, tool, outcome: "timeout", text, value: text };
}

function toolEvent(
  result: CallResult,
  of: { readonly call: number; readonly name: string; readonly args: Json },
): Omit<ToolEvent, "at" | "ms"> {
  return {
    type: "tool",
    call: of.call,
    name: of.name,
    server: result.tool?.server ?? null,
    tool: result.tool?.tool ?? null,
    arguments: of.args,
    outcome: result.outcome,
    text: result.text,
    value: result.value,
    fault: result.fault,
    ...(result.violation === null ? {} : { violation: result.violation }),
    writes: [...result.writes],
    effect: result.tool?.effect ?? null,
    worldTime: result.worldTime,
  };
}

type Ending = AgentAnswer | { readonly reason: StopReason; readonly detail: string; readonly code?: string };

/** How long an agent whose side was stopped may take to end its last call, so that it is recorded. */
const LAST_ACT_MS = 250;

/**
 * The agent's answer, or why there is none. An agent that ignores the signal is left behind: its side ends all the same, and
 * whatever it still calls is refused.
 */
async function work(input: { run: () => Promise<AgentAnswer>; signal: AbortSignal }): Promise<Ending> {
  const { signal } = input;
  const stopped = new Promise<null>((resolve) => {
    signal.addEventListener("abort", () => resolve(null), { once: true });
  });
  const running = input.run().catch(endingOf);
  const ending = await Promise.race([running, stopped]);
  if (ending !== null) return ending;
  await Promise.race([running, sleep(LAST_ACT_MS)]);
  return endingOf(signal.reason);
}

function endingOf(thrown: unknown): Ending {
  if (thrown instanceof Stopped) return { reason: thrown.reason, detail: thrown.message };
  if (thrown instanceof TandemError && ["model", "agent", "credentials", "config"].includes(thrown.origin)) {
    const { code, hint, origin } = thrown;
    // What a person can mend is told with how, wherever the episode is looked at.
    const message = origin === "config" && hint !== undefined ? `${thrown.message}. ${hint}` : thrown.message;
    return code === "model.context-exceeded"
      ? { reason: "context", detail: message }
      : { reason: "model", detail: message, code };
  }
  return { reason: "crash", detail: errorMessage(thrown) };
}

/** Puts what a pool reports into the trajectory; events before the side runs are kept for it. */
export function poolEvents(): { onEvent: (event: PoolEvent) => void; attach: (recorder: Recorder) => void } {
  let recorder: Recorder | undefined;
  const early: PoolEvent[] = [];
  return {
    onEvent: (event) => (recorder === undefined ? early.push(event) : recorder.add(event)),
    attach: (made) => {
      recorder = made;
      for (const event of early) made.add(event);
    },
  };
}
