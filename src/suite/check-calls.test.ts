import { rmSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { errorOf, loadFrom, soundPlan, soundQuery, temporaryFolder } from "../../test/fixtures/suite/suite-files.ts";
import { checkCalls, type ToolCatalog } from "./check-calls.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const catalog: ToolCatalog = new Map([
  ["LightShop.list_items", { inputSchema: { type: "object", properties: {}, additionalProperties: false } }],
  [
    "LightShop.remove_item",
    {
      inputSchema: {
        type: "object",
        properties: { tid: { type: "string" }, count: { $ref: "#/$defs/count" }, mode: { enum: ["soft", "hard"] } },
        required: ["tid"],
        $defs: { count: { type: "integer", minimum: 1 } },
      },
    },
  ],
  ["LightShop.note", { inputSchema: { type: "object", additionalProperties: true } }],
]);

function loadedWith(change: { query?: [string, string]; plan?: [string, string] }) {
  const folder = temporaryFolder({
    "queries/sandbox/tidy-up.yaml": change.query ? soundQuery.replace(...change.query) : soundQuery,
    "plans/tidy-up.yaml": change.plan ? soundPlan.replace(...change.plan) : soundPlan,
  });
  folders.push(folder);
  return { folder, loaded: loadFrom(folder) };
}

describe("checkCalls", () => {
  it("passes calls that fit, and names the servers it cannot know", () => {
    const { loaded } = loadedWith({
      query: ["servers: [LightShop]", "servers: [LightShop, files]"],
      plan: ["answer:", "  - { call: files.read, with: { path: a } }\nanswer:"],
    });
    expect(checkCalls(loaded, catalog)).toEqual({ unchecked: ["files"] });
  });

  it("leaves arguments with expressions and open schemas alone", () => {
    const { loaded } = loadedWith({
      plan: ['{ tid: "= line.tid" }', '{ tid: "= line.tid", count: "= 1 + 1" }'],
      query: ["text:", "arrange: [{ call: LightShop.note, with: { any: 1 } }]\ntext:"],
    });
    expect(checkCalls(loaded, catalog)).toEqual({ unchecked: [] });
  });

  it.each<[string, { query?: [string, string]; plan?: [string, string] }, string, RegExp]>([
    [
      "an unknown tool",
      { plan: ["LightShop.remove_item", "LightShop.remove_itm"] },
      "query.unknown-tool",
      /^plans\/tidy-up\.yaml:6:27 steps\[1\]\.do\[0\]\.call: found the tool LightShop\.remove_itm, expected .*\(did you mean LightShop\.remove_item\?\)/,
    ],
    [
      "an unknown argument",
      { plan: ["tid:", "tdi: 1, tid:"] },
      "query.unknown-argument",
      /:6:58 steps\[1\]\.do\[0\]\.with\.tdi: found the argument tdi, expected one of tid, count, mode/,
    ],
    [
      "an argument of a tool without any",
      { plan: ["LightShop.list_items }", "LightShop.list_items, with: { a: 1 } }"] },
      "query.unknown-argument",
      /:2:54 steps\[0\]\.with\.a: .*expected no argument for LightShop\.list_items/,
    ],
    [
      "a missing argument",
      { plan: [', with: { tid: "= line.tid" }', ""] },
      "query.missing-argument",
      /:6:27 .*found a call of LightShop\.remove_item without tid/,
    ],
    [
      "a literal of the wrong type",
      { plan: ['tid: "= line.tid"', "tid: 5"] },
      "query.bad-argument",
      /:6:63 steps\[1\]\.do\[0\]\.with\.tid: found 5, expected a value that fits: must be string/,
    ],
    [
      "a literal beyond a bound that stands elsewhere in the schema",
      { plan: ['tid: "= line.tid"', 'tid: "= line.tid", count: 0'] },
      "query.bad-argument",
      /with\.count: found 0, expected .*must be >= 1/,
    ],
    [
      "a literal outside of a choice",
      { plan: ['tid: "= line.tid"', 'tid: "==x", mode: firm'] },
      "query.bad-argument",
      /with\.mode: found "firm", expected .*must be equal to one of the allowed values/,
    ],
    [
      "a fault of an unknown tool",
      { query: ["text:", "faults: [{ tool: LightShop.lst_items, kind: transient }]\ntext:"] },
      "query.unknown-tool",
      /^queries\/sandbox\/tidy-up\.yaml:6:18 faults\[0\]\.tool/,
    ],
    [
      "an unknown tool in arrange",
      { query: ["text:", "arrange: [{ call: LightShop.fill }]\ntext:"] },
      "query.unknown-tool",
      /^queries\/sandbox\/tidy-up\.yaml:6:19 arrange\[0\]\.call/,
    ],
    [
      "an unknown tool in a rule",
      { plan: ["answer:", "recover: [{ on: x, call: LightShop.mend }]\nanswer:"] },
      "query.unknown-tool",
      /:8:26 recover\[0\]\.call/,
    ],
  ])("finds %s", (_what, change, code, line) => {
    const { folder, loaded } = loadedWith(change);
    const found = errorOf(folder, () => checkCalls(loaded, catalog));
    expect(found.lines.join("\n")).toMatch(line);
    expect(found.code).toBe(code);
  });
});
