import { describe, isSchema, type SchemaDraft } from "./schema-walk.ts";

const TYPES: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "array", "object", "null"]);
/** Keywords that say how a schema is written, not what it allows; endpoints refuse some of them. */
const BOOKKEEPING = [
  "$schema",
  "$id",
  "$comment",
  "$vocabulary",
  "$anchor",
  "$dynamicAnchor",
  "$dynamicRef",
  "$recursiveAnchor",
  "$recursiveRef",
];
const COMBINATORS = ["anyOf", "oneOf", "allOf"] as const;

/**
 * Makes one schema valid under JSON Schema 2020-12, whichever draft it was written in, without a look at those inside it.
 * What is broken beyond that is left out.
 * @param notices gets what was left out although it meant something
 */
export function makeValid(schema: SchemaDraft, notices: string[]): void {
  for (const keyword of BOOKKEEPING) delete schema[keyword];
  if (typeof schema.id === "string") delete schema.id;
  for (const text of ["description", "title", "pattern", "format"]) {
    if (typeof schema[text] !== "string") delete schema[text];
  }
  if (!Array.isArray(schema.enum)) delete schema.enum;
  useBounds(schema);
  useTypes(schema, notices);
  useProperties(schema, notices);
  for (const combinator of COMBINATORS) useBranches(schema, combinator);
  useItems(schema);
}

/** Draft 4 marks a bound as exclusive, later drafts give it a keyword of its own. */
function useBounds(schema: SchemaDraft): void {
  for (const [exclusive, inclusive] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof schema[exclusive] !== "boolean") continue;
    const bound = schema[inclusive];
    if (schema[exclusive] === true && typeof bound === "number") {
      schema[exclusive] = bound;
      delete schema[inclusive];
    } else delete schema[exclusive];
  }
}

function useTypes(schema: SchemaDraft, notices: string[]): void {
  if (schema.type === undefined) return;
  const given = Array.isArray(schema.type) ? schema.type : [schema.type];
  const known = [...new Set(given.filter((type) => TYPES.has(type)))];
  if (known.length < new Set(given).size)
    notices.push(`the type ${JSON.stringify(schema.type)} is none of JSON Schema's`);
  if (known.length === 0) delete schema.type;
  else schema.type = known.length === 1 ? known[0] : known;
}

function useProperties(schema: SchemaDraft, notices: string[]): void {
  if (!Array.isArray(schema.required)) delete schema.required;
  const { properties } = schema;
  if (properties === undefined) return;
  if (!isSchema(properties)) {
    delete schema.properties;
    notices.push("its properties are no object, so they are left out");
    return;
  }
  const required = new Set((schema.required as unknown[] | undefined)?.filter((name) => typeof name === "string"));
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(properties)) {
    if (isSchema(value)) {
      // Draft 3 marks a property itself as required.
      if (value.required === true) required.add(name);
      kept.push([name, value]);
    } else if (value === true) kept.push([name, {}]);
    else {
      required.delete(name);
      if (value !== false) notices.push(`the property "${name}" has no schema, so it is left out`);
    }
  }
  schema.properties = Object.fromEntries(kept);
  if (required.size > 0) schema.required = [...required];
  else delete schema.required;
}

function useBranches(schema: SchemaDraft, combinator: (typeof COMBINATORS)[number]): void {
  const given = schema[combinator];
  if (given === undefined) return;
  const branches = asSchemas(given);
  if (branches.length === 0) delete schema[combinator];
  else schema[combinator] = branches;
}

function asSchemas(list: unknown): SchemaDraft[] {
  if (!Array.isArray(list)) return [];
  return list.map((one) => (one === true ? {} : one)).filter(isSchema);
}

/** Endpoints want a schema for the items of each array, and one schema for all of them. */
function useItems(schema: SchemaDraft): void {
  const { items } = schema;
  if (Array.isArray(items)) useTuple(schema, asSchemas(items));
  else if (items !== undefined && !isSchema(items)) schema.items = {};
  const types: unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (types.includes("array") && schema.items === undefined) schema.items = {};
}

function useTuple(schema: SchemaDraft, members: readonly SchemaDraft[]): void {
  const { additionalItems } = schema;
  delete schema.additionalItems;
  const allowed = isSchema(additionalItems) ? [...members, additionalItems] : members;
  const distinct = [...new Map(allowed.map((member) => [JSON.stringify(member), member])).values()];
  schema.items = distinct.length === 1 ? distinct[0] : distinct.length === 0 ? {} : { anyOf: distinct };
  if (additionalItems === false) schema.maxItems ??= members.length;
  if (distinct.length > 1) describe(schema, `Items in order: ${JSON.stringify(members)}.`);
}

/** Offers each required property, even if the schema says no more about it. */
export function offerRequired(schema: SchemaDraft): void {
  const { properties, required } = schema;
  if (!isSchema(properties) || !Array.isArray(required)) return;
  const missing = required.filter((name) => typeof name === "string" && !Object.hasOwn(properties, name));
  schema.properties = { ...properties, ...Object.fromEntries(missing.map((name) => [name, {}])) };
}
