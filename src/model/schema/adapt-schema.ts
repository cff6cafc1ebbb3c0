import type { JsonObject } from "../../base/json.ts";
import type { SchemaProfile } from "../../config/project-schema.ts";
import { inlineReferences } from "./inline-references.ts";
import { mergeBranches } from "./merge-branches.ts";
import { isSchema, type SchemaDraft, walkSchema } from "./schema-walk.ts";
import { makeStrict } from "./strict-schema.ts";
import { makeValid, offerRequired } from "./valid-schema.ts";

/** A tool's input schema as an endpoint takes it. */
export interface AdaptedSchema {
  readonly parameters: JsonObject;
  /** What `parameters` cannot say about the arguments, in sentences for the model. */
  readonly rules: readonly string[];
  /** What was changed so that the model sees something else than the server wrote, in words for the reader of a run. */
  readonly notices: readonly string[];
}

/**
 * Rewrites a tool's input schema by a profile; the input is never changed, and nothing is thrown whatever it holds.
 * - `as-is`: nothing is changed
 * - `standard`: valid under JSON Schema 2020-12, an object at the root without combinators, references inlined
 *   unless they are recursive
 * - `strict`: besides, only `type`, `properties`, `required`, `items`, `enum`, `anyOf` and `description`, and no references
 */
export function adaptSchema(schema: JsonObject, profile: SchemaProfile): AdaptedSchema {
  if (profile === "as-is") return { parameters: schema, rules: [], notices: [] };
  try {
    return rewritten(schema, profile);
  } catch {
    // As deep as no schema should be: it would overflow whatever reads it.
    const notices = ["its schema cannot be read, so it is offered without one"];
    return { parameters: { type: "object", properties: {} }, rules: [], notices };
  }
}

function rewritten(schema: JsonObject, profile: "standard" | "strict"): AdaptedSchema {
  const notices: string[] = [];
  const root = inlineReferences(isSchema(schema) ? schema : {}, profile === "strict" ? "cut" : "keep", notices);
  walkSchema(root, { before: (part) => makeValid(part, notices) });
  const rules = useObjectRoot(root, notices);
  if (profile === "strict") {
    const said = new Set<string>();
    walkSchema(root, { before: (part) => makeStrict(part, said) });
    if (typeof root.description === "string" && schema.description !== root.description) rules.push(root.description);
    if (said.size > 0) notices.push(`said in descriptions alone: ${[...said].join(", ")}`);
  }
  return { parameters: root as JsonObject, rules, notices: [...new Set(notices)] };
}

/** Arguments are always one object, whatever the root of the schema says. */
function useObjectRoot(root: SchemaDraft, notices: string[]): string[] {
  const rules = mergeBranches(root);
  if (rules.length > 0) notices.push("branches at the root of its schema are merged into one object");
  if (root.type !== undefined && root.type !== "object") notices.push("the root of its schema is made an object");
  root.type = "object";
  if (!isSchema(root.properties)) root.properties = {};
  offerRequired(root);
  delete root.$ref;
  delete root.items;
  return rules;
}
