import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asksForResult, isJudging, judged, recordIn, right } from "./judging.ts";
import { dialogue } from "./model-server/scripts.ts";
import { configureModel, useModelServer } from "./model-server/use-model-server.ts";
import { runJson, runTandem, testFolder, writeFiles } from "./run-tandem.ts";

describe("a judge that is a model", () => {
  it("scores result and trajectory, and tells with what and for how much", async () => {
    const usage = { prompt: 1000, cached: 400, output: 50, reasoning: 10 };
    const { record, verdict, asked, result } = await judged(
      (request) => ({
        text: asksForResult(request) ? '{"reason":"a part","score":3}' : '{"reason":"good","score":4}',
        usage,
      }),
      { model: { prices: { input: 1, cachedInput: 0.1, output: 6 } } },
    );
    expect(verdict).toMatchObject({
      result: 3,
      trajectory: 4,
      reasons: { result: "a part", trajectory: "good" },
      error: null,
      model: "scripted",
      usage: { prompt: 2000, cachedPrompt: 800, output: 100, reasoning: 20 },
      notes: [],
    });
    expect(verdict.promptHash).toMatch(/^[0-9a-f]{64}$/);
    expect(verdict.costUsd).toBeCloseTo((2 * (600 + 40 + 300)) / 1e6, 12);
    expect(record.tokens.judge).toMatchObject({ prompt: 2000, output: 100 });
    expect(record.costUsd.judge).toBeCloseTo(verdict.costUsd ?? 0, 12);
    expect(record.modelUse.judge).toMatchObject({ calls: 2, unknown: 0, unpriced: 0 });
    expect(asked).toHaveLength(2);
    expect(asked[0]?.body.response_format).toMatchObject({ type: "json_schema", json_schema: { name: "verdict" } });
    expect(result.stdout).toContain("livemcp@scripted");
  });

  it("sees task, facts, answer, calls and state diff, each between marks of its own", async () => {
    const { asked } = await judged(() => right);
    const prompts = asked.map(({ messages }) => messages.map(({ content }) => content).join("\n"));
    const ofResult = prompts.find((_, at) => asked[at] && asksForResult(asked[at])) ?? "";
    const tag = /TAG is (\w+)/.exec(ofResult)?.[1];
    expect(ofResult).toContain(`[[query ${tag}]]\nCall it.\n[[/query ${tag}]]`);
    expect(ofResult).toContain("done = true");
    expect(ofResult).toContain(`[[answer ${tag}]]\nIt is done.\n`);
    expect(ofResult).toContain("5: Everything that the task asks for is there and right.");
    const ofTrajectory = prompts.find((_, at) => asked[at] && !asksForResult(asked[at])) ?? "";
    expect(ofTrajectory).toMatch(/step 0: \S*echo \{"text":"hi"\}\n-> ok: /);
    expect(ofTrajectory).toContain("[[referenceTrajectory");
  });

  it("takes the median of its samples, the lower of two in the middle, and none if half of them fail", async () => {
    const file = (samples: number) => ({
      "judges/many.yaml": readFileSync("judges/livemcp.yaml", "utf8").replace("samples: 1", `samples: ${samples}`),
    });
    const each = (...scores: (number | string)[]) => {
      const left = { result: [...scores], trajectory: [...scores] };
      return (request: Parameters<typeof asksForResult>[0]) => {
        const list = asksForResult(request) ? left.result : left.trajectory;
        return { text: `{"reason":"r","score":${list.shift() ?? "null"}}` };
      };
    };
    const odd = await judged(each(5, 1, 4), { judges: ["many@scripted"], files: file(3) });
    expect(odd.verdict).toMatchObject({ result: 4, trajectory: 4, error: null });
    expect(odd.verdict.samples?.result.map(({ score }) => score)).toEqual([5, 1, 4]);
    const shown = await runTandem(["show", "run", "--results", "."], { cwd: odd.cwd });
    expect(shown.code).toBe(0);
    const episode = await runTandem(["show", "run", odd.record.key, "--results", "."], { cwd: odd.cwd });
    expect(episode.stdout).toContain("many@scripted (scripted): result 4 of 5, 1, 4, r");

    const even = await judged(each(5, 2, 4, 1), { judges: ["many@scripted"], files: file(4) });
    expect(even.verdict).toMatchObject({ result: 2, trajectory: 2 });

    const half = await judged(() => ({ text: "no score" }), { judges: ["many@scripted"], files: file(2), code: 5 });
    expect(half.verdict).toMatchObject({ result: null, trajectory: null });
    expect(half.verdict.error).toBe(
      "result: 2 of 2 samples, no-score: it holds no score; trajectory: 2 of 2 samples, no-score: it holds no score",
    );
  });

  it("judges beside others in one run, each under its name, a file by several models", async () => {
    const { record, asked, result } = await judged(
      ({ model }) => ({ text: model === "small" ? "Score: 2" : "Score: 5" }),
      {
        judges: ["rules", "livemcp@scripted", "brief@scripted", "brief@scripted"],
        model: { model: "small", structured: false },
      },
    );
    expect(Object.keys(record.judges)).toEqual(["rules", "livemcp@scripted", "brief@scripted"]);
    expect(record.judges["brief@scripted"]).toMatchObject({ result: 2, trajectory: 2 });
    expect(asked).toHaveLength(4);
    expect(asked.every(({ body }) => body.response_format === undefined)).toBe(true);
    for (const name of ["rules", "livemcp@scripted", "brief@scripted"]) expect(result.stdout).toContain(name);
  });

  it("sees every end that counts as right", async () => {
    const step = "[{ id: it, call: Fixture.echo, with: {} }]";
    const { asked } = await judged(() => right, {
      flags: ["--reference", "bracket"],
      files: {
        "plans/call-it.yaml": `steps: ${step}\nanswer: { done: "= it != null" }\nvariants:\n  - id: by-hand\n    why: it works as well\n    steps: ${step}\n    answer: { done: "= it != null", by: "= 'hand'" }\n`,
      },
    });
    const prompt = String(asked.find(asksForResult)?.messages[1]?.content);
    expect(prompt).toContain('done = true\n\nAlso right, by another valid way (by-hand):\ndone = true\nby = "hand"');
  });

  it("asks nothing twice where answers are cached", async () => {
    const first = await judged(() => right, { project: { cache: "cache" } });
    const again = await runTandem([...first.argv.slice(0, 3), "--out", "other", ...first.argv.slice(5)], {
      cwd: first.cwd,
    });
    expect(again.code).toBe(0);
    expect(first.server.requests.filter(isJudging)).toHaveLength(2);
  });
});

