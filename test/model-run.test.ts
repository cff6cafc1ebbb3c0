import { describe, expect, it } from "vitest";
import type { AgentSummary } from "../src/analysis/summary.ts";
import type { ModelRequest, ModelServer, ModelServerOptions, Script } from "./model-server/model-server.ts";
import type { Reply, ScriptedCall } from "./model-server/replies.ts";
import { byTask, dialogue } from "./model-server/scripts.ts";
import { configureModel, useModelServer } from "./model-server/use-model-server.ts";
import { runTandem, testFolder } from "./run-tandem.ts";

const TOOL = "change_my_ip";

/** The call that solves `change-my-place`, read from the task. */
function move({ messages }: ModelRequest): ScriptedCall {
  const place = /moved to (.*?)\. Please/.exec(JSON.stringify(messages))?.[1];
  return { name: TOOL, arguments: { where: place } };
}

const asText = ({ name, arguments: args }: ScriptedCall): string =>
  `I will.\n<tool>${JSON.stringify({ name, arguments: args })}</tool>`;

const DONE = { text: "It shows the new place. [END]" };
/** Solves `change-my-place` in two turns. */
const mover: Script = dialogue((request) => ({ text: "Moving.", calls: [move(request)] }), DONE);
/** The same with the text protocol. */
const textMover: Script = dialogue((request) => ({ text: asText(move(request)) }), DONE);
/** Looks for the tool first. */
const retriever = (say: (call: ScriptedCall) => Reply): Script =>
  dialogue(
    () => say({ name: "retrieve_tools", arguments: { query: "change my IP, which is my place", k: 5 } }),
    (request) => say(move(request)),
    DONE,
  );

interface Ran {
  readonly agent: AgentSummary;
  readonly server: ModelServer;
  readonly cwd: string;
  readonly argv: readonly string[];
}

/** Runs `change-my-place` with a scripted model in a project of its own, and expects an end with `code`. */
async function runModel(
  script: Script,
  {
    flags = [],
    model,
    project,
    server: options,
    code = 0,
  }: {
    readonly flags?: readonly string[];
    readonly model?: object;
    readonly project?: object;
    readonly server?: ModelServerOptions;
    readonly code?: number;
  } = {},
): Promise<Ran> {
  const cwd = testFolder();
  const server = await useModelServer(script, options);
  configureModel(cwd, server, model, project);
  const common = ["run", "change-my-place", "--agent", "react:scripted", "--display", "none", "--json"];
  const argv = [...common, "--out", "run", "--distractors", "20", ...flags];
  return { ...(await runAgain({ cwd, argv, code })), server, cwd, argv };
}

async function runAgain({ cwd, argv, code = 0 }: Pick<Ran, "cwd" | "argv"> & { readonly code?: number }) {
  const done = await runTandem(argv, { cwd });
  expect(done.code, `${done.stderr} ${done.stdout}`).toBe(code);
  const [agent] = JSON.parse(done.stdout).agents as AgentSummary[];
  if (agent === undefined) throw new Error("no agent in the summary");
  return { agent };
}

const used = ({ modelUse }: AgentSummary) => modelUse.agent;

