import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunSummary } from "../src/analysis/summary.ts";
import { hashJson } from "../src/base/canonical-json.ts";
import { packageRoot } from "../src/config/paths.ts";
import { readRun } from "../src/record/run-reader.ts";
import { runJson, runTandem, testFolder } from "./run-tandem.ts";

const sandbox = ["run", "--suite", "sandbox", "--display", "none"];

/** Grades and end states of a run, without what differs from call to call. */
async function essence(folder: string) {
  const stored = await readRun(folder);
  const episodes = await Promise.all(
    stored.records.map(async (record) => {
      const { reference, tested, before } = await stored.evidence(record);
      const { key, outcome, reason, state, facts, judges } = record;
      return { key, outcome, reason, state, facts, judges, ends: hashJson([before, reference.end, tested.end]) };
    }),
  );
  return episodes.sort((a, b) => (a.key < b.key ? -1 : 1));
}

describe("tandem run", () => {
  it("passes the oracle and nobody who does not solve the query, on all queries", async () => {
    const cwd = testFolder();
    const agents = ["oracle", "noop", "random", "parrot"];
    const summary = await runJson<RunSummary>(
      ["run", ...agents.flatMap((agent) => ["--agent", agent]), "--display", "none"],
      { cwd },
    );
    const { queries } = await runJson<{ queries: { id: string }[] }>(["list", "queries"], { cwd });
    expect(queries).toHaveLength(12);
    expect(summary.episodes).toBe(48);
    expect(summary.outcomes).toEqual({ pass: 12, fail: 36, error: 0, inconclusive: 0 });
    for (const { agent, success, judges, toolCalls, tokens } of summary.agents) {
      expect(success.rate).toBe(agent === "oracle" ? 1 : 0);
      expect(judges.rules?.tsr?.mean).toBe(agent === "oracle" ? 1 : 0);
      expect(tokens.agent.prompt).toBeNull();
      if (agent === "oracle") expect(judges.rules?.ats?.mean).toBe(1);
      if (agent === "random") expect(toolCalls.valid?.mean).toBeGreaterThan(0);
    }
    const { records } = await readRun(summary.folder);
    const calls = records.filter(({ agent }) => agent === "oracle").map(({ tested }) => tested?.calls);
    expect(Math.min(...calls.map((stats) => stats?.total ?? 0))).toBe(1);
    expect(Math.max(...calls.map((stats) => stats?.total ?? 0))).toBeGreaterThan(20);
    expect(calls.some((stats) => (stats?.faultsRecovered ?? 0) > 0)).toBe(true);
    expect(records.every(({ offered }) => (offered?.tools ?? 0) > 100)).toBe(true);
  });

  it("gives equal states and grades for equal seeds, and other worlds for other seeds", async () => {
    const cwd = testFolder();
    const run = async (seed: number, out: string) => {
      const seeded = [...sandbox, "--agent", "oracle", "--agent", "random", "--seed", String(seed), "--out", out];
      const { folder } = await runJson<RunSummary>(seeded, { cwd });
      return essence(folder);
    };
    const first = await run(1, "first");
    expect(await run(1, "again")).toEqual(first);
    const other = await run(2, "other");
    const ends = new Set(first.map((episode) => episode.ends));
    expect(other.some((episode) => ends.has(episode.ends))).toBe(false);
  });

  it("draws other worlds with a salt, and says that the run is sealed", async () => {
    const cwd = testFolder();
    const one = ["run", "change-my-place", "mark-messages-read", "--display", "none"];
    const plain = await runJson<RunSummary>(one, { cwd });
    const salted = await runJson<RunSummary>([...one, "--salt", join(packageRoot, "package.json")], { cwd });
    expect((await readRun(plain.folder)).info.sealed).toBe(false);
    expect((await readRun(salted.folder)).info.sealed).toBe(true);
    expect((await essence(salted.folder)).map(({ ends }) => ends)).not.toEqual(
      (await essence(plain.folder)).map(({ ends }) => ends),
    );
  });

  it("runs the reference again at the end in bracket mode, and gives the same grades in a world that stands still", async () => {
    const cwd = testFolder();
    const summary = await runJson<RunSummary>([...sandbox, "--reference", "bracket"], { cwd });
    expect(summary.outcomes).toEqual({ pass: 8, fail: 0, error: 0, inconclusive: 0 });
    const stored = await readRun(summary.folder);
    for (const record of stored.records) {
      expect(record.referenceMode).toBe("bracket");
      expect((await stored.evidence(record)).alternatives).toMatchObject([{ id: "after", end: expect.anything() }]);
    }
  });

  it("ends with 1 if and only if a threshold is not met", async () => {
    const cwd = testFolder();
    const one = ["run", "change-my-place", "--agent", "oracle", "--display", "none", "--threshold", "success=0.5"];
    expect((await runTandem(one, { cwd })).code).toBe(0);
    const below = await runTandem([...one, "--agent", "noop"], { cwd });
    expect(below.code).toBe(1);
    expect(below.stderr).toContain("noop is below the threshold: success rate 0, wanted 0.5");
  });

  it("records that both sides started together", async () => {
    const cwd = testFolder();
    const { folder } = await runJson<RunSummary>([...sandbox], { cwd });
    for (const { skewMs } of (await readRun(folder)).records) expect(skewMs).toEqual(expect.any(Number));
  });
});

