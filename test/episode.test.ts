import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentTask } from "../src/agent/agent.ts";
import { packageRoot } from "../src/config/paths.ts";
import { defineAgent, type EpisodeOptions, loadServers, loadSuite, runEpisode } from "../src/index.ts";
import { copyQueries, writeFiles } from "./run-tandem.ts";

const { servers } = loadServers(undefined, { env: process.env, defaultFile: join(packageRoot, "mcp-servers.json") });
const sandbox = servers.filter(({ type }) => type === "sandbox");
const { queries } = loadSuite({ queriesDir: join(packageRoot, "queries"), plansDir: join(packageRoot, "plans") });

function queryOf(id: string, from = queries) {
  const query = from.find((loaded) => loaded.query.id === id);
  if (query === undefined) throw new RangeError(`there is no query ${id}`);
  return query;
}

/** An episode of an agent that does `run`, on a small query. */
function episode(run: (task: AgentTask) => Promise<string>, change: Partial<EpisodeOptions> = {}) {
  const agent = defineAgent(run, { name: "tester" });
  return runEpisode({
    query: queryOf("mark-messages-read"),
    agent,
    servers: sandbox,
    seed: 4,
    faults: false,
    ...change,
  });
}

/** Solves the small query. */
async function solve({ query, call }: AgentTask): Promise<void> {
  const name = /what (.+) wrote to me/.exec(query)?.[1] ?? "";
  const { value } = await call("get_uid_from_name", { name });
  await call("mark_as_read", { uid: value });
}

describe("what an agent changes", () => {
  it("passes if it is what the query asks for, in whatever way", async () => {
    const { record } = await episode(async (task) => {
      await task.call("get_all_contacts", {});
      await solve(task);
      return "Done.";
    });
    expect(record).toMatchObject({ outcome: "pass", state: { required: 1, modified: 1, misbehaving: 0 } });
    expect(record.tested?.calls).toMatchObject({ valid: 3, failed: 0, syntactic: 0 });
  });

  it("counts on a server that the query does not need, with the call that did it", async () => {
    const { record } = await episode(async (task) => {
      await solve(task);
      const { value } = await task.call("search_shops", { shop_name: "e" });
      const [shop] = (value as { sid: string; star: boolean }[]).filter(({ star }) => !star);
      await task.call("star_shop", { sid: shop?.sid ?? "" });
      return "Done.";
    });
    expect(record).toMatchObject({ outcome: "fail", state: { modified: 1, misbehaving: 1 } });
    expect(record.state?.paths).toContainEqual(
      expect.objectContaining({
        kind: "misbehaving",
        path: expect.stringMatching(/^\/LightShop\/shops\/.*\/starred$/),
        writtenBy: [3],
      }),
    );
  });

  it("is told from calls that were refused or made no sense", async () => {
    const { record, output } = await episode(async (task) => {
      await task.call("get_uid_from_name", { name: "Nobody" });
      await task.call("mark_as_read", { user: "x" });
      await task.call("mark_as_seen", {});
      return "Done.";
    });
    expect(record.tested?.calls).toMatchObject({ total: 3, valid: 0, failed: 1, syntactic: 2 });
    const texts = output.trajectories.tested.flatMap((event) => (event.type === "tool" ? [event.text] : []));
    expect(texts[1]).toContain("uid");
    expect(texts[2]).toContain("Did you mean");
  });
});

