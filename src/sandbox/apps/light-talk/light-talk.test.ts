import fc from "fast-check";
import { describe, expect, it } from "vitest";
import published from "../../../../test/data/sandbox-tools.json" with { type: "json" };
import { sandboxCaller } from "../../../../test/sandbox-caller.ts";
import { hashJson } from "../../../base/canonical-json.ts";
import type { Json } from "../../../base/json.ts";
import { ID_PATTERN, random } from "../../../base/random.ts";
import { createWorld } from "../../world.ts";
import { lightTalk } from "./light-talk.ts";

/** Parameter type of the published list by the JSON type of ours. */
function typeOf(schema: unknown): string {
  const { type, items } = schema as { type: string; items?: { type: string } };
  if (type === "array") return `list[${typeOf(items)}]`;
  return { string: "str", integer: "int" }[type] ?? type;
}

describe("LightTalk", () => {
  it("has the published tools and parameters", () => {
    const ours = lightTalk.tools.map(({ name, input }) => {
      const { properties = {}, required = [] } = input.toJSONSchema({ io: "input" });
      const parameters = Object.entries(properties).map(([parameter, schema]) => [
        parameter,
        { type: typeOf(schema), ...(required.includes(parameter) ? {} : { optional: true }) },
      ]);
      return [name, Object.fromEntries(parameters)];
    });
    expect(Object.fromEntries(ours)).toEqual(published.LightTalk);
    expect(ours).toHaveLength(52);
  });

  it("describes every tool and parameter", () => {
    for (const { name, text, input } of lightTalk.tools) {
      expect(text.length, name).toBeGreaterThan(15);
      for (const schema of Object.values(input.shape)) expect(schema.description, name).toBeTruthy();
    }
  });

  it("has the same state for the same seed only", () => {
    const hash = (seed: number) => hashJson(createWorld({ seed, apps: [lightTalk] }).state("LightTalk"));
    expect(hash(5)).toBe(hash(5));
    expect(new Set([1, 2, 3, 4, 5].map(hash)).size).toBe(5);
  });

  it("has a network that fails in some worlds until it is accelerated", () => {
    const rates = Array.from({ length: 60 }, (_, seed) => lightTalk.faults(random(seed, "faults")).network);
    expect(new Set(rates)).toEqual(new Set([0, 0.15, 0.3]));
    const { ok, state } = sandboxCaller(lightTalk, 1);
    expect(lightTalk.repaired(state())).toBe(false);
    ok("acc_network");
    expect(lightTalk.repaired(state())).toBe(true);
  });

  it("answers any arguments that fit the schema, in the shape that it promises", () => {
    const world = createWorld({ seed: 8, apps: [lightTalk], faults: false });
    const texts = candidates(world.state("LightTalk") ?? null);
    const text = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...texts) }, fc.string({ minLength: 1 }));
    const byType: Record<string, fc.Arbitrary<unknown>> = {
      str: text,
      int: fc.integer({ min: 1, max: 8 }),
      "list[str]": fc.array(text, { minLength: 1, maxLength: 3 }),
    };
    const calls = Object.entries(published.LightTalk).map(([tool, parameters]) => {
      const arbitraries = Object.entries(parameters as Record<string, { type: string }>).map(([name, { type }]) => [
        name,
        name === "gender" ? fc.constantFrom("male", "female") : (byType[type] ?? fc.constant(null)),
      ]);
      return fc.record(Object.fromEntries(arbitraries)).map((input) => ({ tool, input }));
    });
    const statuses = { ok: 0, failed: 0, "internal error": 0 };
    fc.assert(
      fc.property(fc.oneof(...calls), ({ tool, input }) => {
        const declared = lightTalk.tool(tool);
        const before = world.state("LightTalk");
        const answer = world.invoke("LightTalk", tool, declared?.input.parse(input) as never);
        statuses[answer.status]++;
        expect(answer.status, `${tool}: ${answer.output}`).not.toBe("internal error");
        if (answer.status === "ok") expect(declared?.output.safeParse(answer.output).error).toBeUndefined();
        if (declared?.effect === "read" || answer.status === "failed") expect(world.state("LightTalk")).toBe(before);
        world.view("LightTalk");
      }),
      { numRuns: 3000, seed: 1 },
    );
    expect(Math.min(statuses.ok, statuses.failed)).toBeGreaterThan(200);
  });
});

/** Ids and other texts of a state, and texts that a careless agent might send. */
function candidates(state: Json): string[] {
  const ids = [...new Set(JSON.stringify(state).match(ID_PATTERN))];
  return [
    ...ids,
    "constructor",
    "__proto__",
    "toString",
    "Lisbon, Portugal",
    "https://pictures.example/1.jpg",
    "family",
  ];
}
