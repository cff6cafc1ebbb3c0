import type { Outcome } from "../record/outcome.ts";
import { cut, oneLine } from "./escape.ts";
import { counted, durationText } from "./result-table.ts";

/** Something that happens while a run goes on. */
export type ProgressEvent =
  | {
      readonly type: "run-started";
      readonly run: string;
      readonly folder: string;
      /** All episodes of the run, those done before included. */
      readonly episodes: number;
      /** Episodes that an earlier call recorded. */
      readonly resumed: number;
      /** Of those, episodes that a judge which failed is asked about again. */
      readonly judgedAgain?: number;
    }
  | { readonly type: "preflight"; readonly server: string; readonly ok: boolean; readonly detail: string }
  | { readonly type: "episode-started"; readonly key: string; readonly index: number }
  | {
      readonly type: "episode-ended";
      readonly key: string;
      readonly outcome: Outcome;
      readonly reason: string;
      readonly ms: number;
    }
  | { readonly type: "interrupted" };

/** `full` redraws one line in place, `plain` writes a line per finished episode, `none` writes nothing. */
export const displays = ["full", "plain", "none"] as const;
export type Display = (typeof displays)[number];

/** Where progress is written to. */
export interface ProgressStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Shows a run to people while it goes on. */
export interface Progress {
  on(event: ProgressEvent): void;
  /** Takes the redrawn line away. Call it before anything else is written to the stream, and at the end. */
  close(): void;
}

/** What is known of a run so far. */
interface State {
  /** Null until the run has started. */
  total: number | null;
  resumed: number;
  serversReady: number;
  startedAt: number;
  readonly counts: Record<Outcome, number>;
  readonly current: Set<string>;
  interrupted: boolean;
}

/**
 * Makes the display of a run. `full` falls back to `plain` where the stream is no terminal.
 * @param now milliseconds; only for rate and time left
 */
export function createProgress(display: Display, stream: ProgressStream, now: () => number = Date.now): Progress {
  if (display === "none") return { on: () => {}, close: () => {} };
  const redraws = display === "full" && stream.isTTY === true;
  const counts = { pass: 0, fail: 0, error: 0, inconclusive: 0 };
  const state: State = {
    total: null,
    resumed: 0,
    serversReady: 0,
    startedAt: now(),
    counts,
    current: new Set(),
    interrupted: false,
  };
  let drawn = false;

  function erase(): void {
    if (drawn) stream.write("\r\u001b[K");
    drawn = false;
  }

  function draw(): void {
    const line = cut(statusLine(state, now()), (stream.columns || 80) - 1);
    stream.write(`\r${line}\u001b[K`);
    drawn = true;
  }

  return {
    on(event) {
      if (event.type === "run-started") state.startedAt = now();
      apply(state, event);
      const line = lineFor(state, event);
      const lasting = line !== null && (!redraws || staysInView(event));
      if (lasting) {
        erase();
        stream.write(`${line}\n`);
      }
      if (redraws) draw();
    },
    close: erase,
  };
}

function apply(state: State, event: ProgressEvent): void {
  switch (event.type) {
    case "run-started":
      state.total = event.episodes;
      state.resumed = event.resumed;
      break;
    case "episode-started":
      state.current.add(event.key);
      break;
    case "episode-ended":
      state.current.delete(event.key);
      state.counts[event.outcome] += 1;
      break;
    case "interrupted":
      state.interrupted = true;
      break;
    case "preflight":
      if (event.ok) state.serversReady += 1;
      break;
  }
}

/** What must not be overwritten by the next redraw. */
function staysInView(event: ProgressEvent): boolean {
  switch (event.type) {
    case "preflight":
      return !event.ok;
    case "episode-ended":
      return event.outcome === "error";
    case "episode-started":
      return false;
    case "run-started":
    case "interrupted":
      return true;
  }
}

/** The lasting line of an event, or null if it has none. */
function lineFor(state: State, event: ProgressEvent): string | null {
  switch (event.type) {
    case "run-started": {
      const resumed = event.resumed === 0 ? "" : `, ${event.resumed} of them done before`;
      const again = event.judgedAgain ? `, ${event.judgedAgain} to be judged again` : "";
      return `run ${oneLine(event.run)}: ${counted(event.episodes, "episode")}${resumed}${again}, in ${oneLine(event.folder)}`;
    }
    case "preflight":
      return `server ${oneLine(event.server)}: ${event.ok ? "ready" : "not ready"}${event.detail === "" ? "" : `, ${oneLine(event.detail)}`}`;
    case "episode-started":
      return null;
    case "episode-ended": {
      const done = `[${ended(state) + state.resumed}/${state.total ?? 0}]`;
      const why = event.outcome === "pass" ? "" : `: ${cut(oneLine(event.reason), 300)}`;
      return `${done} ${event.outcome} ${keyText(event.key)} (${durationText(event.ms)})${why}`;
    }
    case "interrupted":
      return "interrupted: no new episode starts, those that run are finished. Press Ctrl-C again to stop at once.";
  }
}

/** Done and total, counts, rate, time left, and what runs now. */
function statusLine(state: State, now: number): string {
  if (state.total === null) return `checking servers: ${state.serversReady} ready`;
  const done = ended(state);
  const { pass, fail, error, inconclusive } = state.counts;
  const parts = [`${done + state.resumed}/${state.total}`, `${pass} pass ${fail} fail ${error} error`];
  if (inconclusive > 0) parts.push(`${inconclusive} inconclusive`);
  const elapsed = now - state.startedAt;
  if (done > 0 && elapsed > 0) {
    const left = state.total - state.resumed - done;
    const perSecond = (1000 * done) / elapsed;
    parts.push(perSecond >= 1 ? `${perSecond.toFixed(1)}/s` : `${(60 * perSecond).toFixed(1)}/min`);
    if (left > 0 && !state.interrupted) parts.push(`${durationText((left * elapsed) / done)} left`);
  }
  if (state.interrupted) parts.push("stopping");
  if (state.current.size > 0) parts.push([...state.current].map(keyText).join(", "));
  return parts.join(" · ");
}

function ended(state: State): number {
  return state.counts.pass + state.counts.fail + state.counts.error + state.counts.inconclusive;
}

function keyText(key: string): string {
  return oneLine(key).replaceAll("|", " ");
}
