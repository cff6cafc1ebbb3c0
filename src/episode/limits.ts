import { Stopped } from "../agent/agent.ts";
import type { StopReason, Usage } from "../record/trajectory.ts";

/** What a side may use up. Null is no limit. */
export interface Limits {
  /** Model turns. */
  readonly rounds: number | null;
  /** Seconds of real time. */
  readonly timeSeconds: number | null;
  /** Prompt and output tokens together. */
  readonly tokens: number | null;
  readonly costUsd: number | null;
}

/** What of a model's turn counts towards the limits. */
export interface CountedTurn {
  readonly usage: Usage;
  /** Takes the place of an unknown usage. */
  readonly estimated?: number | undefined;
  readonly costUsd: number | null;
  /** Tool calls that it asked for. */
  readonly calls: number;
}

/** Watches one side's limits. */
export interface LimitWatch {
  /** Aborts when a limit is reached or the run is interrupted; its reason is a {@link Stopped}. */
  readonly signal: AbortSignal;
  /** @throws Stopped if all rounds are used up */
  beginTurn(): void;
  /** Counts a model turn. @throws Stopped if a limit is reached, also by calls that would need another round */
  count(turn: CountedTurn): void;
  /** @throws Stopped if the side has to end */
  check(): void;
  /** Ends the watch's timer. */
  close(): void;
}

/** @param interrupted fires when the whole run is to stop at once */
export function watchLimits(limits: Limits, interrupted: AbortSignal): LimitWatch {
  const controller = new AbortController();
  const used = { rounds: 0, tokens: 0, costUsd: 0 };
  const stop = (reason: StopReason, detail: string) => {
    if (!controller.signal.aborted) controller.abort(new Stopped(reason, detail));
  };
  const onInterrupt = () => stop("interrupted", "the run was interrupted");
  if (interrupted.aborted) onInterrupt();
  interrupted.addEventListener("abort", onInterrupt, { once: true });
  const timer =
    limits.timeSeconds === null
      ? undefined
      : setTimeout(() => stop("time", `the limit of ${limits.timeSeconds} s was reached`), limits.timeSeconds * 1000);
  const check = () => controller.signal.throwIfAborted();
  const outOfRounds = () => stop("rounds", `the limit of ${limits.rounds} rounds was reached`);
  return {
    signal: controller.signal,
    beginTurn() {
      if (limits.rounds !== null && used.rounds >= limits.rounds) outOfRounds();
      check();
    },
    count({ usage, estimated, costUsd, calls }) {
      const known = usage.prompt !== null && usage.output !== null;
      used.rounds += 1;
      used.tokens += known
        ? (usage.prompt ?? 0) + (usage.output ?? 0)
        : (estimated ?? usage.prompt ?? usage.output ?? 0);
      used.costUsd += costUsd ?? 0;
      if (limits.tokens !== null && used.tokens > limits.tokens) {
        stop("tokens", `the limit of ${limits.tokens} tokens was reached`);
      } else if (limits.costUsd !== null && used.costUsd > limits.costUsd) {
        stop("cost", `the limit of ${limits.costUsd} USD was reached`);
      } else if (
        limits.rounds !== null &&
        (used.rounds > limits.rounds || (used.rounds === limits.rounds && calls > 0))
      ) {
        outOfRounds();
      }
      check();
    },
    check,
    close() {
      clearTimeout(timer);
      interrupted.removeEventListener("abort", onInterrupt);
    },
  };
}