describe("a run whose judge failed", () => {
  it("is not complete: the same command asks the judge again, and nothing else", async () => {
    let broken = true;
    const { record, cwd, argv, server, result } = await judged(() => (broken ? { text: "no idea" } : right), {
      judges: ["rules", "livemcp@scripted"],
      code: 5,
    });
    expect(record.judges["livemcp@scripted"]).toMatchObject({ result: null, trajectory: null });
    expect(result.stdout).toContain("a judge has no score for some");
    expect(result.stdout).toContain("1 verdict without a score");
    const agentTurns = server.requests.filter((request) => !isJudging(request)).length;
    broken = false;
    const again = await runTandem(argv, { cwd });
    expect(again.code, again.stderr).toBe(0);
    expect(server.requests.filter((request) => !isJudging(request))).toHaveLength(agentTurns);
    const mended = await recordIn(cwd);
    expect(mended.judges["livemcp@scripted"]).toMatchObject({ result: 5, trajectory: 5, error: null });
    expect(mended.judges.rules).toEqual(record.judges.rules);
    // Two requests with one retry each failed before.
    expect(mended.modelUse.judge.calls).toBe(6);
    const third = await runTandem(argv, { cwd });
    expect(third.code).toBe(0);
    expect(server.requests.filter(isJudging)).toHaveLength(6);
  });
});

