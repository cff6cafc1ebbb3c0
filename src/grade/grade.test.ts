import { describe, expect, it } from "vitest";
import { sampleEntry } from "../../test/samples/episode-entry.ts";
import type { Snapshot } from "../record/snapshot.ts";
import type { TrajectoryEvent } from "../record/trajectory.ts";
import type { Fact } from "../suite/fact.ts";
import { callStats } from "./call-stats.ts";
import type { Evidence } from "./evidence.ts";
import { gradeEpisode } from "./grade.ts";
import type { Judge } from "./judge.ts";
import { rulesJudge } from "./rules-judge.ts";

const total: Fact = { name: "total", value: 12, compare: "number", within: 0.5, foils: [] };
const failure = {
  code: "server.start-failed",
  message: "server Shop did not start",
  server: "Shop",
  side: "tested",
} as const;

/** An episode in which both sides took two of three pieces and the answer is right, with `change` applied. */
function evidence(change: Partial<Evidence> = {}): Evidence {
  const { evidence: base, trajectories } = sampleEntry(0);
  return {
    ...base,
    trajectories,
    variants: [],
    reference: { ...base.reference, facts: [total] },
    tested: { ...base.tested, end: base.reference.end, answer: "The total is 12." },
    ...change,
  };
}

const base = evidence();
const stopped = (reason: Evidence["tested"]["stop"]["reason"]) => ({
  tested: { ...base.tested, stop: { reason, detail: "so it was" } },
});
const call = (change: Partial<Extract<TrajectoryEvent, { type: "tool" }>>): TrajectoryEvent => ({
  type: "tool",
  at: 1,
  ms: 1,
  call: 0,
  name: "buy",
  server: "Shop",
  tool: "buy",
  arguments: { id: "a" },
  outcome: "ok",
  text: "bought",
  value: "bought",
  fault: null,
  writes: [],
  effect: "write",
  worldTime: null,
  ...change,
});
const testedCalls = (...calls: TrajectoryEvent[]) => ({ trajectories: { ...base.trajectories, tested: calls } });
const grade = (of: Evidence, judges: readonly Judge[] = [rulesJudge]) => gradeEpisode(of, judges);

describe("the outcome", () => {
  it("is pass if state and facts are right", async () => {
    expect(await grade(base)).toMatchObject({ outcome: "pass", error: null, state: { success: true } });
  });

  it.each([
    [
      "a wrong state",
      { tested: { ...base.tested, end: sampleEntry(0).evidence.tested.end } },
      "1 of them to a third value",
    ],
    ["a wrong fact", { tested: { ...base.tested, answer: "The total is 13." } }, "not stated rightly: total"],
    ["no answer", { tested: { ...base.tested, answer: null } }, "not stated rightly: total"],
    ["a crash", stopped("crash"), "crashed"],
    ["too many rounds", stopped("rounds"), "was stopped"],
    ["no time left", stopped("time"), "was stopped"],
    [
      "a call that kills the server again",
      { ...testedCalls(call({ outcome: "broken" })), tested: { ...base.tested, diesAgain: true } },
      "dies again",
    ],
  ])("is fail for %s", async (_, change, reason) => {
    const grades = await grade(evidence(change));
    expect(grades).toMatchObject({ outcome: "fail", error: null, reason: expect.stringContaining(reason) });
    expect(grades.judges.rules?.error).toBeNull();
  });

  it.each([
    ["a server that did not start", { failure }, "server.start-failed"],
    [
      "a server that died by itself",
      { ...testedCalls(call({ outcome: "broken" })), tested: { ...base.tested, diesAgain: false } },
      "server.died",
    ],
    [
      "a server that died under the reference",
      { reference: { ...base.reference, stop: { reason: "server", detail: "" } as const } },
      "server.died",
    ],
    ["a missing snapshot", { tested: { ...base.tested, end: null } }, "internal.missing-snapshot"],
    ["a defect of ours", stopped("internal"), "internal.internal"],
    [
      "a query without anything to score",
      { stateScored: false, reference: { ...base.reference, facts: [] } },
      "query.nothing-scored",
    ],
  ])("is error for %s, and nothing is scored", async (_, change, code) => {
    const grades = await grade(evidence(change));
    expect(grades).toMatchObject({ outcome: "error", error: { code }, state: null, facts: null, judges: {} });
  });

  it.each([
    [
      "a broken reference",
      { reference: { ...base.reference, stop: { reason: "broken-plan", detail: "step x" } as const } },
      "reference.broken",
    ],
    [
      "a goal that fails",
      { reference: { ...base.reference, goals: [{ text: "= false", holds: false }] } },
      "reference.goal",
    ],
    [
      "a world that moved too far",
      { alternatives: [{ id: "after", end: base.reference.end, facts: [{ ...total, value: 14 }] }] },
      "reference.moved",
    ],
  ])("is inconclusive for %s", async (_, change, code) => {
    expect(await grade(evidence(change))).toMatchObject({ outcome: "inconclusive", error: { code }, judges: {} });
  });

  it("is never the agent's failure if the reference broke", async () => {
    const reference = { ...base.reference, stop: { reason: "broken-plan", detail: "step x" } as const };
    expect((await grade(evidence({ reference, ...stopped("crash") }))).outcome).toBe("inconclusive");
  });
});

