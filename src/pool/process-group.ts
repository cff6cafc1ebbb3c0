import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { isJsonObject, tryParseJson } from "../base/json.ts";
import { removeWorkdirRoot, workdirRoot } from "./workdir.ts";

/** Groups whose leader was started and is not known to be gone. */
const groups = new Set<number>();
/** Files that are told of groups as they begin and end. */
const logs = new Set<string>();
let watching = false;

/** A line of the file that {@link logGroups} writes. */
type LogLine =
  | {
      readonly pid: number;
      /** Start time and command line of the leader, or null for the end of the group. */
      readonly identity: string | null;
    }
  | { readonly workdirs: string };

/**
 * Remembers the process group that `leader` leads, so that it is killed if this process exits before it was ended in an
 * orderly way.
 */
export function trackGroup(leader: number): void {
  groups.add(leader);
  if (logs.size > 0) log({ pid: leader, identity: identityOf(leader) });
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
  log({ pid: leader, identity: null });
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

/**
 * Keeps a file of the groups that are there from now on and of the workdirs of this process, so that {@link endStale} finds
 * them if this process is killed.
 * @returns a function that ends it and removes the file
 */
export function logGroups(file: string): () => void {
  logs.add(file);
  log({ workdirs: workdirRoot() });
  return () => {
    logs.delete(file);
    rmSync(file, { force: true });
  };
}

/**
 * Kills the groups that a killed process has left, as its file tells, and removes its workdirs. A group is killed only if its
 * leader still has the number, the start time and the command line that it had then.
 * @returns how many groups
 */
export function endStale(file: string): number {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return 0;
  }
  const left = new Map<number, string>();
  const workdirs: string[] = [];
  for (const line of text.split("\n")) {
    const parsed = tryParseJson(line);
    if (!isJsonObject(parsed)) continue;
    const value = parsed as unknown as LogLine;
    if ("workdirs" in value) workdirs.push(value.workdirs);
    else if (value.identity === null) left.delete(value.pid);
    else left.set(value.pid, value.identity);
  }
  const stale = [...left].filter(([pid, identity]) => identityOf(pid) === identity);
  for (const [pid] of stale) signalGroup(pid, "SIGKILL");
  workdirs.forEach(removeWorkdirRoot);
  rmSync(file, { force: true });
  return stale.length;
}

function log(line: LogLine): void {
  for (const file of logs) {
    try {
      appendFileSync(file, `${JSON.stringify(line)}\n`);
    } catch {
      // A full disk must not keep a server from being started or ended.
    }
  }
}

/** When and as what a process was started; null if it is not there or the system does not tell. */
function identityOf(pid: number): string | null {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // Behind the name, which may hold anything, the start time is the 20th field.
      const started = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
      return `${started} ${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()}`;
    }
    if (process.platform === "win32") return null;
    return execFileSync("ps", ["-o", "lstart=,command=", "-p", String(pid)], { encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}
