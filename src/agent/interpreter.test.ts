import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { isJsonObject, type Json } from "../base/json.ts";
import type { CallResult } from "../pool/pool.ts";
import type { CallOutcome } from "../record/trajectory.ts";
import { defineApp, refuse, toolsOf } from "../sandbox/define.ts";
import { createWorld, faultText, type PlannedFault } from "../sandbox/world.ts";
import { planSchema } from "../suite/schema.ts";
import { Stopped } from "./agent.ts";
import { interpretPlan, type PlanInput, type PlanOutcome } from "./interpreter.ts";

interface Cellar {
  open: boolean;
  jars: Record<string, { name: string; litres: number; sealed: boolean }>;
}

const tool = toolsOf<Cellar>();
const jar = z.object({ id: z.string(), name: z.string(), litres: z.number() });

const cellar = defineApp<Cellar>({
  name: "Cellar",
  title: "Cellar",
  text: "Jars of jam.",
  start: () => ({
    open: false,
    jars: {
      a: { name: "plum", litres: 1.5, sealed: false },
      b: { name: "fig", litres: 0.5, sealed: true },
      c: { name: "plum", litres: 2, sealed: false },
    },
  }),
  tools: [
    tool({
      name: "list_jars",
      text: "Lists the jars.",
      output: z.array(jar),
      run: ({ state }) => Object.entries(state.jars).map(([id, { name, litres }]) => ({ id, name, litres })),
    }),
    tool({
      name: "unlock",
      text: "Unlocks the cellar.",
      output: z.string(),
      effect: "write",
      run: ({ state }) => {
        state.open = true;
        return "unlocked";
      },
    }),
    tool({
      name: "take_jar",
      text: "Takes a jar out.",
      input: { id: z.string() },
      output: z.string(),
      effect: "destroy",
      run: ({ state }, { id }) => {
        if (!state.open) refuse("The cellar is locked");
        if (state.jars[id] === undefined) refuse(`no jar ${id}`);
        if (state.jars[id].sealed) refuse(`jar ${id} is sealed`);
        delete state.jars[id];
        return `took ${id}`;
      },
    }),
  ],
});

/** Interprets a plan written as YAML on a world of its own. `special` gives tools that the world has not got an outcome. */
async function follow(
  yaml: string,
  options: {
    faults?: readonly PlannedFault[];
    special?: Readonly<Record<string, CallOutcome>>;
    scope?: Record<string, Json>;
    only?: PlanInput["only"];
  } = {},
) {
  const plan = planSchema.parse(parse(yaml));
  const world = createWorld({ seed: 1, apps: [cellar], plannedFaults: options.faults ?? [] });
  const calls: string[] = [];
  const result = (outcome: CallOutcome, value: Json, fault: string | null = null): CallResult => ({
    outcome,
    value,
    fault,
    text: typeof value === "string" ? value : JSON.stringify(value),
    writes: [],
    violation: null,
    tool: null,
    worldTime: world.now(),
  });
  const call: PlanInput["call"] = async (name, args) => {
    calls.push(`${name}(${JSON.stringify(args)})`);
    const special = options.special?.[name];
    if (special !== undefined) return result(special, `${name} is ${special}`);
    const toolName = name.slice("Cellar.".length);
    const fault = world.nextFault("Cellar", toolName);
    if (fault !== null && fault !== "delay") return result("transient", faultText(fault, "Cellar"), fault);
    const answer = world.invoke("Cellar", toolName, isJsonObject(args) ? args : {});
    return result(answer.status === "ok" ? "ok" : "refused", answer.output);
  };
  const outcome = await interpretPlan({
    steps: plan.steps,
    recover: plan.recover ?? [],
    answer: plan.answer ?? {},
    scope: options.scope ?? {},
    call,
    ...(options.only === undefined ? {} : { only: options.only }),
  });
  return { outcome, calls, jars: Object.keys((world.state("Cellar")?.jars ?? {}) as object) };
}

const short = ({ steps }: PlanOutcome) => steps.map(({ step, status, value }) => [step, status, value]);

