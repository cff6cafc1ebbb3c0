import { readdirSync, readFileSync } from "node:fs";

/** Command lines of processes of this machine that have `token` in them, zombies left out. */
export function processesWith(token: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return line.includes(token) ? [line] : [];
      } catch {
        return [];
      }
    });
}

/** Waits until `done` holds, for a few seconds at most. @throws Error with `what` if it never does */
export async function until(what: string, done: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (done()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${what} did not happen`);
}