describe("a run of a model", () => {
  it("of 200 episodes, 32 at a time, cures what the endpoint does, and its totals are the endpoint's", async () => {
    const { agent, server } = await runModel(async (request) => ({ ...(await mover(request)), slowMs: 20 }), {
      flags: ["--seeds", "20", "--repeats", "10", "-j", "32"],
      model: { prices: { input: 1, cachedInput: 0.1, output: 6 } },
      server: { faults: { seed: 7, rateLimited: 0.1, unavailable: 0.05, broken: 0.02 } },
    });
    expect(agent).toMatchObject({ episodes: 200, outcomes: { pass: 200, fail: 0, error: 0, inconclusive: 0 } });
    const { counts } = server;
    // The server did what it was asked for.
    expect(counts.rateLimited).toBeGreaterThan(20);
    expect(counts.unavailable).toBeGreaterThan(8);
    expect(counts.broken).toBeGreaterThan(2);
    expect(counts.mostAtOnce).toBeGreaterThan(8);
    expect(counts.requests - counts.rateLimited - counts.unavailable - counts.broken).toBe(counts.completed);
    const use = used(agent);
    expect(use).toMatchObject({
      calls: counts.completed,
      unknown: 0,
      unpriced: 0,
      prompt: counts.promptTokens,
      output: counts.outputTokens,
    });
    expect(use.costUsd).toBeCloseTo((counts.promptTokens + 6 * counts.outputTokens) / 1e6, 10);
  });

  it("costs what prices in the ratio 0.1 : 1 : 6 make of cached, other prompt and output tokens", async () => {
    const usage = { prompt: 1000, cached: 600, output: 50, reasoning: 20 };
    const { agent } = await runModel(
      dialogue((request) => ({ calls: [move(request)], usage }), { ...DONE, usage }),
      {
        model: { prices: { input: 1, cachedInput: 0.1, output: 6 } },
      },
    );
    expect(used(agent)).toMatchObject({ prompt: 2000, cachedPrompt: 1200, output: 100, reasoning: 40 });
    expect(used(agent).costUsd).toBeCloseTo((2 * (400 * 1 + 600 * 0.1 + 50 * 6)) / 1e6, 12);
  });

  it("shows sums with an unknown part as lower bounds, in the report too", async () => {
    const script = dialogue((request) => ({ calls: [move(request)], usage: { prompt: 1000, output: 10 } }), {
      ...DONE,
      usage: null,
    });
    const { agent, cwd } = await runModel(script, { model: { prices: { input: 1, output: 6 } } });
    expect(used(agent)).toMatchObject({ calls: 2, unknown: 1, unpriced: 1, prompt: 1000 });
    const line = "2 model calls; ≥ 1,000 prompt tokens and 10 output (1 call unknown); ≥ 0.0011 USD (1 call unknown)";
    for (const argv of [
      ["report", "run"],
      ["show", "run"],
    ]) {
      expect((await runTandem(argv, { cwd })).stdout).toContain(line);
    }
  });

  it("answers from the response cache when it is run again, repeat by repeat, and shows the hits", async () => {
    const ran = await runModel(mover, { flags: ["--repeats", "3"], project: { cache: "cache" } });
    expect(used(ran.agent)).toMatchObject({ calls: 6, cached: 0 });
    expect(ran.server.counts.completed).toBe(6);
    const { agent } = await runAgain({ cwd: ran.cwd, argv: [...ran.argv, "--out", "again"] });
    expect(used(agent)).toMatchObject({ calls: 6, cached: 6 });
    expect(ran.server.counts.completed).toBe(6);
    const { stdout } = await runTandem(["report", "again"], { cwd: ran.cwd });
    expect(stdout).toContain("6 answers from the response cache");
  });

  it("caches no error", async () => {
    let failing = true;
    const script: Script = (request) => (failing ? { error: { status: 400, message: "bad" } } : mover(request));
    const ran = await runModel(script, { project: { cache: "cache" }, code: 5 });
    expect(ran.agent.outcomes).toMatchObject({ error: 1 });
    failing = false;
    const { agent } = await runAgain({ cwd: ran.cwd, argv: [...ran.argv, "--out", "again"] });
    expect(agent.outcomes).toMatchObject({ pass: 1 });
    expect(used(agent)).toMatchObject({ cached: 0 });
  });

  describe("finds its tools by each strategy, in each protocol", () => {
    const native = (call: ScriptedCall): Reply => ({ calls: [call] });
    const text = (call: ScriptedCall): Reply => ({ text: asText(call) });
    it.each([
      ["native", "full-context", mover],
      ["native", "rag:8", mover],
      ["native", "iterative-rag", retriever(native)],
      ["text", "full-context", textMover],
      ["text", "rag:8", textMover],
      ["text", "iterative-rag", retriever(text)],
    ])("%s, %s", async (protocol, strategy, script) => {
      const flags = ["--strategy", strategy, "--distractors", "50"];
      const { agent, server } = await runModel(script, { flags, model: { protocol } });
      expect(agent.outcomes).toMatchObject({ pass: 1 });
      const [first] = server.requests;
      if (protocol === "text") {
        expect(first?.tools).toEqual([]);
        expect(JSON.stringify(first?.messages)).toContain(
          strategy === "iterative-rag" ? "## retrieve_tools" : `## ${TOOL}`,
        );
        return;
      }
      if (strategy === "full-context") expect(first?.tools).toHaveLength(51);
      if (strategy === "rag:8") expect(first?.tools).toHaveLength(8);
      if (strategy === "iterative-rag") {
        expect(first?.tools).toEqual(["retrieve_tools"]);
        expect(server.requests[1]?.tools).toContain(TOOL);
        expect(server.requests[1]?.tools.length).toBeLessThanOrEqual(6);
      } else {
        expect(first?.tools).toContain(TOOL);
      }
    });

    it("with vectors of an endpoint, made once for a set of tools", async () => {
      const flags = [
        "--strategy",
        "rag:8",
        "--embedder",
        "openai:scripted",
        "--distractors",
        "all",
        "--seeds",
        "4",
        "-j",
        "4",
      ];
      const { agent, server } = await runModel(mover, { flags });
      expect(agent).toMatchObject({ episodes: 4, outcomes: { error: 0 } });
      for (const { tools } of server.requests) expect(tools).toHaveLength(8);
      // Two for the tools, which are many, and one for each of the four tasks.
      expect(server.counts.embeddings).toBe(6);
    });
  });

  it("offers as many distractors as were asked for, the same to every model and repeat", async () => {
    const toolsWith = async (flags: readonly string[]) => {
      const { server } = await runModel(mover, { flags });
      return server.requests.map(({ tools }) => tools);
    };
    expect((await toolsWith(["--distractors", "0"]))[0]).toEqual([TOOL]);
    const [first, ...others] = await toolsWith(["--distractors", "20", "--repeats", "2"]);
    expect(first).toHaveLength(21);
    for (const tools of others) expect(tools).toEqual(first);
    const [all] = await toolsWith(["--distractors", "all", "--pool-size", "2"]);
    expect(all?.length).toBeGreaterThan(21);
  });

  it("of more tools than the endpoint takes is refused with what can be done", async () => {
    const cwd = testFolder();
    configureModel(cwd, await useModelServer(mover));
    const { code, stderr } = await runTandem(
      ["run", "change-my-place", "--agent", "react:scripted", "--display", "none"],
      {
        cwd,
      },
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(/\d+ tools are offered, but the model's endpoint takes 128 at most\. Use --distractors N/);
  });

  describe("stops at each limit and records which", () => {
    const endless: Script = (request) => ({ calls: [move(request)], usage: { prompt: 100, output: 10 } });
    it.each([
      ["rounds", ["--max-rounds", "3"], 3],
      ["tokens", ["--token-limit", "250"], 3],
      ["cost", ["--cost-limit", "0.0005"], 4],
    ])("%s", async (reason, flags, turns) => {
      const { agent, server, cwd } = await runModel(endless, {
        flags,
        model: { prices: { input: 1, output: 6 } },
      });
      expect(agent.outcomes).toMatchObject({ fail: 1 });
      expect(server.counts.completed).toBe(turns);
      const { stdout } = await runTandem(["show", "run", "1"], { cwd });
      expect(stdout).toContain(`the limit of`);
      expect(JSON.parse((await runTandem(["show", "run", "1", "--json"], { cwd })).stdout)).toMatchObject({
        record: { tested: { stop: reason } },
      });
    });

    it("time", async () => {
      const slow: Script = (request) => ({ calls: [move(request)], slowMs: 200 });
      const { cwd } = await runModel(slow, { flags: ["--time-limit", "1"] });
      expect((await runTandem(["show", "run", "1"], { cwd })).stdout).toContain("the limit of 1 s was reached");
    });
  });
});

describe("a reference that a model plays", () => {
  const follower = (reply: Script): Script => byTask({ "The plan:": reply, "": mover });

  it("follows the plan, and where it does not, that is listed and its rate is printed", async () => {
    let episodes = 0;
    const script = follower(
      dialogue(
        (request) => ({ calls: [move(request)] }),
        // Every second reference does the step once more.
        (request) => (episodes++ % 2 === 0 ? { calls: [move(request)] } : DONE),
        DONE,
      ),
    );
    const { agent, cwd } = await runModel(script, {
      flags: ["--reference", "llm", "--model", "scripted", "--seeds", "4", "-j", "1"],
      code: 5,
    });
    expect(agent).toMatchObject({
      episodes: 4,
      // Where the reference did something else, nobody knows what the agent would have had to do.
      outcomes: { pass: 2, inconclusive: 2 },
      deviations: { episodes: 4, deviating: 2, total: 2 },
      modelUse: { agent: { calls: 8 }, reference: { calls: 10 } },
    });
    const { stdout } = await runTandem(["report", "run"], { cwd });
    expect(stdout).toContain("left the plan in 2 of 4 episodes (50.0%), 2 deviations");
    expect((await runTandem(["show", "run", "1"], { cwd })).stdout).toMatch(/added: LightTalk\.change_my_ip/);
  });

  it("that does not follow it is no failure of the agent", async () => {
    const { agent } = await runModel(follower(dialogue({ text: "I will not." })), {
      flags: ["--reference", "llm", "--model", "scripted"],
      code: 5,
    });
    expect(agent.outcomes.pass + agent.outcomes.fail).toBe(0);
  });
});
