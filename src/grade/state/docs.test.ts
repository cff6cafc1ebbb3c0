import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import type { Json } from "../../base/json.ts";
import { stateRulesSchema } from "../../suite/schema.ts";
import { diffState } from "./diff.ts";
import { compileRules } from "./rules.ts";

const page = readFileSync(new URL("../../../docs/state-diff.md", import.meta.url), "utf8");

/** The content of the page's code block with that title. */
function block(title: string): string {
  const found = page.split("```").find((part) => part.startsWith(`${title}\n`));
  if (found === undefined) throw new Error(`docs/state-diff.md has no block ${title}`);
  return found.slice(title.length);
}

const example = (name: string) => JSON.parse(block(`json ${name}`)) as Json;

it("the worked example of the page is right", () => {
  const diff = diffState({ before: example("before"), reference: example("reference"), after: example("after") });
  expect(diff).toMatchObject({
    required: 3,
    modified: 2,
    wrong: 1,
    misbehaving: 1,
    completionRate: 2 / 3,
    misbehavingRate: 1 / 3,
    precision: 1 / 2,
    success: false,
  });
  expect(diff.paths).toEqual(example("paths"));
});

it("the rules that the page shows are valid", () => {
  const { state } = parse(block("yaml")) as { state: unknown };
  expect(compileRules(stateRulesSchema.parse(state))).not.toBeNull();
});
