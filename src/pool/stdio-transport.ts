import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { deserializeMessage, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import spawn from "cross-spawn";
import { lineSplitter, textTail } from "./output.ts";
import { endGroup, signalGroup, trackGroup } from "./process-group.ts";

/** What a child process is started with. */
export interface StdioParameters {
  readonly command: string;
  readonly args: readonly string[];
  /** All of its environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Largest message that a server may send. */
const MOST_MESSAGE_BYTES = 64 * 1024 * 1024;
/** How long a server gets to end by itself, and again after SIGTERM. */
const GRACE_MS = 1000;
/** How long the pipes of a process that has ended may stay open, which only its children can cause. */
const DRAIN_MS = 500;
const NOISE_KEPT = 3;

/**
 * A client transport over a child process. It differs from the SDK's in what it promises about processes: the server
 * leads a process group of its own, and the whole group is gone when the transport is closed or the server has ended, also
 * behind a wrapper such as `sh -c`. stderr is always read, its end is kept, and the exit is known.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #parameters: StdioParameters;
  readonly #stderr = textTail();
  readonly #noise: string[] = [];
  #noiseCount = 0;
  #child: ChildProcessWithoutNullStreams | undefined;
  #exit: string | null = null;
  #oversize = false;
  #markEnded: () => void = () => {};
  readonly #ended = new Promise<void>((resolve) => {
    this.#markEnded = resolve;
  });
  #isEnded = false;
  #drainTimer: NodeJS.Timeout | undefined;

  constructor(parameters: StdioParameters) {
    this.#parameters = parameters;
  }

  /** Process id of the server, or null if it was never started. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** How the process ended, as in `exit code 2`; null while it runs. */
  get exit(): string | null {
    return this.#oversize ? `a message over ${MOST_MESSAGE_BYTES / 2 ** 20} MiB` : this.#exit;
  }

  /** The last lines of stderr, up to 2 KB. */
  get stderrEnd(): string {
    return this.#stderr.end(2048);
  }

  /** What was on stdout that is no message, in a few words; empty if there was nothing. */
  get noise(): string {
    if (this.#noiseCount === 0) return "";
    return `${this.#noiseCount} lines on its stdout are no JSON-RPC, such as: ${this.#noise.join(" | ")}`;
  }

  /** @throws the error of spawn, as its code `ENOENT` for a command that is not there */
  start(): Promise<void> {
    const { command, args, env, cwd } = this.#parameters;
    return new Promise((resolve, reject) => {
      const detached = process.platform !== "win32";
      const child = spawn(command, [...args], {
        cwd,
        env,
        detached,
        windowsHide: true,
      }) as ChildProcessWithoutNullStreams;
      this.#child = child;
      if (child.pid !== undefined) trackGroup(child.pid);
      child.once("spawn", () => resolve());
      child.on("error", (error) => {
        reject(error);
        this.onerror?.(error);
        if (child.pid === undefined) this.#finish();
      });
      for (const stream of [child.stdin, child.stdout, child.stderr]) {
        stream.on("error", (error: Error) => this.onerror?.(error));
      }
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => this.#stderr.add(chunk));
      const split = lineSplitter(MOST_MESSAGE_BYTES, (line) => this.#receive(line));
      child.stdout.on("data", (chunk: Buffer) => {
        if (split(chunk) || this.#oversize) return;
        this.#oversize = true;
        child.stdout.destroy();
        void this.close();
      });
      child.once("exit", (code, signal) => {
        this.#exit = signal === null ? `exit code ${code}` : `signal ${signal}`;
        this.#drainTimer = setTimeout(() => this.#finish(), DRAIN_MS);
      });
      child.once("close", () => this.#finish());
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#child === undefined || this.#isEnded || !this.#child.stdin.writable) throw new Error("Not connected");
    // Not awaited: a server that no longer reads would hold up the caller for ever, whose timer runs on the answer.
    this.#child.stdin.write(serializeMessage(message));
  }

  /** Ends the server: closes its stdin, then asks, then kills its whole group. Takes a few seconds at most. */
  async close(): Promise<void> {
    const pid = this.#child?.pid;
    if (this.#child === undefined || pid === undefined || this.#isEnded) return;
    this.#child.stdin.end();
    if (await this.#endsWithin(GRACE_MS)) return;
    signalGroup(pid, "SIGTERM");
    if (await this.#endsWithin(GRACE_MS)) return;
    signalGroup(pid, "SIGKILL");
    if (await this.#endsWithin(GRACE_MS)) return;
    this.#finish();
  }

  #receive(line: string): void {
    if (line.trim() === "") return;
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      this.#noiseCount++;
      if (this.#noise.length < NOISE_KEPT) this.#noise.push(line.slice(0, 120));
      return;
    }
    this.onmessage?.(message);
  }

  async #endsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([this.#ended, late]);
    clearTimeout(timer);
    return this.#isEnded;
  }

  #finish(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#drainTimer);
    const child = this.#child;
    if (child?.pid !== undefined) endGroup(child.pid);
    // Pipes that somebody else still holds must not keep this process alive.
    for (const stream of [child?.stdin, child?.stdout, child?.stderr]) stream?.destroy();
    this.#markEnded();
    this.onclose?.();
  }
}
