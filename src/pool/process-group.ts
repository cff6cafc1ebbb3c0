/** Groups whose leader was started and is not known to be gone. */
const groups = new Set<number>();
let watching = false;

/**
 * Remembers the process group that `leader` leads, so that it is killed if this process exits before it was ended in an
 * orderly way.
 */
export function trackGroup(leader: number): void {
  groups.add(leader);
  if (watching) return;
  watching = true;
  process.once("exit", () => {
    for (const group of groups) signalGroup(group, "SIGKILL");
  });
}

/** Kills what is left of a group and forgets it: its number may soon be another's. */
export function endGroup(leader: number): void {
  if (!groups.delete(leader)) return;
  signalGroup(leader, "SIGKILL");
}

/** Sends a signal to all processes of a group, if there are any. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    // Windows has no groups; there the leader alone gets it.
    process.kill(process.platform === "win32" ? leader : -leader, signal);
  } catch {
    // Nobody is left, which is what was wanted.
  }
}
