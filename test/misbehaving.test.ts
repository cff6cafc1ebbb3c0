import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunSummary } from "../src/analysis/summary.ts";
import { defineAgent, loadServers, loadSuite, runEpisode } from "../src/index.ts";
import { readRun } from "../src/record/run-reader.ts";
import { oneCallProject } from "./cases/project.ts";
import { processesWith } from "./processes.ts";
import { runJson, runTandem, testFolder } from "./run-tandem.ts";
import { fixture } from "./servers/pools.ts";

const TOKEN = `tandem-fixture-${process.pid}`;
const run = ["run", "--display", "none"];

/** The fixture in a mode, with a token in its command line by which its process is found. */
function fixtureEntry(mode: string, more: object = {}): object {
  return { command: process.execPath, args: [fixture("stdio.mjs"), mode, TOKEN], ...more };
}

describe.each([
  ["exits at once", "exit", "cannot read cfg.yaml"],
  ["never answers initialize", "silent", "initialize"],
])("a server that %s", (_, mode, words) => {
  const entry = fixtureEntry(mode, { startTimeout: 1 });

  it("stops a run before it begins, with the server's name and its words", async () => {
    const cwd = oneCallProject(entry);
    const { code, stderr } = await runTandem(run, { cwd });
    expect(code).toBe(4);
    expect(stderr).toContain("server Fixture did not start");
    expect(stderr).toContain(words);
    expect(stderr).toContain("--no-preflight");
    expect(processesWith(TOKEN)).toEqual([]);
  });

  it("makes an episode an error that names it, never a score", async () => {
    const cwd = oneCallProject(entry);
    const { code } = await runTandem([...run, "--no-preflight", "--out", "run"], { cwd });
    expect(code).toBe(5);
    const { records } = await readRun(join(cwd, "run"));
    expect(records).toMatchObject([
      {
        outcome: "error",
        error: { code: "server.start-failed", server: "Fixture", message: expect.stringContaining(words) },
        state: null,
        facts: null,
        judges: {},
      },
    ]);
    expect(processesWith(TOKEN)).toEqual([]);
  });
});

describe("a server that dies in a call", () => {
  const entry = fixtureEntry("plain");

  it("makes the episode an error if it dies under the reference", async () => {
    const cwd = oneCallProject(entry, "pay");
    const { outcomes } = await runJson<RunSummary>([...run, "--agent", "noop", "--out", "run"], { cwd });
    expect(outcomes).toEqual({ pass: 0, fail: 0, error: 1, inconclusive: 0 });
    const { records } = await readRun(join(cwd, "run"));
    expect(records[0]?.error).toMatchObject({ code: "server.died", server: "Fixture" });
    expect(records[0]?.error?.message).toContain("out of paper");
    expect(processesWith(TOKEN)).toEqual([]);
  });

  it("is the agent's failure if the agent's call kills a fresh one as well", async () => {
    const cwd = oneCallProject(entry);
    const { queries } = loadSuite({ queriesDir: join(cwd, "queries"), plansDir: join(cwd, "plans") });
    const { servers } = loadServers(join(cwd, "mcp-servers.json"), { env: process.env, defaultFile: "" });
    const agent = defineAgent(async (task) => {
      await task.call("pay", {});
      return { text: "done: yes" };
    });
    const [query] = queries;
    if (query === undefined) throw new Error("no query");
    const { record } = await runEpisode({ query, agent, servers, seed: 1 });
    expect(record).toMatchObject({ outcome: "fail", reason: expect.stringContaining("dies again") });
    expect(processesWith(TOKEN)).toEqual([]);
  });
});

describe("Ctrl-C", () => {
  const sandbox = ["run", "--suite", "sandbox", "--seeds", "3", "-j", "1", "--display", "plain"];

  it("once finishes what runs, writes the report, and the same command goes on", async () => {
    const cwd = testFolder();
    let pressed = false;
    const first = await runTandem([...sandbox, "--json"], {
      cwd,
      onStderr: (text, interrupt) => {
        if (pressed || !text.includes("[3/24]")) return;
        pressed = true;
        interrupt();
      },
    });
    expect(first.code).toBe(5);
    expect(first.stderr).toContain("no new episode starts");
    const summary = JSON.parse(first.stdout) as RunSummary;
    expect(summary.episodes).toBeGreaterThanOrEqual(3);
    expect(summary.episodes).toBeLessThan(24);
    expect(summary.outcomes.error).toBe(0);
    const second = await runJson<RunSummary>(sandbox, { cwd });
    expect(second).toMatchObject({ run: summary.run, episodes: 24 });
    expect(second.outcomes.pass).toBe(24);
  });

  it("twice ends at once with 130, records nothing of what was cut off, and leaves no process", async () => {
    const cwd = oneCallProject(fixtureEntry("plain", { timeout: 600 }), "hang");
    const result = await runTandem(["run", "--display", "plain", "--out", "run"], {
      cwd,
      onStderr: (text, interrupt) => {
        // The server never answers this call, so that nothing else would end the run.
        if (text.includes("1 episode")) setTimeout(() => [interrupt(), interrupt()], 500);
      },
    });
    expect(result.code).toBe(130);
    expect((await readRun(join(cwd, "run"))).records).toEqual([]);
    expect(processesWith(TOKEN)).toEqual([]);
  });
});
