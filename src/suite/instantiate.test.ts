import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { errorOf } from "../../test/fixtures/suite/suite-files.ts";
import type { Json } from "../base/json.ts";
import { checkGoals } from "./goals.ts";
import { instantiate } from "./instantiate.ts";
import { loadSuite } from "./load.ts";
import { type Query, querySchema } from "./schema.ts";

const fixtures = fileURLToPath(new URL("../../test/fixtures/suite/", import.meta.url));
const [loaded] = loadSuite({ queriesDir: join(fixtures, "queries"), plansDir: join(fixtures, "plans") }).queries;
if (loaded === undefined) throw new Error("the fixture is gone");
const { query } = loaded;

const people = ["Ann", "Ben", "Cem", "Dee", "Eve"].map((name, i) => ({ uid: `u${i}`, name, unread: i }));
const drawing = { seed: 1, salt: "", start: { LightTalk: { contacts: people } }, now: "2026-07-04 09:30:00" };

const queryOf = (fields: Record<string, Json>): Query => ({
  ...querySchema.parse({ id: "q", tier: "easy", servers: ["A"], text: "x", goal: ["= true"], ...fields }),
  suite: "sandbox",
});

describe("instantiate", () => {
  it("fills everything in", () => {
    const instance = instantiate(query, drawing);
    const friend = instance.given.friend;
    const { name, uid } = people.find((person) => JSON.stringify(person) === JSON.stringify(friend)) ?? people[0] ?? {};
    expect(instance.text).toBe(`How many unread messages are there from ${name}?`);
    expect(instance.files).toEqual({ "notes/plan.txt": `Ask ${name} on 2026-07-04.` });
    expect(instance.arrange).toEqual([
      { server: "LightTalk", tool: "set_remark", with: { uid, remark: `Friend ${name}` } },
    ]);
    expect(instance.state.text["/LightTalk/notes/**"]).toEqual({ contains: [name, "unread"] });
    expect(instance.scope).toEqual({ ...instance.given, now: drawing.now });
    expect(instance.given.others).toHaveLength(4);
  });

  it("is a function of seed and salt", () => {
    const names = (salt: string) =>
      [1, 2, 3, 4, 5, 6].map((seed) => instantiate(query, { ...drawing, seed, salt }).text).join();
    expect(names("")).toBe(names(""));
    expect(names("")).not.toBe(names("sealed"));
    expect(
      new Set([1, 2, 3, 4, 5, 6].map((seed) => instantiate(query, { ...drawing, seed }).text)).size,
    ).toBeGreaterThan(1);
  });

  it("gives each value a stream of its own", () => {
    const one = instantiate(queryOf({ given: { a: "= int(1, 1000000)" } }), drawing).given;
    const two = instantiate(queryOf({ given: { b: "= int(1, 1000000)", a: "= int(1, 1000000)" } }), drawing).given;
    expect(two.a).toBe(one.a);
    expect(two.b).not.toBe(two.a);
  });

  it("keeps values that are no expressions, and lists in texts", () => {
    const instance = instantiate(
      queryOf({
        given: { a: 1, b: { c: ["=1 + 1", "==1"] } },
        text: "{{b.c}} and {{a}}",
        files: { "a.txt": "= b.c.join('+')", "b.txt": "==x {{a}}" },
      }),
      drawing,
    );
    expect(instance.given).toEqual({ a: 1, b: { c: [2, "=1"] } });
    expect(instance.text).toBe("2, =1 and 1");
    expect(instance.files).toEqual({ "a.txt": "2+=1", "b.txt": "=x 1" });
  });

  it("names query, value and seed where there is nothing to draw from", () => {
    const nobody = { ...drawing, seed: 7, start: { LightTalk: { contacts: [] } } };
    const { code, lines, error } = errorOf("", () => instantiate(query, nobody));
    expect(code).toBe("query.no-candidate");
    expect(lines[0]).toMatch(/^count-unread: given\.friend has no candidate for seed 7: pick has nothing to take/);
    expect(error.details).toEqual({ query: "count-unread", field: "given.friend", seed: 7 });
  });

  it.each([
    ["given.a", { given: { a: "= start.A.missing" } }],
    ["given.a", { given: { a: "= pick(start)" } }],
    ["text", { given: { a: null }, text: "{{a}}" }],
    ["text", { given: { a: { b: 1 } }, text: "{{a}}" }],
  ])("names the field %s where an expression fails", (field, fields) => {
    const { code, error } = errorOf("", () => instantiate(queryOf(fields), drawing));
    expect(code).toBe("query.bad-value");
    expect(error.details).toMatchObject({ field, seed: 1 });
  });
});

describe("checkGoals", () => {
  const evidence = {
    given: { limit: 3 },
    start: { A: { count: 1 } },
    end: { A: { count: 2 } },
    answer: { total: 2 },
    now: "2026-07-04 09:30:00",
  };

  it("holds what is true, and nothing else", () => {
    const goal = [
      "= end.A.count == start.A.count + 1 && answer.total < limit",
      "= end.A.count == start.A.count",
      "= end.A.count",
      "= end.B.count == 1",
    ];
    expect(checkGoals({ goal }, evidence)).toEqual([
      { text: goal[0], holds: true },
      { text: goal[1], holds: false },
      { text: goal[2], holds: false, error: "the goal is neither true nor false" },
      { text: goal[3], holds: false, error: expect.stringContaining("there is no field B") },
    ]);
  });
});
