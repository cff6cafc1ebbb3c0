// Kind 6: runs, records and what is compared. One test per case, named by its id.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import type { RunSummary } from "../../src/analysis/summary.ts";
import { redactor } from "../../src/base/redact.ts";
import { packageRoot } from "../../src/config/paths.ts";
import { gradeEpisode } from "../../src/grade/grade.ts";
import { defineAgent, diffState, type Json, type Judge, loadServers, loadSuite, runEpisode } from "../../src/index.ts";
import { episodeRecordSchema } from "../../src/record/episode-record.ts";
import { readEpisodes, readRun } from "../../src/record/run-reader.ts";
import { type OpenedRun, openRun, type RunRequest } from "../../src/record/run-store.ts";
import { copyQueries, runJson, runTandem, testFolder, writeFiles } from "../run-tandem.ts";
import { sampleEntry } from "../samples/episode-entry.ts";
import { startHttp } from "../servers/http-servers.ts";
import { stdioEntry } from "../servers/pools.ts";
import { oneCallProject } from "./project.ts";

const bin = join(packageRoot, "dist", "bin.js");
const run = ["run", "--display", "none"];
const QUERY = "change-my-place";

function start(cwd: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, [bin, ...argv], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

function request(out: string): RunRequest {
  return {
    resultsDir: out,
    out,
    info: { configuration: { seeds: [1] }, sealed: false, versions: {}, servers: {}, gitRevision: null },
    now: () => new Date("2026-07-14T10:00:00Z"),
    redact: redactor([]),
  };
}

async function record(opened: OpenedRun, repeats: readonly number[], complete = false): Promise<void> {
  for (const repeat of repeats) await opened.store.append(sampleEntry(repeat));
  await opened.close(complete);
}

/** A folder with the given repeats recorded. */
async function recorded(repeats: readonly number[]): Promise<string> {
  const out = join(testFolder(), "run");
  await record(await openRun(request(out)), repeats);
  return out;
}

/** A query of tandem's own, as a program has it. */
function queryOf(id: string) {
  const { queries } = loadSuite({ queriesDir: join(packageRoot, "queries"), plansDir: join(packageRoot, "plans") });
  const query = queries.find((loaded) => loaded.query.id === id);
  if (query === undefined) throw new Error(`no query ${id}`);
  return query;
}

const { servers } = loadServers(join(packageRoot, "mcp-servers.json"), { env: process.env, defaultFile: "" });
const sandbox = servers.filter(({ type }) => type === "sandbox");
const doneAgent = defineAgent(() => "done", { name: "done" });

describe("kind 6: records", () => {
  it("C124 a half-written last line costs its own episode alone, and a bad one in the middle is told by its line", async () => {
    const damages: [(file: string) => void, number][] = [
      [(file) => truncateSync(file, statSync(file).size - 40), 2],
      [(file) => appendFileSync(file, '{"key":"torn'), 3],
      [(file) => appendFileSync(file, '{"key":"torn\n\n'), 3],
      [(file) => appendFileSync(file, Buffer.from('{"key":"ä').subarray(0, 9)), 3],
      [(file) => truncateSync(file, statSync(file).size - 1), 3],
      [(file) => appendFileSync(file, Buffer.alloc(300)), 3],
    ];
    for (const [damage, left] of damages) {
      const folder = await recorded([0, 1, 2]);
      damage(join(folder, "episodes.jsonl"));
      const again = await openRun(request(folder));
      expect(again.done.size).toBe(left);
      await record(again, left === 2 ? [2, 3] : [3], true);
      expect((await readRun(folder)).records.map(({ repeat }) => repeat)).toEqual([0, 1, 2, 3]);
    }
    const folder = await recorded([0, 1, 2]);
    const file = join(folder, "episodes.jsonl");
    const [first, , third] = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, `${first}\n{"half":\n${third}\n`);
    expect(await readEpisodes(folder)).toMatchObject({
      records: [{ repeat: 0 }, { repeat: 2 }],
      problems: ["episodes.jsonl:2: the line is no JSON"],
    });
  });

  it("C125 lines end at a line feed alone, whatever a text holds", async () => {
    const folder = join(testFolder(), "run");
    const opened = await openRun(request(folder));
    const text = "a\u2028b\u2029c\u0085d\u000be\ufeff\r\n";
    await opened.store.append(sampleEntry(0, text));
    await opened.close(true);
    const stored = await readRun(folder);
    const [found] = stored.records;
    if (found === undefined) throw new Error("no record");
    expect(readFileSync(join(folder, "episodes.jsonl"), "utf8").split("\n")).toHaveLength(2);
    expect((await stored.evidence(found)).tested.answer).toBe(text);
    // A file that came by way of Windows reads the same.
    const file = join(folder, "episodes.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("\n", "\r\n"));
    expect((await readEpisodes(folder)).records).toHaveLength(1);
  });

  it("C127 no episode is run twice or counted twice, and a folder of another kind is refused", async () => {
    const cwd = testFolder();
    const argv = [...run, QUERY, "--seeds", "3", "--repeats", "2", "--agent", "oracle", "--out", "run"];
    await runTandem(argv, { cwd });
    const file = join(cwd, "run", "episodes.jsonl");
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    writeFileSync(file, `${[...lines.slice(0, 4), lines[1]].join("\n")}\n`);
    const { stderr } = await runTandem(argv, { cwd });
    expect(stderr).toContain("is there twice, the later one counts");
    const { records } = await readRun(join(cwd, "run"));
    expect(records).toHaveLength(6);
    expect(new Set(records.map(({ key }) => key)).size).toBe(6);
    const summary = await runJson<RunSummary>(argv, { cwd });
    expect(summary.episodes).toBe(6);
    writeFiles(cwd, { "mine/notes.txt": "hello" });
    expect((await runTandem([...run, QUERY, "--out", "mine"], { cwd })).stderr).toContain("is no run");
  });

  it("C128 wherever a call dies, what was finished stays and the rest is run", async () => {
    const whole = await recorded([0, 1, 2]);
    const read = (name: string) => readFileSync(join(whole, name));
    for (const name of ["trajectories.jsonl", "states.jsonl", "episodes.jsonl"]) {
      const bytes = read(name);
      for (let cut = 0; cut <= bytes.length; cut += Math.ceil(bytes.length / 12)) {
        const folder = join(testFolder(), "run");
        cpSync(whole, folder, { recursive: true });
        truncateSync(join(folder, name), cut);
        writeFileSync(join(folder, "run.json.next"), '{"half":');
        writeFileSync(join(folder, "writer.lock"), "999999999\n");
        const { records: kept } = await readEpisodes(folder);
        const again = await openRun(request(folder));
        // What a reader saw whole is not run again.
        expect(new Set(again.done.keys())).toEqual(new Set(kept.map(({ key }) => key)));
        const left = [0, 1, 2].filter((repeat) => !kept.some((found) => found.repeat === repeat));
        await record(again, left, true);
        const stored = await readRun(folder);
        expect(stored.records.map(({ repeat }) => repeat).sort()).toEqual([0, 1, 2]);
        for (const found of stored.records) {
          expect(await stored.evidence(found)).toEqual(sampleEntry(found.repeat).evidence);
        }
      }
    }
  });

  it("C130 a change of what decides the numbers is refused with what changed, and of anything else it is not", async () => {
    const cwd = copyQueries([`sandbox/${QUERY}`]);
    const base = [...run, "--out", "run"];
    await runTandem(base, { cwd });
    for (const [flags, words] of [
      [["--agent", "noop"], 'agents: ["oracle"] → ["noop"]'],
      [["--seed", "2"], "seeds: [1] → [2]"],
      [["--pool-size", "3"], "poolSize: 15 → 3"],
      [["--faults", "off"], "faults: true → false"],
      [["--max-rounds", "3"], "limits.rounds: 30 → 3"],
    ] as const) {
      const { code, stderr } = await runTandem([...base, ...flags], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    }
    expect((await runTandem([...base, "-j", "1"], { cwd })).code).toBe(0);
    const file = join(cwd, "queries", "sandbox", `${QUERY}.yaml`);
    writeFileSync(file, readFileSync(file, "utf8").replace(/^text: /m, "text: Please. "));
    const changed = await runTandem(base, { cwd });
    expect([changed.code, changed.stderr]).toEqual([2, expect.stringContaining(`queries.${QUERY}`)]);
  });

  it("C131 what was not scored is always counted and shown, and nothing is divided by nothing", async () => {
    const cwd = oneCallProject({ command: "no-such-command-here" });
    const summary = await runJson<RunSummary>([...run, "--no-preflight", "--repeats", "3"], { cwd });
    expect(summary.outcomes).toEqual({ pass: 0, fail: 0, error: 3, inconclusive: 0 });
    expect(summary.agents[0]?.success).toMatchObject({ rate: null });
    const { stdout } = await runTandem(["report", "latest"], { cwd });
    expect(stdout).toMatch(/3 error/);
    expect(stdout).not.toMatch(/NaN|Infinity/);
    const gate = await runTandem([...run, "--no-preflight", "--threshold", "success=0.1"], { cwd });
    expect(gate.code).not.toBe(0);
  });

  it("C149 the summary is what the rows say, computed anew or read", async () => {
    const cwd = testFolder();
    const argv = [...run, "--suite", "sandbox", "--agent", "oracle", "--agent", "noop", "--out", "run"];
    const summary = await runJson<RunSummary>(argv, { cwd });
    const { records } = await readRun(join(cwd, "run"));
    for (const outcome of ["pass", "fail", "error", "inconclusive"] as const) {
      expect(summary.outcomes[outcome]).toBe(records.filter((found) => found.outcome === outcome).length);
    }
    const report = await runTandem(["report", "run", "--format", "json"], { cwd });
    expect(JSON.parse(report.stdout)).toMatchObject({ outcomes: summary.outcomes, agents: summary.agents });
  });

  it("records of 200 MB are read in 96 MB of memory", async () => {
    const folder = await recorded([0, 1, 2]);
    const file = openSync(join(folder, "trajectories.jsonl"), "a");
    const line = `${JSON.stringify({ key: "x", reference: [], tested: [], fill: "x".repeat(2 ** 20) })}\n`;
    for (let i = 0; i < 200; i++) writeSync(file, line);
    closeSync(file);
    const argv = ["--max-old-space-size=96", bin, "report", folder];
    expect(execFileSync(process.execPath, argv, { encoding: "utf8" })).toContain("pass");
  });

  it("a full disk ends a run with what to do, and the same command goes on when there is room", async () => {
    const cwd = testFolder();
    const argv = [...run, "--suite", "sandbox", "--seeds", "3", "--out", "run"];
    // A limit on the size of files, as a disk that is full: 40 blocks of 512 bytes or 1 KiB.
    const shell = `trap '' XFSZ; ulimit -f 40; exec "${process.execPath}" "${bin}" ${argv.join(" ")}`;
    const child = spawn("sh", ["-c", shell], { cwd, stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const [code] = (await once(child, "close")) as [number];
    expect(code).toBe(2);
    expect(stderr).toContain("cannot write to");
    expect(stderr).toContain("what is recorded is kept");
    const before = (await readRun(join(cwd, "run"))).records;
    expect((await runTandem(argv, { cwd })).code).toBe(0);
    const after = await readRun(join(cwd, "run"));
    expect(after.records).toHaveLength(24);
    expect(after.records.slice(0, before.length)).toEqual(before);
    for (const found of after.records) expect((await after.trajectories(found)).tested.length).toBeGreaterThan(0);
  });
});

describe("kind 6: runs", () => {
  it("C133 a judge that throws, rejects or never ends is an error of its episode alone", async () => {
    const judges = [
      () => {
        throw new Error("a sync defect");
      },
      () => Promise.reject(new Error("an async defect")),
      () => Promise.reject("a text"),
      () => Promise.reject(undefined),
    ].map((judge, at): Judge => ({ name: `j${at}`, judge }));
    const { record: graded, output } = await runEpisode({
      query: queryOf(QUERY),
      agent: doneAgent,
      seed: 1,
      servers: sandbox,
      judges,
    });
    expect(graded.outcome).toBe("fail");
    expect(Object.values(graded.judges).map(({ result, error }) => [result, error])).toEqual([
      [null, "a sync defect"],
      [null, "an async defect"],
      [null, "a text"],
      [null, "undefined"],
    ]);
    const endless: Judge = { name: "endless", judge: () => new Promise(() => {}) };
    const grades = await gradeEpisode({ ...output.evidence, trajectories: output.trajectories }, [endless], 50);
    expect(grades.judges.endless).toMatchObject({ result: null, error: "the judge did not answer within 0.05 s" });
    const unknown = await runTandem([...run, QUERY, "--judge", "nobody"], { cwd: testFolder() });
    expect(unknown.code).toBe(2);
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "C134 %s finishes what runs, a second one ends at once, and the rest is run later",
    async (signal) => {
      const cwd = testFolder();
      const argv = ["run", "--suite", "sandbox", "--seeds", "6", "-j", "2", "--display", "plain", "--out", "run"];
      const child = start(cwd, argv);
      let seen = 0;
      if (child.stderr !== null) {
        createInterface({ input: child.stderr }).on("line", (line) => {
          if (/^\[\d+\/\d+\]/.test(line) && ++seen === 4) child.kill(signal);
        });
      }
      expect((await once(child, "exit"))[0]).toBe(5);
      const cut = await readRun(join(cwd, "run"));
      expect(cut.info).toMatchObject({ complete: false, endedAt: expect.stringMatching(/Z$/) });
      expect(cut.records.length).toBeGreaterThanOrEqual(4);
      expect(cut.records.length).toBeLessThan(48);
      expect(cut.records.every(({ outcome }) => outcome === "pass")).toBe(true);
      expect((await runTandem(["report", "run"], { cwd })).code).toBe(0);
      expect((await runTandem([...argv.slice(0, -4), "--display", "none", "--out", "run"], { cwd })).code).toBe(0);
      expect((await readRun(join(cwd, "run"))).records).toHaveLength(48);

      const hanging = oneCallProject({ ...(stdioEntry("plain") as object), timeout: 600 }, "hang");
      const second = start(hanging, ["run", "--display", "plain", "--out", "run"]);
      second.stderr?.on("data", (chunk: Buffer) => {
        if (!chunk.toString().includes("1 episode")) return;
        setTimeout(() => second.kill(signal), 400);
        setTimeout(() => second.kill(signal), 600);
      });
      expect((await once(second, "exit"))[0]).toBe(130);
      expect((await readRun(join(hanging, "run"))).records).toEqual([]);
    },
  );

  it("C136 one episode at a time, with judges, variants and faults, comes to its end", async () => {
    const cwd = testFolder();
    const argv = [...run, "--suite", "sandbox", "-j", "1", "--reference", "bracket", "--agent", "oracle,random"];
    const { outcomes } = await runJson<RunSummary>(argv, { cwd });
    expect(outcomes.error + outcomes.inconclusive).toBe(0);
  });

  it("C137 tokens and cost are counted once, what is unknown is not zero, and sums are equal after a resume", async () => {
    const turn = (prompt: number | null, cachedPrompt: number | null, output: number | null) =>
      ({
        type: "model",
        ms: 1,
        model: "m",
        text: "",
        calls: 0,
        usage: { prompt, cachedPrompt, output },
        costUsd: 0.5,
      }) as const;
    const spender = (turns: ReturnType<typeof turn>[]) =>
      defineAgent(async (task) => {
        for (const event of turns) task.record(event);
        return { text: "done" };
      });
    const spend = async (...turns: ReturnType<typeof turn>[]) => {
      const options = { query: queryOf(QUERY), seed: 1, servers: sandbox };
      const { record: graded } = await runEpisode({ ...options, agent: spender(turns) });
      return { ...graded.tokens.agent, cost: graded.costUsd.agent };
    };
    expect(await spend(turn(2613, 2560, 9), turn(10, 0, 1))).toMatchObject({
      prompt: 2623,
      cachedPrompt: 2560,
      output: 10,
      cost: 1,
    });
    expect(await spend(turn(5, 0, null))).toMatchObject({ prompt: 5, output: null });
    const cwd = testFolder();
    const argv = [...run, QUERY, "--seeds", "4", "--out", "run"];
    const whole = await runJson<RunSummary>(argv, { cwd });
    const file = join(cwd, "run", "episodes.jsonl");
    writeFileSync(file, `${readFileSync(file, "utf8").split("\n").slice(0, 2).join("\n")}\n`);
    const resumed = await runJson<RunSummary>(argv, { cwd });
    expect(resumed.agents[0]?.tokens).toEqual(whole.agents[0]?.tokens);
  });

  it("C139 times are UTC and results the same in every zone", async () => {
    const read = async (zone: string) => {
      const cwd = testFolder();
      const argv = [...run, "--suite", "sandbox", "--agent", "oracle,noop"];
      const [code] = await once(start(cwd, argv, { TZ: zone }), "exit");
      expect(code).toBe(0);
      const [name = ""] = readdirSync(join(cwd, "results"));
      expect(name).toMatch(/^\d{4}-\d\d-\d\dT\d{6}Z-/);
      const stored = await readRun(join(cwd, "results", name));
      expect(stored.info.createdAt).toMatch(/Z$/);
      return Promise.all(
        stored.records.map(async (found) => {
          const { tested } = await stored.trajectories(found);
          const calls = tested.flatMap((event) =>
            event.type === "tool" ? [[event.name, event.value, event.worldTime]] : [],
          );
          return { key: found.key, outcome: found.outcome, state: found.state, facts: found.facts, calls };
        }),
      );
    };
    const sorted = async (zone: string) => (await read(zone)).sort((a, b) => (a.key < b.key ? -1 : 1));
    expect(await sorted("America/Los_Angeles")).toEqual(await sorted("Pacific/Auckland"));
    const differ = diffState({
      before: { at: null },
      reference: { at: "2026-03-01T00:00:00+02:00" },
      after: { at: "2026-02-28T22:00:00Z" },
    });
    expect(differ.paths).toMatchObject([{ kind: "wrong" }]);
  });

  it("C140 grades come from what was recorded: grading again replays nothing and says the same", async () => {
    const cwd = testFolder();
    await runTandem([...run, "--suite", "sandbox", "--agent", "oracle,noop,random", "--out", "run"], { cwd });
    expect((await runTandem(["score", "run"], { cwd })).code).toBe(0);
    const lines = (name: string) =>
      readFileSync(join(cwd, "run", name), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => episodeRecordSchema.parse(JSON.parse(line)));
    const grades = (name: string) =>
      lines(name).map(({ key, outcome, state, facts }) => ({ key, outcome, state, facts }));
    expect(grades("rescored.jsonl")).toEqual(grades("episodes.jsonl"));
  });

  it("C148 an agent that does nothing passes no query", async () => {
    const { agents, outcomes } = await runJson<RunSummary>([...run, "--agent", "noop"], { cwd: testFolder() });
    expect(outcomes).toMatchObject({ pass: 0, error: 0 });
    expect(agents[0]).toMatchObject({ agent: "noop", success: { rate: 0 } });
  });
});

describe("kind 6: what is compared", () => {
  const changed = (reference: Json, after: Json, before: Json = null) =>
    diffState({ before: { v: before }, reference: { v: reference }, after: { v: after } });

  it("C142 arguments that spell out a default are the same call: what is compared is the state", async () => {
    const query = queryOf(QUERY);
    const outcomeOf = async (more: object) => {
      const agent = defineAgent(async (task) => {
        const tool = task.tools.find(({ inputSchema }) => JSON.stringify(inputSchema).includes('"default"'));
        if (tool !== undefined) await task.call(tool.name, { ...more });
        return { text: "done" };
      });
      const { record: graded } = await runEpisode({ query, agent, seed: 1, servers: sandbox });
      return { outcome: graded.outcome, paths: graded.state?.paths };
    };
    expect(await outcomeOf({ page: 1 })).toEqual(await outcomeOf({}));
  });

  it("C143 texts are equal after NFC alone, and a pair that looks alike has a hint", () => {
    expect(changed("caf\u00e9", "cafe\u0301").success).toBe(true);
    for (const [a, b] of [
      ["it\u2019s", "it's"],
      ["a\u00a0b", "a b"],
      ["a\r\nb", "a\nb"],
    ] as const) {
      const { success, paths } = changed(a, b);
      expect(success).toBe(false);
      expect(paths[0]).toMatchObject({ reference: a, after: b, hint: expect.any(String) });
    }
  });

  it("C143 what only compatibility forms would make equal stays different", () => {
    expect(changed("x\u00b2", "x2").success).toBe(false);
    expect(changed("\u212b", "\u00c5").success).toBe(true);
  });

  it("C145 keys have no order, lists only where a rule says so, and long lists are quick", () => {
    expect(changed({ b: 1, a: 2 }, { a: 2, b: 1 }).success).toBe(true);
    expect(changed([1, 1, 2], [1, 2, 2]).success).toBe(false);
    const moved = { before: { v: [] }, reference: { v: [1, 2, 3] }, after: { v: [3, 1, 2] } };
    expect(diffState(moved).success).toBe(true);
    expect(diffState(moved, { ordered: ["/v"] }).success).toBe(false);
    const records: Json = [{ id: 1, v: "a" }, { id: 2 }, { id: 3 }];
    const { paths } = changed(records, [{ id: 2 }, { id: 3 }, { id: 1, v: "e" }], records);
    expect(paths).toHaveLength(1);
    const long = Array.from({ length: 10_000 }, (_, i) => ({ id: i, v: `n${i}` }));
    expect(changed(long, long.slice(1)).success).toBe(false);
  });

  it("C146 missing, null and empty are five things, and odd keys are keys", () => {
    const states: Json[] = [{}, { a: null }, { a: "" }, { a: [] }, { a: {} }];
    for (const [i, reference] of states.entries()) {
      for (const [j, after] of states.entries()) {
        expect(changed(reference, after, { a: 1 }).success, `${i} ${j}`).toBe(i === j);
      }
    }
    const odd = JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}}}') as Json;
    expect(changed(odd, {}, {}).required).toBe(2);
    expect(changed(odd, odd, {}).success).toBe(true);
    expect(({} as { x?: number }).x).toBeUndefined();
    expect(changed({ "a.b": 1 }, { a: { b: 1 } }, {}).success).toBe(false);
    const { paths } = changed({ "a/b": 1, "": 2, "~": 3 }, {}, {});
    expect(paths.map(({ path }) => path).sort()).toEqual(["/v/", "/v/a~1b", "/v/~0"]);
  });

  it("integers beyond 2^53 are not taken for their neighbours", () => {
    expect(changed("9007199254740993", "9007199254740992").success).toBe(false);
  });
});

describe("kind 6: untrusted text and secrets", () => {
  it("C151 hostile texts of a server are shown as text", async () => {
    const cwd = oneCallProject(stdioEntry("plain"), "hostile");
    await runTandem([...run, "--out", "run"], { cwd });
    const key = (await readRun(join(cwd, "run"))).records[0]?.key ?? "";
    for (const argv of [
      ["show", "run"],
      ["show", "run", key],
      ["report", "run"],
      ["report", "run", "--format", "csv"],
    ]) {
      const { stdout, code } = await runTandem(argv, { cwd });
      expect(code).toBe(0);
      expect(stdout).not.toContain("\u001b");
      expect(stdout).not.toContain("\u202e");
      if (argv[0] === "report") expect(stdout).not.toMatch(/<img|<script/);
    }
    expect((await runTandem(["show", "run", "../../etc/passwd"], { cwd })).code).not.toBe(0);
  });

  it("C152 a secret reaches nothing that a run writes, in any of its forms", async () => {
    const secrets = ["SEKRET1-bearer", "SEKRET2-header", "SEKRET3-query", "SEKRET4-variable", "SEKRET5-file"];
    const [bearer = "", header = "", query = "", variable = "", inFile = ""] = secrets;
    const { port } = await startHttp("raw-http.mjs");
    const cwd = oneCallProject(
      { ...(stdioEntry("plain") as object), env: { GH_TOKEN: "${GH}" }, envFile: "e.env" },
      "leak",
    );
    const config = JSON.parse(readFileSync(join(cwd, "mcp-servers.json"), "utf8")) as { mcpServers: object };
    const remote = (path: string) => ({
      url: `http://127.0.0.1:${port}${path}?api_key=${query}`,
      headers: { Authorization: "Bearer ${BEARER}", "X-Api-Key": header },
      tools: ["*"],
      optional: true,
    });
    config.mcpServers = { ...config.mcpServers, Refuses: remote("/old-401"), Answers: remote("/mcp") };
    writeFiles(cwd, { "mcp-servers.json": JSON.stringify(config), "e.env": `FILE_KEY=${inFile}\n` });
    const env = { GH: variable, BEARER: bearer };
    const printed: string[] = [];
    const tandem = async (...argv: string[]) => {
      const { stdout, stderr } = await runTandem(argv, { cwd, env });
      printed.push(stdout, stderr);
    };
    await tandem("run", "--display", "plain", "--out", "run");
    await tandem("run", "--display", "plain", "--out", "run", "--seed", "2", "--json");
    await tandem("doctor", "--config", "mcp-servers.json");
    await tandem("doctor", "--json");
    await tandem("list", "servers", "--json");
    const { records } = await readRun(join(cwd, "run"));
    const { key = "", outcome } = records[0] ?? {};
    expect(outcome).toBe("pass");
    await tandem("show", "run", key);
    await tandem("show", "run", key, "--json");
    await tandem("report", "run", "--format", "json");
    await tandem("score", "run");
    for (const name of readdirSync(join(cwd, "run"))) printed.push(readFileSync(join(cwd, "run", name), "utf8"));
    const all = printed.join("\n");
    // The secrets did pass by: what stands in their place does.
    expect(all).toContain("[redacted]");
    expect(all).toContain("GH_TOKEN");
    for (const secret of secrets) {
      expect(all).not.toContain(secret);
      expect(all).not.toContain(Buffer.from(secret).toString("base64").slice(0, 12));
      expect(all).not.toContain(Buffer.from(`user:${secret}`).toString("base64").slice(8, 24));
      expect(all).not.toContain(encodeURIComponent(secret));
    }
  });
});