describe("a stored run", () => {
  it("is graded again to the same grades, shown and reported", async () => {
    const cwd = testFolder();
    const { run, folder } = await runJson<RunSummary>([...sandbox, "--agent", "oracle,noop,random,parrot"], { cwd });
    const scored = await runJson<RunSummary & { changed: unknown[]; file: string }>(["score", run], { cwd });
    expect(scored.changed).toEqual([]);
    expect(scored.outcomes).toEqual({ pass: 8, fail: 24, error: 0, inconclusive: 0 });
    const lines = (file: string) =>
      readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    expect(lines(scored.file)).toEqual(lines(join(folder, "episodes.jsonl")));

    const listed = await runJson<{ runs: { run: string; episodes: number }[] }>(["list", "runs"], { cwd });
    expect(listed.runs).toMatchObject([{ run, episodes: 32, complete: true }]);
    const shown = await runTandem(["show", "latest"], { cwd });
    expect(shown.stdout).toContain("32 episodes, 8 pass, 24 fail");
    const episode = await runTandem(["show", run, "reach-a-contact|oracle"], { cwd });
    expect(episode.stdout).toContain("LightTalk.ask_for_privilege ok");
    const markdown = await runTandem(["report", run], { cwd });
    expect(markdown.stdout).toContain("| oracle |");
    const csv = await runTandem(["report", run, "--format", "csv", "--out", "episodes.csv"], { cwd });
    expect(csv.code).toBe(0);
    expect(readFileSync(join(cwd, "episodes.csv"), "utf8").trim().split("\n")).toHaveLength(33);
    const report = await runJson<RunSummary & { records: unknown[] }>(["report", run], { cwd });
    expect(report.records).toHaveLength(32);
  });

  it("that is not there is an error with the next step", async () => {
    const { code, stderr } = await runTandem(["show", "yesterday"], { cwd: testFolder() });
    expect(code).toBe(2);
    expect(stderr).toContain("there is no run yesterday");
    expect(stderr).toContain("tandem list runs");
  });
});

describe("the command line", () => {
  it.each([
    [["run", "buy-seedless-grape"], "Did you mean buy-seedless-grapes"],
    [["run", "--agent", "nobody"], "Agents: oracle"],
    [["run", "--suite", "boats"], "Choose one of sandbox, live"],
    [["run", "--seeds", "0"], "at least 1"],
    [["run", "--config", "nowhere.json"], "nowhere.json"],
    [["list", "boats"], "Choose one of queries"],
    [["fly"], "there is no query fly"],
  ])("refuses %j with exit code 2 and says what to do", async (argv, words) => {
    const { code, stderr, stdout } = await runTandem(argv, { cwd: testFolder() });
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(stdout).toBe("");
  });

  it("prints an error as one JSON line with --json", async () => {
    const { stderr, stdout } = await runTandem(["run", "--agent", "nobody", "--json"], { cwd: testFolder() });
    expect(stdout).toBe("");
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "usage.unknown-agent", hint: expect.any(String) } });
  });

  it("takes flags from variables", async () => {
    const env = { TANDEM_AGENT: "noop", TANDEM_DISPLAY: "none" };
    const { agents } = await runJson<RunSummary>(["run", "change-my-place"], { cwd: testFolder(), env });
    expect(agents.map(({ agent }) => agent)).toEqual(["noop"]);
  });

  it("lists servers with their tools, and doctor finds them fit", async () => {
    const cwd = testFolder();
    const { servers } = await runJson<{ servers: { name: string; type: string; tools: number }[] }>(
      ["list", "servers"],
      { cwd },
    );
    const tools = Object.fromEntries(servers.map(({ name, tools: count }) => [name, count]));
    expect(tools).toMatchObject({
      LightOS: 2,
      LightTalk: 52,
      LightShop: 26,
      Math: 42,
      Time: 5,
      filesystem: 14,
      memory: 9,
    });
    const { code, stdout } = await runTandem(["doctor"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/memory +stdio +ok +9/);
  });
});
