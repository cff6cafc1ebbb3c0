import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { random } from "../base/random.ts";
import { packageRoot } from "../config/paths.ts";
import { readRun } from "../record/run-reader.ts";
import { sandboxApps } from "../sandbox/catalog.ts";

/**
 * A soak: thousands of paired episodes on the sandbox with faults, killed by SIGKILL every few hundred and gone on with each
 * time. At the end every planned episode has to be there once, unchanged since it was recorded, and the last call, which
 * is not killed, must not have grown. `npm run soak -- --episodes 400` makes it short.
 */

const CONCURRENCY = 16;
const AGENTS = ["oracle", "noop", "random", "parrot"];
const QUERIES = 8;
/** Share of the episodes after which nothing is killed any more, so that one process lives long enough to be measured. */
const KILLED_SHARE = 0.5;
const HEAP_MB = 120;
const STALL_MS = 120_000;
/** How much larger the last quarter of a process may be than the second, after which it has warmed up. */
const MOST_GROWTH = 1.2;

const FAULTS = `"*":
  - { tool: "*", kind: transient, rate: 0.02 }
  - { tool: "*", kind: rate-limit, rate: 0.01 }
  - { tool: "*", kind: drop, rate: 0.01 }
  - { tool: "*", kind: delay, rate: 0.01, seconds: 0.005 }
`;

/** What a process used when it had done so many episodes. Null where the system does not tell. */
interface Sample {
  readonly episodes: number;
  readonly rssMb: number | null;
  readonly handles: number | null;
}

/** One call of the program. */
interface Leg {
  readonly episodes: number;
  readonly killed: boolean;
  readonly code: number | null;
  readonly samples: readonly Sample[];
}

const { values } = parseArgs({ options: { episodes: { type: "string", default: "5000" } } });
const seeds = Math.max(1, Math.ceil(Number(values.episodes) / (QUERIES * AGENTS.length)));
const planned = seeds * QUERIES * AGENTS.length;
const folder = mkdtempSync(join(tmpdir(), "tandem-soak-"));
const temporary = join(folder, "tmp");
const runFolder = join(folder, "run");

function startRun(): ChildProcess {
  const argv = ["run", "--suite", "sandbox", "--seeds", String(seeds), "-j", String(CONCURRENCY), "--display", "plain"];
  for (const agent of AGENTS) argv.push("--agent", agent);
  argv.push("--out", runFolder, "--config", join(folder, "mcp-servers.json"), "--faults", join(folder, "faults.yaml"));
  // With little room the collector works all the time, so that what grows is a leak and not its leisure.
  return spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, join(packageRoot, "dist", "bin.js"), ...argv], {
    cwd: folder,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** Runs the program until it ends, or kills it after so many episodes. @throws Error if it stalls */
async function runLeg(killAfter: number): Promise<Leg> {
  const child = startRun();
  const samples: Sample[] = [];
  let episodes = 0;
  let killed = false;
  let stalled = false;
  let timer = setTimeout(() => {}, 0);
  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      stalled = true;
      child.kill("SIGKILL");
    }, STALL_MS);
  };
  watch();
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on("line", (line) => {
      if (!/^\[\d+\/\d+\]/.test(line)) {
        process.stderr.write(`  ${line}\n`);
        return;
      }
      watch();
      if (++episodes % 20 === 0) samples.push({ episodes, ...usageOf(child.pid ?? 0) });
      if (episodes === killAfter) {
        killed = true;
        child.kill("SIGKILL");
      }
    });
  }
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  if (stalled) throw new Error(`no episode ended within ${STALL_MS / 1000} s`);
  return { episodes, killed, code, samples };
}

function usageOf(pid: number): Pick<Sample, "rssMb" | "handles"> {
  try {
    const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return { rssMb: Number(rss) / 1024, handles: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return { rssMb: null, handles: null };
  }
}

/** The whole lines of the episodes' file, and a check that those seen before are unchanged. */
function watchRecords(): { readonly lines: () => number; readonly check: () => void } {
  const file = join(runFolder, "episodes.jsonl");
  let seen = 0;
  let hash = "";
  const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  const read = () => {
    const bytes = readFileSync(file);
    return bytes.subarray(0, bytes.lastIndexOf(10) + 1);
  };
  return {
    lines: () => read().toString("latin1").split("\n").length - 1,
    check: () => {
      const bytes = read();
      if (seen > 0 && hashOf(bytes.subarray(0, seen)) !== hash) throw new Error("recorded episodes have changed");
      seen = bytes.length;
      hash = hashOf(bytes);
    },
  };
}

/** Mean of a share of the samples. */
function meanOf(samples: readonly Sample[], of: "rssMb" | "handles", from: number, to: number): number | null {
  const part = samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to));
  const known = part.flatMap((sample) => sample[of] ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Processes of this machine that name the soak's folder, or null where the system does not tell. */
function processesLeft(): number | null {
  try {
    return readdirSync("/proc").filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
      } catch {
        return false;
      }
    }).length;
  } catch {
    return null;
  }
}