describe("interpretPlan", () => {
  it("follows calls, values and loops, and states what it found", async () => {
    const { outcome, calls, jars } = await follow(
      `
steps:
  - { id: jars, call: Cellar.list_jars }
  - { call: Cellar.unlock }
  - { id: plums, let: "= jars.filter(j, j.name == fruit)" }
  - id: taken
    for: "= plums"
    as: one
    do:
      - { id: told, call: Cellar.take_jar, with: { id: "= one.id" } }
    yield: { id: "= one.id", litres: "= one.litres" }
  - { id: names, for: ["x", "= fruit"], as: word, do: [{ id: big, let: "= word.upper()" }] }
answer:
  total_litres: { value: "= taken.sum('litres')", within: 0.01, foils: ["= jars.sum('litres')", "= 3.5", "= jars.map(j, j.litres)"] }
  jars: { value: "= taken.map(t, t.id)", compare: set }
  words: "= names"
  any_left: "= size(jars) > size(taken)"
  day: { value: "= date('2026-07-04 09:30')", compare: date }
`,
      { scope: { fruit: "plum" } },
    );
    expect(outcome.broken).toBeNull();
    expect(calls).toEqual([
      "Cellar.list_jars({})",
      "Cellar.unlock({})",
      'Cellar.take_jar({"id":"a"})',
      'Cellar.take_jar({"id":"c"})',
    ]);
    expect(jars).toEqual(["b"]);
    expect(outcome.facts).toEqual([
      { name: "total_litres", value: 3.5, compare: "number", within: 0.01, foils: [4, 1.5, 0.5, 2] },
      { name: "jars", value: ["a", "c"], compare: "set", within: 0, foils: [] },
      { name: "words", value: ["X", "PLUM"], compare: "list", within: 0, foils: [] },
      { name: "any_left", value: true, compare: "boolean", within: 0, foils: [] },
      { name: "day", value: "2026-07-04", compare: "date", within: 0, foils: [] },
    ]);
    expect(outcome.answerText).toBe("total litres: 3.5\njars: a, c\nwords: X, PLUM\nany left: yes\nday: 2026-07-04");
    expect(outcome.steps.map(({ step, kind, calls: count }) => `${step} ${kind} ${count}`)).toEqual([
      "jars call 1",
      "steps[1] call 1",
      "plums let 0",
      "taken[0].told call 1",
      "taken[1].told call 1",
      "taken for 0",
      "names[0].big let 0",
      "names[1].big let 0",
      "names for 0",
    ]);
  });

  it("says that it is done if nothing is asked", async () => {
    const { outcome } = await follow("steps: [{ call: Cellar.unlock }]");
    expect(outcome).toMatchObject({ facts: [], answerText: "Done.", broken: null });
  });

  it("skips steps whose condition is false", async () => {
    const { outcome, calls } = await follow(`
steps:
  - { id: a, call: Cellar.list_jars, when: false }
  - { id: b, let: 1, when: "= a != null" }
  - { id: c, for: [1], as: x, do: [{ call: Cellar.unlock }], when: "= has(a.b)" }
  - { id: d, let: "= [a, b, c]" }
`);
    expect(calls).toEqual([]);
    expect(outcome.steps.at(-1)?.value).toEqual([null, null, null]);
    expect(outcome.steps[0]?.status).toBe("skipped");
  });

  it("gives a refused call its else", async () => {
    const { outcome } = await follow(`
steps:
  - { call: Cellar.unlock }
  - { id: fig, call: Cellar.take_jar, with: { id: b }, else: "= 'no ' + 'luck'" }
  - { id: plum, call: Cellar.take_jar, with: { id: a }, else: null }
`);
    expect(short(outcome).slice(1)).toEqual([
      ["fig", "else", "no luck"],
      ["plum", "done", "took a"],
    ]);
  });

  it("recovers from a refusal, once per rule and call", async () => {
    const rule = "recover: [{ on: cellar is LOCKED, call: Cellar.unlock }]";
    const { outcome, calls } = await follow(`steps: [{ id: a, call: Cellar.take_jar, with: { id: a } }]\n${rule}`);
    expect(outcome.broken).toBeNull();
    expect(calls.map((call) => call.split("(")[0])).toEqual(["Cellar.take_jar", "Cellar.unlock", "Cellar.take_jar"]);
    expect(outcome.steps[0]?.calls).toBe(3);

    const useless = await follow(
      "steps: [{ id: a, call: Cellar.take_jar, with: { id: a } }]\nrecover: [{ on: locked, call: Cellar.list_jars }]",
    );
    expect(useless.calls).toHaveLength(3);
    expect(useless.outcome.broken).toMatchObject({ step: "a", call: "Cellar.take_jar", outcome: "refused" });
  });

  it("retries what may pass, three times or as often as the step says", async () => {
    const faultOn = (calls: number[]): PlannedFault[] => [
      { server: "Cellar", tool: "list_jars", kind: "transient", calls },
    ];
    const survived = await follow("steps: [{ id: a, call: Cellar.list_jars }]", { faults: faultOn([1, 2, 3]) });
    expect(survived.outcome.broken).toBeNull();
    expect(survived.calls).toHaveLength(4);

    const lost = await follow("steps: [{ id: a, call: Cellar.list_jars }]", { faults: faultOn([1, 2, 3, 4]) });
    expect(lost.outcome.broken).toMatchObject({ step: "a", outcome: "transient" });

    const never = await follow("steps: [{ id: a, call: Cellar.list_jars, retry: 0 }]", { faults: faultOn([1]) });
    expect(never.calls).toHaveLength(1);
    expect(never.outcome.broken).not.toBeNull();
  });

  it("prefers a rule to a retry where both fit", async () => {
    const { outcome, calls } = await follow(
      "steps: [{ id: a, call: Cellar.list_jars }]\nrecover: [{ on: try again, call: Cellar.unlock }]",
      { faults: [{ server: "Cellar", tool: "list_jars", kind: "rate-limit", calls: [1, 2] }] },
    );
    expect(outcome.broken).toBeNull();
    expect(calls.map((call) => call.split("(")[0])).toEqual([
      "Cellar.list_jars",
      "Cellar.unlock",
      "Cellar.list_jars",
      "Cellar.list_jars",
    ]);
  });

  it.each<CallOutcome>(["broken", "timeout", "protocol", "syntactic", "refused"])(
    "breaks on a call that ends as %s, and tells so",
    async (special) => {
      const steps = "steps: [{ id: a, call: Other.x }, { id: b, call: Cellar.list_jars }]\nanswer: { n: 1 }";
      const { outcome, calls } = await follow(steps, { special: { "Other.x": special } });
      expect(calls).toHaveLength(1);
      expect(outcome).toMatchObject({ facts: [], answerText: "" });
      expect(outcome.broken).toEqual({
        step: "a",
        call: "Other.x",
        reason: `Other.x ended as ${special}: Other.x is ${special}`,
        outcome: special,
      });
    },
  );

  it("does not give a dead server its else", async () => {
    const plan = "steps: [{ id: a, call: Other.x, else: 1 }]";
    expect((await follow(plan, { special: { "Other.x": "broken" } })).outcome.broken).not.toBeNull();
  });

  it.each([
    ["a value", "steps: [{ id: a, let: '= [1][2]' }]", "a"],
    ["an argument", "steps: [{ id: a, call: Cellar.take_jar, with: { id: '= [1].first().x' } }]", "a"],
    ["a condition", "steps: [{ id: a, let: 1, when: '= 1' }]", "a"],
    ["a loop's list", "steps: [{ id: a, for: '= 1', as: x, do: [{ id: b, let: 1 }] }]", "a"],
    ["a loop's step", "steps: [{ id: a, for: [1], as: x, do: [{ id: b, let: '= x.y' }] }]", "a[0].b"],
    ["a loop's yield", "steps: [{ id: a, for: [1], as: x, do: [{ id: b, let: 1 }], yield: '= x.y' }]", "a[0]"],
    ["the answer", "steps: [{ id: a, let: 1 }]\nanswer: { n: '= a.b' }", "answer"],
    ["an answer that no sentence can state", "steps: [{ id: a, let: {} }]\nanswer: { n: '= a' }", "answer"],
  ])("breaks where %s fails", async (_what, plan, step) => {
    const { outcome } = await follow(plan);
    expect(outcome.broken).toMatchObject({ step, call: null, outcome: null });
    expect(outcome.facts).toEqual([]);
  });

  it("passes on what ends the side", async () => {
    const call = () => Promise.reject(new Stopped("time", "no time left"));
    const plan = planSchema.parse({ steps: [{ call: "Cellar.list_jars" }] });
    const input = { steps: plan.steps, recover: [], answer: {}, scope: {}, call };
    await expect(interpretPlan(input)).rejects.toBeInstanceOf(Stopped);
    await expect(interpretPlan({ ...input, only: () => true })).rejects.toBeInstanceOf(Stopped);
  });

  it("with `only` makes the calls that it may, and survives everything", async () => {
    const { outcome, calls, jars } = await follow(
      `
steps:
  - { id: jars, call: Cellar.list_jars }
  - { id: gone, for: "= jars", as: j, do: [{ id: x, call: Cellar.take_jar, with: { id: "= j.id" } }], yield: "= x.y" }
  - { id: key, call: Cellar.unlock }
  - { id: bad, let: "= key.missing.field" }
  - { id: worse, for: "= bad", as: w, do: [{ call: Cellar.list_jars }] }
  - { id: dead, call: Other.x }
  - { id: again, call: Cellar.list_jars, when: "= bad == null" }
answer: { n: "= nothing.at_all" }
`,
      { only: (name) => name !== "Cellar.take_jar" && name !== "Cellar.unlock", special: { "Other.x": "broken" } },
    );
    expect(outcome).toMatchObject({ broken: null, facts: [] });
    expect(calls).toEqual(["Cellar.list_jars({})", "Other.x({})", "Cellar.list_jars({})"]);
    expect(jars).toHaveLength(3);
  });
});
