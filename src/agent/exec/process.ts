import spawn from "cross-spawn";
import { textTail } from "../../pool/output.ts";
import { endGroup, signalGroup, trackGroup } from "../../pool/process-group.ts";

/** What a program is run with. */
export interface ProcessInput {
  readonly command: string;
  readonly args: readonly string[];
  /** All of its environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Null closes its stdin at once. */
  readonly stdin: string | null;
  /** Ends it with all its children. */
  readonly signal: AbortSignal;
}

/** What a program left. */
export interface ProcessOutput {
  readonly stdout: string;
  /** The last lines of stderr. */
  readonly stderrEnd: string;
  /** As in `exit code 2` or `signal SIGKILL`; null if it went well. */
  readonly failure: string | null;
}

/** Largest output that is kept; a program that writes more is ended. */
const MOST_STDOUT_BYTES = 64 * 1024 * 1024;
/** How long a program that is asked to end may take before it is killed. */
const GRACE_MS = 500;
/** How long the pipes of a program that has ended may stay open, which only its children can cause. */
const DRAIN_MS = 500;

/**
 * Runs a program to its end, in a process group of its own that is gone when this settles.
 * @throws the error of spawn, as its code `ENOENT`; the signal's reason, once the group has ended
 */
export async function runProcess(input: ProcessInput): Promise<ProcessOutput> {
  const { signal } = input;
  signal.throwIfAborted();
  const child = spawn(input.command, [...input.args], {
    cwd: input.cwd,
    env: { ...input.env },
    detached: process.platform !== "win32",
    windowsHide: true,
    stdio: "pipe",
  });
  const { pid, stdin, stdout, stderr } = child;
  if (pid !== undefined) trackGroup(pid);
  const chunks: Buffer[] = [];
  let size = 0;
  let failure: string | null = null;
  const errors = textTail();
  const timers: NodeJS.Timeout[] = [];
  const end = () => {
    if (pid === undefined) return;
    signalGroup(pid, "SIGTERM");
    timers.push(setTimeout(() => signalGroup(pid, "SIGKILL"), GRACE_MS));
  };
  signal.addEventListener("abort", end, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      // What a program does not read is its own affair.
      stdin?.on("error", () => {});
      stdin?.end(input.stdin ?? "");
      stderr?.setEncoding("utf8").on("data", errors.add);
      stdout?.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size <= MOST_STDOUT_BYTES) return void chunks.push(chunk);
        failure ??= `an output over ${MOST_STDOUT_BYTES / 2 ** 20} MiB`;
        end();
      });
      child.once("exit", (code, name) => {
        if (code !== 0) failure ??= name === null ? `exit code ${code}` : `signal ${name}`;
        timers.push(setTimeout(resolve, DRAIN_MS));
      });
      child.once("close", () => resolve());
    });
  } finally {
    signal.removeEventListener("abort", end);
    timers.forEach(clearTimeout);
    if (pid !== undefined) endGroup(pid);
    stdout?.destroy();
    stderr?.destroy();
  }
  signal.throwIfAborted();
  return { stdout: Buffer.concat(chunks).toString("utf8"), stderrEnd: errors.end(2048), failure };
}