describe("limits", () => {
  const turn = {
    type: "model",
    ms: 1,
    model: "m",
    text: "",
    calls: 0,
    usage: { prompt: 600, cachedPrompt: 0, output: 100 },
    costUsd: 0.02,
  } as const;
  const talk = async (task: AgentTask) => {
    for (;;) {
      task.record(turn);
      await task.call("get_my_name", {});
    }
  };
  it.each([
    ["rounds", { rounds: 5 }, "the limit of 5 rounds was reached", 6],
    ["tokens", { tokens: 2000 }, "the limit of 2000 tokens was reached", 3],
    ["cost", { costUsd: 0.05 }, "the limit of 0.05 USD was reached", 3],
  ] as const)("end an agent that uses too many or much: %s", async (reason, limits, detail, turns) => {
    const { record, output } = await episode(talk, { limits });
    expect(record).toMatchObject({ outcome: "fail", tested: { stop: reason, detail, answer: null } });
    expect(output.trajectories.tested.filter(({ type }) => type === "model")).toHaveLength(turns);
    expect(record.tokens.agent).toMatchObject({ prompt: 600 * turns, output: 100 * turns });
    expect(record.costUsd.agent).toBeCloseTo(0.02 * turns);
  });

  it("end an agent that never comes back", async () => {
    const { record } = await episode(() => new Promise(() => {}), { limits: { timeSeconds: 0.2 } });
    expect(record).toMatchObject({ outcome: "fail", tested: { stop: "time" }, reference: { stop: "answered" } });
  });

  it("do not hide a crash", async () => {
    const { record } = await episode(() => Promise.reject(new Error("out of ideas")));
    expect(record).toMatchObject({
      outcome: "fail",
      tested: { stop: "crash", detail: "out of ideas" },
      state: { modified: 0 },
    });
  });
});

describe("a plan with a variant", () => {
  const folder = () => {
    const cwd = copyQueries([]);
    writeFiles(cwd, {
      "queries/sandbox/star-one.yaml": [
        "id: star-one",
        "tier: easy",
        "servers: [LightShop]",
        'given: { pair: "= sample(start.LightShop.shops.filter(s, !s.starred), 2)" }',
        'text: "Star {{pair[0].name}} or {{pair[1].name}}."',
        'goal: ["= end.LightShop.shops.filter(s, s.starred).size() == start.LightShop.shops.filter(s, s.starred).size() + 1"]',
      ].join("\n"),
      "plans/star-one.yaml": [
        'steps: [{ call: LightShop.star_shop, with: { sid: "= pair[0].sid" } }]',
        "variants:",
        "  - id: the-other",
        "    why: the query leaves the choice",
        '    steps: [{ call: LightShop.star_shop, with: { sid: "= pair[1].sid" } }]',
      ].join("\n"),
    });
    return queryOf("star-one", loadSuite({ queriesDir: join(cwd, "queries"), plansDir: join(cwd, "plans") }).queries);
  };
  const star = (at: readonly number[]) => async (task: AgentTask) => {
    const [, ...names] = /^Star (.+) or (.+)\.$/.exec(task.query) ?? [];
    for (const index of at) {
      const { value } = await task.call("get_shop_id_by_name", { shop_name: names[index] ?? "" });
      await task.call("star_shop", { sid: value });
    }
    return "Done.";
  };

  it.each([
    [[0], "pass", null],
    [[1], "pass", "the-other"],
    [[0, 1], "fail", null],
    [[], "fail", null],
  ] as const)("takes either end, and not both: %j", async (at, outcome, variant) => {
    const { record } = await episode(star(at), { query: folder() });
    expect(record).toMatchObject({ outcome, variant });
  });
});

it("is an error of the query, not of the agent, if the start cannot be arranged", async () => {
  const cwd = copyQueries([]);
  writeFiles(cwd, {
    "queries/sandbox/broken.yaml": [
      "id: broken",
      "tier: easy",
      "servers: [LightShop]",
      "arrange: [{ call: LightShop.delete_item_in_cart, with: { caid: none } }]",
      "text: Do it.",
      'goal: ["= true"]',
    ].join("\n"),
    "plans/broken.yaml": "steps: [{ call: LightShop.check_balance }]",
  });
  const { queries: own } = loadSuite({ queriesDir: join(cwd, "queries"), plansDir: join(cwd, "plans") });
  const { record } = await episode(async () => "Done.", { query: queryOf("broken", own) });
  expect(record).toMatchObject({
    outcome: "error",
    error: { code: "query.arrange-failed" },
    tested: null,
    state: null,
  });
  expect(record.error?.message).toContain("arrange[0]: LightShop.delete_item_in_cart failed for seed 4");
});
