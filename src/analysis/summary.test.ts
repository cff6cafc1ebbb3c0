import { describe, expect, it } from "vitest";
import { sampleCalls, sampleRecord, sampleState, sampleVerdict } from "../../test/samples/episode-record.ts";
import type { EpisodeRecord } from "../record/episode-record.ts";
import { byQuery, byTier, isRanked, summarise } from "./summary.ts";

const run = { run: "r1", folder: "results/r1" };
const agentOf = (...records: EpisodeRecord[]) => {
  const agent = summarise(run, records).agents[0];
  if (agent === undefined) throw new Error("no agent");
  return agent;
};
const failed = (change: Partial<EpisodeRecord> = {}) =>
  sampleRecord({
    repeat: 1,
    outcome: "fail",
    state: sampleState(4, {
      modified: 2,
      misbehaving: 1,
      completionRate: 0.5,
      misbehavingRate: 0.25,
      precision: 2 / 3,
      f1: 4 / 7,
      success: false,
    }),
    judges: { rules: sampleVerdict(2, 3) },
    ...change,
  });

describe("summarise", () => {
  it("has the fields of the document, and no others", () => {
    const summary = summarise(run, [sampleRecord()]);
    expect(Object.keys(summary)).toEqual(["run", "folder", "episodes", "outcomes", "agents"]);
    const measured = [
      "success",
      "state",
      "judges",
      "judgeErrors",
      "toolCalls",
      "tokens",
      "costUsd",
      "modelUse",
      "deviations",
    ];
    const fields = ["agent", "episodes", "outcomes", ...measured];
    expect(summary.agents.map((agent) => Object.keys(agent))).toEqual([fields]);
    expect(summary).toMatchObject({ ...run, episodes: 1, outcomes: { pass: 1, fail: 0, error: 0, inconclusive: 0 } });
    expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
  });

  it("is empty for no records", () => {
    expect(summarise(run, [])).toEqual({
      ...run,
      episodes: 0,
      outcomes: { pass: 0, fail: 0, error: 0, inconclusive: 0 },
      agents: [],
    });
  });

  it("averages grades over scored episodes", () => {
    const agent = agentOf(sampleRecord(), failed());
    expect(agent.success).toEqual({ rate: 0.5, low: 0.5, high: 0.5 });
    expect(agent.state.success).toEqual({ mean: 0.5, sd: 0.5, n: 2 });
    expect(agent.state.completionRate).toEqual({ mean: 0.75, sd: 0.25, n: 2 });
    expect(agent.state.misbehavingRate?.mean).toBe(0.125);
    expect(agent.judges.rules?.tsr).toEqual({ mean: 0.5, sd: 0.5, n: 2 });
    expect(agent.judges.rules?.ars).toEqual({ mean: 0.625, sd: 0.375, n: 2 });
    expect(agent.judges.rules?.ats?.mean).toBe(0.75);
  });

  it("leaves grades of unscored episodes out, but counts what they cost", () => {
    const broken = failed({ outcome: "inconclusive", costUsd: { agent: 3, reference: null, judge: null } });
    const agent = agentOf(sampleRecord({ costUsd: { agent: 1, reference: null, judge: null } }), broken);
    expect(agent.outcomes).toEqual({ pass: 1, fail: 0, error: 0, inconclusive: 1 });
    expect(agent.success).toEqual({ rate: 1, low: 0.5, high: 1 });
    expect(agent.state.success?.n).toBe(1);
    expect(agent.judges.rules?.ars).toEqual({ mean: 1, sd: 0, n: 1 });
    expect(agent.toolCalls.valid?.n).toBe(1);
    expect(agent.costUsd).toEqual({ agent: { mean: 2, sd: 1, n: 2 }, reference: null, judge: null });
  });

  it("never makes a missing score a zero", () => {
    const agent = agentOf(
      sampleRecord({
        state: sampleState(0, { completionRate: null, misbehavingRate: null, precision: null, f1: null }),
        judges: { rules: sampleVerdict(4, null), gpt: sampleVerdict(null, null, { error: "no answer" }) },
      }),
      sampleRecord({ repeat: 1, state: null, tested: null }),
    );
    expect(agent.state).toMatchObject({ success: { mean: 1, n: 1 }, completionRate: null, precision: null, f1: null });
    expect(agent.judges.gpt).toEqual({ tsr: null, ars: null, ats: null });
    expect(agent.judges.rules).toMatchObject({
      tsr: { mean: 0.5, n: 2 },
      ars: { mean: 0.875 },
      ats: { mean: 1, n: 1 },
    });
    expect(agent.toolCalls.valid).toEqual({ mean: 6, sd: 0, n: 1 });
    expect(agent.tokens.agent).toEqual({
      prompt: null,
      cachedPrompt: null,
      output: null,
      toolResponse: { mean: 400, sd: 0, n: 2 },
    });
  });

  it("keeps agents and judges apart, whatever their names", () => {
    const calls = sampleCalls(1, { failed: 2, syntactic: 3 });
    const tested = { stop: "answered" as const, detail: "", answer: null, ms: 1, calls };
    const other = sampleRecord({ agent: "__proto__", tested, judges: { constructor: sampleVerdict(1, 1) } });
    const { agents } = summarise(run, [sampleRecord(), other]);
    expect(agents.map((agent) => agent.agent)).toEqual(["oracle", "__proto__"]);
    expect(Object.keys(agents[1]?.judges ?? {})).toEqual(["constructor"]);
    expect(agents[1]?.toolCalls).toMatchObject({ valid: { mean: 1 }, failed: { mean: 2 }, syntactic: { mean: 3 } });
  });

  it("takes any iterable, once", () => {
    function* stream() {
      yield sampleRecord();
      yield failed();
    }
    expect(summarise(run, stream()).episodes).toBe(2);
  });
});

describe("byTier and byQuery", () => {
  const records = [
    sampleRecord({ query: "q2", tier: "hard", outcome: "fail" }),
    sampleRecord({ query: "q1" }),
    sampleRecord({ query: "q1", agent: "noop", outcome: "fail" }),
  ];

  it("orders tiers from easy to hard and leaves empty ones out", () => {
    expect(byTier(records).map(({ tier, agents }) => [tier, agents.map((agent) => agent.agent)])).toEqual([
      ["easy", ["oracle", "noop"]],
      ["hard", ["oracle"]],
    ]);
  });

  it("has each query with its agents", () => {
    expect(byQuery(records).map(({ query, agents }) => [query, agents.map((agent) => agent.success.rate)])).toEqual([
      ["q2", [0]],
      ["q1", [1, 0]],
    ]);
  });
});

describe("isRanked", () => {
  const counts = (error: number) => ({ outcomes: { pass: 100 - error, fail: 0, error, inconclusive: 0 } });
  it("allows up to 5 % unscored for each agent", () => {
    expect(isRanked([counts(5), counts(0)])).toBe(true);
    expect(isRanked([counts(6), counts(0)])).toBe(false);
  });
});
