import { type Agent, type AgentAnswer, Stopped } from "../agent/agent.ts";
import { errorMessage } from "../base/errors.ts";
import { cutMiddle, MOST_SHOWN } from "../base/text.ts";
import type { CallResult, OfferedTool, Pool, PoolEvent } from "../pool/pool.ts";
import type { StopReason, Trajectory } from "../record/trajectory.ts";
import { type Limits, watchLimits } from "./limits.ts";
import { createRecorder, type Recorder, roundMs } from "./recorder.ts";

/** What a side needs to run. */
export interface SideInput {
  readonly agent: Agent;
  readonly pool: Pool;
  readonly offered: readonly OfferedTool[];
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
  readonly stop: { readonly reason: StopReason; readonly detail: string };
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
  let calls = 0;

  async function call(name: string, args: Parameters<Pool["call"]>[1]): Promise<CallResult> {
    watch.check();
    const number = calls++;
    const from = performance.now();
    const result = await input.pool.call(name, args, watch.signal);
    const shown = cutMiddle(result.text, MOST_SHOWN);
    recorder.add({
      type: "tool",
      ms: roundMs(performance.now() - from),
      call: number,
      name,
      server: result.tool?.server ?? null,
      tool: result.tool?.tool ?? null,
      arguments: args,
      outcome: result.outcome,
      text: result.text,
      ...(shown === result.text ? {} : { cut: true as const }),
      value: result.value,
      fault: result.fault,
      ...(result.violation === null ? {} : { violation: result.violation }),
      writes: [...result.writes],
      effect: result.tool?.effect ?? null,
      worldTime: result.worldTime,
    });
    watch.check();
    return { ...result, text: shown };
  }

  const answer = await work({
    run: () =>
      input.agent.run({
        text: input.text,
        tools: input.offered,
        seed: input.seed,
        repeat: input.repeat,
        call,
        record: (event) => {
          recorder.add(event);
          if (event.type === "model") watch.count(event.usage, event.costUsd);
        },
        signal: watch.signal,
      }),
    signal: watch.signal,
  });
  watch.close();

  const text = "text" in answer ? answer.text : null;
  const stop = { reason: answer.reason ?? "answered", detail: answer.detail ?? "" } as const;
  if (text !== null) recorder.add({ type: "answer", text });
  recorder.add({ type: "stop", ...stop });
  return {
    trajectory: [...recorder.events],
    answer: text,
    stop,
    ms: roundMs(performance.now() - started),
    firstActMs: recorder.firstAct(),
  };
}

type Ending = AgentAnswer | { readonly reason: StopReason; readonly detail: string };

/**
 * The agent's answer, or why there is none. An agent that ignores the signal is left behind: its side ends all the same, and
 * whatever it still calls is refused.
 */
async function work(input: { run: () => Promise<AgentAnswer>; signal: AbortSignal }): Promise<Ending> {
  const { signal } = input;
  const stopped = new Promise<Ending>((resolve) => {
    signal.addEventListener("abort", () => resolve(endingOf(signal.reason)), { once: true });
  });
  const running = input.run().catch(endingOf);
  return Promise.race([running, stopped]);
}

function endingOf(thrown: unknown): Ending {
  if (thrown instanceof Stopped) return { reason: thrown.reason, detail: thrown.message };
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