describe("tandem score with a model", () => {
  it("judges a stored run, with tokens and cost, and ends with 5 if a score is missing", async () => {
    const cwd = testFolder();
    const run = ["run", "change-my-place", "--agent", "oracle", "--agent", "noop", "--out", "run", "--display", "none"];
    expect((await runTandem(run, { cwd })).code).toBe(0);
    const server = await useModelServer(() => right);
    configureModel(cwd, server);
    const score = ["score", "run", "--results", ".", "--judge", "brief", "--model", "scripted"];
    const summary = await runJson<{ agents: { judges: object; modelUse: { judge: { calls: number } } }[] }>(score, {
      cwd,
    });
    expect(summary.agents.map(({ modelUse }) => modelUse.judge.calls)).toEqual([2, 2]);
    expect(summary.agents[0]?.judges).toHaveProperty("brief");
    const rescored = readFileSync(join(cwd, "run", "rescored.jsonl"), "utf8")
      .trim()
      .split("\n");
    expect(rescored.map((line) => JSON.parse(line).judges.brief.model)).toEqual(["scripted", "scripted"]);

    const mute = await useModelServer(() => ({ text: "" }));
    configureModel(cwd, mute);
    const failed = await runTandem(score, { cwd });
    expect(failed.code).toBe(5);
    expect(failed.stderr).toContain("2 episodes have a verdict without a score");
  });
});

describe("a judge's name and file", () => {
  it.each([
    ["nobody", {}, "usage.unknown-judge", "Judges: rules, brief, livemcp"],
    ["livemcp", {}, "usage.no-model", "livemcp@<model>"],
    ["./mine.yaml", {}, "judge.no-file", "path of a YAML file"],
    ["./mine.yaml", { "mine.yaml": "about: mine\n" }, "judge.bad-file", "mine.yaml:1 result: "],
    ["./mine.yaml", { "mine.yaml": "about: [\n" }, "judge.bad-file", "mine.yaml:"],
  ])("%s is refused before anything runs", async (name, files: Readonly<Record<string, string>>, code, text) => {
    const cwd = testFolder();
    writeFiles(cwd, files);
    const { code: exit, stderr } = await runTandem(["run", "change-my-place", "--judge", name, "--json"], { cwd });
    expect(exit).toBe(2);
    expect(stderr).toContain(code);
    expect(stderr).toContain(text);
  });

  it("has placeholders that something fills, and those without which nobody can judge", async () => {
    const own = readFileSync("judges/brief.yaml", "utf8");
    const cwd = testFolder();
    const refused = async (text: string) => {
      writeFiles(cwd, { "judges/own.yaml": text });
      return (await runTandem(["run", "change-my-place", "--judge", "own@x", "--json"], { cwd })).stderr;
    };
    expect(await refused(own.replace("{{state}}", "{{states}}"))).toContain("{{states}} is none of rubric, query,");
    expect(await refused(own.replace("{{trajectory}}", ""))).toContain("trajectory.prompt: {{trajectory}} is missing");
    expect(await refused(own.replace("{{query}}", "{{#query}}"))).toContain("no Mustache template");
    expect(await refused(own.replace("samples: 1", "samples: 0"))).toMatch(/own\.yaml:\d+ samples: /);
  });

  it("is listed, with what is wrong about it", async () => {
    const cwd = testFolder();
    writeFiles(cwd, { "judges/own.yaml": "about: 7\n" });
    const { judges } = await runJson<{ judges: { name: string; about: string }[] }>(["list", "judges"], { cwd });
    expect(judges.map(({ name }) => name)).toEqual(["rules", "own", "brief", "livemcp"]);
    expect(judges[1]?.about).toContain("own.yaml:1 about: ");
  });
});

it("asks once more, and says what was wrong", async () => {
  const { verdict, asked } = await judged(dialogue({ text: "Hm." }, right));
  expect(verdict).toMatchObject({ result: 5, trajectory: 5, error: null });
  expect(asked).toHaveLength(4);
  expect(String(asked.at(-1)?.messages.at(-1)?.content)).toContain("it holds no score");
  expect(verdict.samples?.result[0]?.answers).toEqual(["Hm.", right.text]);
});
