import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { errorOf, loadFrom, soundPlan, soundQuery, temporaryFolder } from "../../test/fixtures/suite/suite-files.ts";
import { loadSuite } from "./load.ts";
import { loadQueries } from "./load-queries.ts";

const fixtures = fileURLToPath(new URL("../../test/fixtures/suite/", import.meta.url));
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder(files);
  folders.push(folder);
  return folder;
}

/** Loads the sound pair with texts replaced in one of its files, and gives the lines of the error. */
function linesAfter(change: { query?: [string, string]; plan?: [string, string] }): { code: string; lines: string[] } {
  const folder = folderWith({
    "queries/sandbox/tidy-up.yaml": change.query ? soundQuery.replace(...change.query) : soundQuery,
    "plans/tidy-up.yaml": change.plan ? soundPlan.replace(...change.plan) : soundPlan,
  });
  return errorOf(folder, () => loadFrom(folder));
}

describe("loadSuite", () => {
  it("loads queries with their plans, defaults filled in", () => {
    const { queries } = loadSuite({ queriesDir: join(fixtures, "queries"), plansDir: join(fixtures, "plans") });
    expect(queries.map(({ query }) => [query.id, query.suite, query.tier])).toEqual([
      ["count-unread", "sandbox", "easy"],
    ]);
    expect(queries[0]?.query).toMatchObject({ faults: [], state: { ordered: [], numericText: [] } });
    expect(queries[0]?.plan.answer?.who).toEqual({ value: "= person.name" });
    expect(queries[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("gives queries alone without looking at plans", () => {
    const folder = folderWith({ "queries/sandbox/tidy-up.yaml": soundQuery, "plans/tidy-up.yaml": "steps: [" });
    expect(loadQueries({ queriesDir: join(folder, "queries") }).queries.map(({ id }) => id)).toEqual(["tidy-up"]);
    expect(errorOf(folder, () => loadFrom(folder)).code).toBe("query.bad-yaml");
  });

  it("knows a missing folder", () => {
    const { code } = errorOf("", () => loadSuite({ queriesDir: "/no/such", plansDir: "/no/such" }));
    expect(code).toBe("query.no-folder");
  });

  it("tells all problems of all files at once, and the first in details", () => {
    const folder = folderWith({
      "queries/sandbox/tidy-up.yaml": soundQuery.replace("easy", "extreme"),
      "plans/tidy-up.yaml": soundPlan.replace("do:", "doo:"),
      "queries/live/other.yaml": soundQuery.replace("item.name", "itm.name"),
    });
    const { code, lines, error } = errorOf(folder, () => loadFrom(folder));
    expect(code).toBe("query.invalid");
    expect(lines.length).toBeGreaterThanOrEqual(5);
    expect(error.details).toMatchObject({ code: expect.any(String), line: expect.any(Number), problems: lines.length });
    expect(error.exitCode).toBe(2);
  });
});

describe("problems of a query", () => {
  it.each<[string, [string, string], string, RegExp]>([
    ["broken YAML", ["tier: easy", "tier: [easy"], "query.bad-yaml", /tidy-up\.yaml:3:\d+ found broken YAML/],
    ["a key twice", ["tier: easy", "tier: easy\ntier: hard"], "query.bad-yaml", /:3:1 .*unique/],
    ["no mapping", [soundQuery, "- a\n"], "query.bad-yaml", /:1:1 found no fields, expected a YAML mapping/],
    [
      "an unknown field",
      ["tier: easy", "tier: easy\nservres: []"],
      "query.unknown-field",
      /yaml:3:1 servres: found the field servres, expected one of id, tier, .*\(did you mean servers\?\)/,
    ],
    [
      "an unknown field further in",
      ["goal:", "state: { ignroe: [] }\ngoal:"],
      "query.unknown-field",
      /yaml:7:10 state\.ignroe: .*expected one of ignore, ordered, .*did you mean ignore/,
    ],
    [
      "a bad tier",
      ["easy", "extreme"],
      "query.bad-tier",
      /queries\/sandbox\/tidy-up\.yaml:2:7 tier: found "extreme", expected one of easy, medium, hard/,
    ],
    ["a missing field", ["tier: easy\n", ""], "query.missing-field", /tier: found nothing, expected one of easy/],
    ["a wrong type", ["[LightShop]", "LightShop"], "query.bad-field", /:3:10 servers: found "LightShop", expected a/],
    ["an empty list", ["[LightShop]", "[]"], "query.bad-field", /:3:10 servers: found \[\], expected at least one/],
    ["a bad id", ["tidy-up", "Tidy"], "query.bad-id", /:1:5 id: found "Tidy", expected an id is/],
    [
      "another id than the file's",
      ["tidy-up", "tidy"],
      "query.bad-id",
      /:1:5 id: found tidy, expected the file's name/,
    ],
    ["a bad name", ["item:", "Item:"], "query.bad-id", /:5:3 given\.Item: found the name Item/],
    ["a reserved name", ["item:", "start:"], "query.invalid", /:5:3 given\.start: found the name start, expected/],
    [
      "an unknown name in the text",
      ["{{item.name}}", "{{itm.name}}"],
      "query.unknown-name",
      /:6:24 text: found the unknown name itm in "=itm\.name" at character 2, expected one of now, item \(did you mean item\?\)/,
    ],
    [
      "a template that is not closed",
      ["{{item.name}}", "{{item.name"],
      "query.bad-template",
      /:6:22 text: found "\{\{item.name\.", expected \{\{expression\}\}: \{\{ is not closed/,
    ],
    ["an empty template", ["{{item.name}}", "{{ }}"], "query.bad-template", /holds no expression/],
    [
      "an unknown name in a goal",
      ["end.LightShop", "ende.LightShop"],
      "query.unknown-name",
      /:8:8 goal\[0\]: found the unknown name ende .* at character 3, .*did you mean end\?/,
    ],
    [
      "a goal that is no expression",
      ['"= end.LightShop.items.size() == 0"', "the shop is empty"],
      "query.bad-expression",
      /goal\[0\]: found "the shop is empty", expected an expression/,
    ],
    [
      "an unknown function",
      ["pick(", "pik("],
      "query.unknown-function",
      /:5:12 given\.item: found there is no function pik .* expected pick\(\)/,
    ],
    [
      "a draw outside of given",
      ["{{item.name}}", "{{pick([1])}}"],
      "query.unknown-function",
      /text: found pick draws from the seed, which only given may do/,
    ],
    ["bad syntax", ["= pick(start.", "= pick(start..)"], "query.bad-expression", /given\.item: found .*expected a CEL/],
    [
      "a bad pointer",
      ["goal:", "state: { ignore: [LightShop] }\ngoal:"],
      "query.bad-pointer",
      /:7:19 state\.ignore\[0\]: found "LightShop", expected a JSON Pointer/,
    ],
    [
      "a file outside of the folder",
      ["goal:", 'files: { "../x": a }\ngoal:'],
      "query.bad-path",
      /:7:10 files\.\.\.\/x: found the path/,
    ],
    [
      "a call to a server that it does not list",
      ["text:", "arrange: [{ call: LightTalk.x }]\ntext:"],
      "query.unknown-server",
      /:6:19 arrange\[0\]\.call: found a call to LightTalk\.x, expected one of the query's servers: LightShop/,
    ],
    [
      "a tool without a server",
      ["text:", "arrange: [{ call: list }]\ntext:"],
      "query.bad-field",
      /arrange\[0\]\.call: found "list", expected a tool is <Server>\.<tool>/,
    ],
  ])("%s", (_what, query, code, line) => {
    const found = linesAfter({ query });
    expect(found.lines.join("\n")).toMatch(line);
    expect(found.code).toBe(code);
  });

  it("a server that is not configured", () => {
    const folder = folderWith({ "queries/sandbox/tidy-up.yaml": soundQuery, "plans/tidy-up.yaml": soundPlan });
    const { code, lines } = errorOf(folder, () => loadFrom(folder, ["LightShops"]));
    expect(code).toBe("query.unknown-server");
    expect(lines[0]).toBe(
      "queries/sandbox/tidy-up.yaml:3:11 servers[0]: found the server LightShop, expected one of LightShops (did you mean LightShops?)",
    );
  });

  it("a given value that uses a later one", () => {
    const { code, lines } = linesAfter({ query: ["  item:", '  early: "= item.name"\n  item:'] });
    expect(code).toBe("query.unknown-name");
    expect(lines[0]).toContain("yaml:5:13 given.early: found the unknown name item");
  });
});

describe("problems of a plan", () => {
  it.each<[string, [string, string], string, RegExp]>([
    [
      "an unknown name",
      ["line.tid", "lin.tid"],
      "query.unknown-name",
      /plans\/tidy-up\.yaml:6:66 steps\[1\]\.do\[0\]\.with\.tid: found the unknown name lin .*\(did you mean line\?\)/,
    ],
    [
      "a later step",
      ['"= items"', '"= left"'],
      "query.later-step",
      /:3:13 steps\[1\]\.for: found the step left, which comes later, .*expected a step above/,
    ],
    ["itself", ['"= items"', '"= line"'], "query.unknown-step", /found the step line, which is inside a loop/],
    [
      "a step inside a loop",
      ["left.size()", "gone.size()"],
      "query.unknown-step",
      /:9:21 answer\.left\.value: found the step gone, which is inside a loop, .*yield/,
    ],
    ["an id twice", ["id: left", "id: items"], "query.invalid", /:7:11 steps\[2\]\.id: found the id items again/],
    ["a given value's name", ["id: left", "id: item"], "query.invalid", /the id item again/],
    ["a reserved id", ["id: left", "id: end"], "query.invalid", /steps\[2\]\.id: found the name end/],
    ["an element's name that is taken", ["as: line", "as: items"], "query.invalid", /:4:9 steps\[1\]\.as/],
    [
      "an unknown field of a step",
      ["with: {", "wiht: {"],
      "query.unknown-field",
      /:6:50 steps\[1\]\.do\[0\]\.wiht: .*expected one of id, why, when, call, with.*did you mean with/,
    ],
    [
      "a step of no kind",
      ["call: LightShop.list_items }", "tool: x }"],
      "query.bad-field",
      /:2:5 steps\[0\]: found a step with id, tool, expected one of call, let, for/,
    ],
    ["a loop without steps", [/do:\n.*\n/.exec(soundPlan)?.[0] ?? "", "do: []\n"], "query.bad-field", /at least one/],
    [
      "a loop over a text",
      ['"= items"', "items"],
      "query.bad-field",
      /steps\[1\]\.for: found "items", expected a list/,
    ],
    [
      "a condition that is no expression",
      ["{ id: left,", "{ id: left, when: items,"],
      "query.bad-expression",
      /:7:23 steps\[2\]\.when: found "items", expected an expression/,
    ],
    [
      "a fact with an unknown comparison",
      ["{ value:", "{ compare: numbr, value:"],
      "query.bad-field",
      /:9:20 answer\.left\.compare: found "numbr", expected one of number, text/,
    ],
    [
      "a bad retry",
      ["call: LightShop.list_items }", "call: LightShop.list_items, retry: 99 }"],
      "query.bad-field",
      /at most 10/,
    ],
    [
      "an id of one seed",
      ['"= line.tid"', "item_23456789ABCDEFGHJKLMNP"],
      "query.seed-value",
      /:6:63 steps\[1\]\.do\[0\]\.with\.tid: found the id item_2345/,
    ],
    [
      "another server",
      ["LightShop.remove_item", "LightTalk.remove"],
      "query.unknown-server",
      /:6:27 .*LightTalk\.remove/,
    ],
    [
      "a rule that uses a step",
      ["answer:", 'recover: [{ on: x, call: LightShop.x, with: { a: "= items" } }]\nanswer:'],
      "query.unknown-name",
      /recover\[0\]\.with\.a/,
    ],
    [
      "a variant for which the plan's answer does not fit",
      ["answer:", "variants: [{ id: other, why: x, steps: [{ call: LightShop.x }] }]\nanswer:"],
      "query.unknown-name",
      /:8:18 variants\[0\]\.id: found the plan's answer with the unknown name left .*or an answer of other itself/,
    ],
  ])("%s", (_what, plan, code, line) => {
    const found = linesAfter({ plan });
    expect(found.lines.join("\n")).toMatch(line);
    expect(found.code).toBe(code);
  });
});

describe("problems of files", () => {
  it("an id in two suites", () => {
    const folder = folderWith({
      "queries/sandbox/tidy-up.yaml": soundQuery,
      "queries/live/tidy-up.yaml": soundQuery,
      "plans/tidy-up.yaml": soundPlan,
    });
    const { code, lines } = errorOf(folder, () => loadFrom(folder));
    expect(code).toBe("query.duplicate-id");
    expect(lines).toEqual([
      "queries/sandbox/tidy-up.yaml:1:5 id: found the id tidy-up again, expected one file of it: queries/live/tidy-up.yaml",
    ]);
  });

  it("a query without a plan, a plan without a query, a folder that is no suite", () => {
    const folder = folderWith({
      "queries/sandbox/tidy-up.yaml": soundQuery,
      "queries/sandobx/a.yaml": soundQuery,
      "plans/tidy.yaml": soundPlan,
    });
    const { lines } = errorOf(folder, () => loadFrom(folder));
    expect(lines).toEqual([
      "queries/sandobx:1:1 found sandobx, expected queries in the folder of a suite: sandbox, live",
      "queries/sandbox/tidy-up.yaml:1:5 id: found no plan, expected a plan in plans/tidy-up.yaml",
      "plans/tidy.yaml:1:1 found a plan without a query, expected a query tidy in queries/<suite>",
    ]);
  });
});