describe("other ends", () => {
  const bought = (stock: number): Snapshot => ({
    ...(base.reference.end as Snapshot),
    servers: { Shop: { items: { a: { stock }, b: { stock: 4 } }, cart: {} } },
  });

  it("a variant is as right as the plan's own end, state and facts of the same one", async () => {
    const variants = [{ id: "one-piece", end: bought(2), facts: [{ ...total, value: 6 }] }];
    const tested = { ...base.tested, end: bought(2), answer: "The total is 6." };
    expect(await grade(evidence({ variants, tested }))).toMatchObject({ outcome: "pass", variant: "one-piece" });
    const mixed = { ...tested, answer: "The total is 12." };
    expect(await grade(evidence({ variants, tested: mixed }))).toMatchObject({ outcome: "fail" });
  });

  it("a fact is right within the tolerance of either reference", async () => {
    const alternatives = [{ id: "after", end: base.reference.end, facts: [{ ...total, value: 12.8 }] }];
    const answer = (text: string) => evidence({ alternatives, tested: { ...base.tested, answer: text } });
    expect((await grade(answer("12.0"))).outcome).toBe("pass");
    expect((await grade(answer("13.1"))).outcome).toBe("pass");
    expect((await grade(answer("13.5"))).outcome).toBe("fail");
  });
});

describe("judges", () => {
  it("that fail have an error and no score, and never change the outcome", async () => {
    const broken: Judge = { name: "broken", judge: () => Promise.reject(new Error("no such model")) };
    const grades = await grade(base, [rulesJudge, broken]);
    expect(grades.outcome).toBe("pass");
    expect(grades.judges.broken).toMatchObject({ result: null, trajectory: null, error: "no such model" });
    expect(grades.judges.rules?.result).toBe(5);
  });

  it("rules: everything is 5, half is between, nothing is 1", async () => {
    const score = async (change: Partial<Evidence>) => (await grade(evidence(change))).judges.rules;
    const writes = { trajectories: { reference: [call({})], tested: [call({})] } };
    expect(await score(writes)).toMatchObject({ result: 5, trajectory: 5 });
    expect(await score({ ...writes, tested: { ...base.tested, answer: "Done." } })).toMatchObject({ result: 3 });
    const idle = { ...base.tested, end: base.before, answer: "Done." };
    expect(await score({ tested: idle })).toMatchObject({ result: 1, trajectory: 1 });
  });

  it("rules: take a point for calls made in vain", async () => {
    const again = [0, 1, 2].map((number) => call({ call: number, effect: "read" }));
    const { judges } = await grade(evidence({ trajectories: { reference: [call({})], tested: again } }));
    expect(judges.rules).toMatchObject({ trajectory: 4, reasons: { trajectory: expect.stringContaining("3 times") } });
  });
});

it("counts calls by what came of them, and faults by whether they were survived", () => {
  const fault = { outcome: "transient", fault: "network" } as const;
  const stats = callStats([
    call({ ...fault, call: 0 }),
    call({ call: 1 }),
    call({ ...fault, call: 2, arguments: { id: "b" } }),
    call({ outcome: "syntactic", call: 3, server: null, tool: null }),
    call({ outcome: "refused", call: 4 }),
  ]);
  expect(stats).toEqual({
    total: 5,
    valid: 1,
    failed: 3,
    syntactic: 1,
    faultsMet: 2,
    faultsRecovered: 1,
    distinctTools: 1,
  });
});
