import type { Host } from "./host.ts";

/** The host that a process started from a shell has. A reader that leaves early, such as `head`, is no error. */
export function processHost(): Host {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    now: () => new Date(),
    onInterrupt(handler) {
      let count = 0;
      const listener = () => handler(++count);
      process.on("SIGINT", listener);
      process.on("SIGTERM", listener);
      return () => {
        process.off("SIGINT", listener);
        process.off("SIGTERM", listener);
      };
    },
    exit: (code) => process.exit(code),
  };
}