const round = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10);

async function soak(): Promise<boolean> {
  const sandbox = sandboxApps.map(({ name }) => [name, { type: "sandbox" }]);
  // Queries that are not run name them.
  const others = ["filesystem", "memory", "everything"].map((name) => [name, { command: name, disabled: true }]);
  const servers = Object.fromEntries([...sandbox, ...others]);
  mkdirSync(temporary, { recursive: true });
  writeFileSync(join(folder, "mcp-servers.json"), JSON.stringify({ mcpServers: servers }));
  writeFileSync(join(folder, "faults.yaml"), FAULTS);
  const draw = random(planned, "soak");
  const records = watchRecords();
  const from = performance.now();
  const legs: Leg[] = [];
  for (let done = 0; ; ) {
    const leg = await runLeg(done < planned * KILLED_SHARE ? draw.int(200, 500) : Number.POSITIVE_INFINITY);
    legs.push(leg);
    if (!leg.killed && leg.code !== 0) throw new Error(`a call ended with ${leg.code}`);
    records.check();
    done = records.lines();
    process.stderr.write(
      `${leg.killed ? "killed" : `ended with ${leg.code}`}: ${done} of ${planned} episodes recorded\n`,
    );
    if (!leg.killed) break;
  }
  const { info, records: found, problems } = await readRun(runFolder);
  const last = legs.at(-1)?.samples ?? [];
  const early = meanOf(last, "rssMb", 0.25, 0.5);
  const late = meanOf(last, "rssMb", 0.75, 1);
  const growth = early === null || late === null ? null : late / early;
  const handles = [meanOf(last, "handles", 0.25, 0.5), meanOf(last, "handles", 0.75, 1)] as const;
  const count = (outcome: string) => found.filter((record) => record.outcome === outcome).length;
  const faults = found.reduce((sum, { tested }) => sum + (tested?.calls.faultsMet ?? 0), 0);
  const figures = {
    episodes: planned,
    recorded: found.length,
    lines: records.lines(),
    complete: info.complete,
    outcomes: { pass: count("pass"), fail: count("fail"), error: count("error"), inconclusive: count("inconclusive") },
    oraclePasses: found.filter(({ agent, outcome }) => agent === "oracle" && outcome === "pass").length,
    faultsMet: faults,
    kills: legs.filter(({ killed }) => killed).length,
    processesLeft: processesLeft(),
    foldersLeft: readdirSync(temporary).length,
    heapLimitMb: HEAP_MB,
    lastProcess: {
      episodes: legs.at(-1)?.episodes ?? 0,
      rssMbSecondQuarter: round(early),
      rssMbLastQuarter: round(late),
      handlesSecondQuarter: round(handles[0]),
      handlesLastQuarter: round(handles[1]),
    },
    minutes: round((performance.now() - from) / 60_000),
    machine: `${process.platform} ${process.arch}, ${availableParallelism()} processors, Node ${process.version}`,
  };
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  const failures = [
    found.length === planned ? "" : `${planned - found.length} episodes are lost`,
    figures.lines === found.length ? "" : "an episode is recorded twice, or a line is no episode",
    problems.length === 0 ? "" : problems.join("; "),
    info.complete ? "" : "the run is not complete",
    figures.outcomes.error + figures.outcomes.inconclusive === 0 ? "" : "episodes ended as errors or inconclusive",
    figures.processesLeft === null || figures.processesLeft === 0 ? "" : `${figures.processesLeft} processes are left`,
    figures.foldersLeft === 0 ? "" : `${figures.foldersLeft} temporary folders are left`,
    // A short soak has too few samples to tell growth from warming up.
    growth === null || planned < 2000 || growth <= MOST_GROWTH
      ? ""
      : `memory grew by ${Math.round(growth * 100 - 100)} %`,
    handles[0] === null || handles[1] === null || handles[1] <= handles[0] + 5 ? "" : "handles are left open",
  ].filter((failure) => failure !== "");
  for (const failure of failures) process.stderr.write(`FAILED: ${failure}\n`);
  return failures.length === 0;
}

try {
  process.exitCode = (await soak()) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
