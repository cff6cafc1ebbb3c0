import type { DistributiveOmit, TrajectoryEvent } from "../record/trajectory.ts";

/** An event before it has its time. */
export type TimelessEvent = DistributiveOmit<TrajectoryEvent, "at">;

/** Collects one side's trajectory. Times are milliseconds since the barrier; before it they are negative or zero. */
export interface Recorder {
  add(event: TimelessEvent): void;
  readonly events: readonly TrajectoryEvent[];
  /** Milliseconds since the barrier at the first model or tool event, or null if there was none. */
  firstAct(): number | null;
}

/** @param sinceBarrier gives the milliseconds since both sides were let go */
export function createRecorder(sinceBarrier: () => number): Recorder {
  const events: TrajectoryEvent[] = [];
  return {
    events,
    add: (event) => {
      events.push({ ...event, at: roundMs(sinceBarrier()) });
    },
    firstAct: () => {
      const first = events.find((event) => event.type === "model" || event.type === "tool");
      return first === undefined ? null : first.at - ("ms" in first ? first.ms : 0);
    },
  };
}

/** Milliseconds to a hundredth: enough to see, short to store. */
export function roundMs(ms: number): number {
  return Math.round(ms * 100) / 100;
}
