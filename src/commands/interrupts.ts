import { setMaxListeners } from "node:events";
import { EXIT } from "../base/errors.ts";
import type { Host } from "./host.ts";

/** What Ctrl-C does to long work. */
export interface Interrupts {
  /** Fires at the first Ctrl-C: nothing new starts, and what runs is finished. */
  readonly stop: AbortSignal;
  /** Fires at the second: what runs ends at once. */
  readonly now: AbortSignal;
  close(): void;
}

/** How long the servers of running episodes get to end after the second Ctrl-C. */
const GRACE_MS = 3000;

/** Watches Ctrl-C. `onFirst` tells the person what happens now. After the second one the process ends with 130 as soon as its servers have, and in bounded time. */
export function watchInterrupts(host: Host, onFirst: () => void): Interrupts {
  const stop = new AbortController();
  const now = new AbortController();
  // Every side that runs listens, and takes its listener off again: many are no leak.
  setMaxListeners(0, stop.signal, now.signal);
  let timer: NodeJS.Timeout | undefined;
  const unwatch = host.onInterrupt((count) => {
    if (count === 1) {
      stop.abort();
      onFirst();
    } else if (count === 2) {
      now.abort();
      timer = setTimeout(() => host.exit(EXIT.killed), GRACE_MS);
    } else {
      host.exit(EXIT.killed);
    }
  });
  return {
    stop: stop.signal,
    now: now.signal,
    close: () => {
      clearTimeout(timer);
      unwatch();
    },
  };
}
