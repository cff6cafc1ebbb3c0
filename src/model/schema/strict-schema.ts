import type { Json } from "../../base/json.ts";
import { mergeBranches } from "./merge-branches.ts";
import { become, describe, isSchema, type SchemaDraft } from "./schema-walk.ts";
import { offerRequired } from "./valid-schema.ts";

/** The keywords that every endpoint with a subset of JSON Schema takes. */
const TAKEN: ReadonlySet<string> = new Set(["type", "properties", "required", "items", "enum", "anyOf", "description"]);
/** Keywords that say nothing about which values are right. */
const WITHOUT_MEANING = new Set(["title", "deprecated", "readOnly", "writeOnly", "$defs", "definitions"]);
const ANY_VALUE = [
  { type: "string" },
  { type: "number" },
  { type: "boolean" },
  { type: "object", properties: {} },
  { type: "array", items: { type: "string" } },
];
const LONGEST_REMARK = 400;

/**
 * Brings one schema into the subset that strict endpoints take, without a look at those inside it: one type each, choices as
 * `anyOf` alone, enumerations of texts that are not empty. What does not fit is said in the description.
 * @param said gets the keywords that stand in a description now
 */
export function makeStrict(schema: SchemaDraft, said: Set<string>): void {
  useChoices(schema);
  useSubset(schema, said);
}

/** One kind of choice: `anyOf`, whose branches stand for themselves. Other combinators are merged or become it. */
function useChoices(schema: SchemaDraft): void {
  if (Array.isArray(schema.allOf)) mergeAll(schema, schema.allOf.filter(isSchema));
  if (isSchema(schema.properties)) for (const rule of mergeBranches(schema)) describe(schema, rule);
  if (Array.isArray(schema.oneOf)) {
    schema.anyOf ??= schema.oneOf;
    delete schema.oneOf;
  }
  if (!Array.isArray(schema.anyOf)) return;
  const { anyOf, description, nullable, ...shared } = schema;
  const branches = schema.anyOf.filter(isSchema).map((branch) => ({ ...shared, ...branch }));
  const choices = nullable === true ? [...branches, { type: "null" }] : branches;
  become(schema, { ...(description === undefined ? {} : { description }), anyOf: choices });
}

function mergeAll(schema: SchemaDraft, branches: readonly SchemaDraft[]): void {
  const { allOf: _, ...rest } = schema;
  const objects = [rest, ...branches].some(({ properties }) => isSchema(properties));
  become(schema, Object.assign({}, ...branches, rest));
  if (!objects) return;
  // Names and what is required are united, where other keywords replace one another.
  const united: SchemaDraft = { allOf: [...branches, rest] };
  mergeBranches(united);
  Object.assign(schema, united);
}

/** Leaves the keywords of the subset, and says the others in the description. */
function useSubset(schema: SchemaDraft, said: Set<string>): void {
  const dropped: [string, unknown][] = [];
  const drop = (keyword: string) => {
    if (schema[keyword] !== undefined) dropped.push([keyword, schema[keyword]]);
    delete schema[keyword];
  };
  const nullable = schema.nullable === true;
  delete schema.nullable;
  useEnumeration(schema, drop);
  for (const keyword of Object.keys(schema)) {
    if (TAKEN.has(keyword)) continue;
    if (isSilent(keyword, schema[keyword])) delete schema[keyword];
    else drop(keyword);
  }
  if (dropped.length > 0) describe(schema, remark(dropped));
  for (const [keyword] of dropped) said.add(keyword);
  offerRequired(schema);
  useOneType(schema, nullable);
}

/** Whether a keyword says nothing that a caller could use. */
function isSilent(keyword: string, value: unknown): boolean {
  if (/^(additional|unevaluated)/.test(keyword)) return !isSchema(value) || Object.keys(value).length === 0;
  return WITHOUT_MEANING.has(keyword) || keyword.startsWith("x-");
}

function remark(dropped: readonly [string, unknown][]): string {
  const text = dropped.map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`).join(", ");
  return `(${text.length <= LONGEST_REMARK ? text : `${text.slice(0, LONGEST_REMARK)}…`})`;
}

/** Only enumerations of texts that are not empty are taken everywhere; null among them is a type of its own. */
function useEnumeration(schema: SchemaDraft, drop: (keyword: string) => void): void {
  const values = schema.const !== undefined ? [schema.const] : schema.enum;
  if (!Array.isArray(values)) return;
  const texts = values.filter((value) => value !== null);
  schema.type ??= typesOf(values as Json[]);
  if (texts.length > 0 && texts.every((value) => typeof value === "string" && value !== "")) {
    delete schema.const;
    schema.enum = texts;
    return;
  }
  drop("const");
  drop("enum");
}

function typesOf(values: readonly Json[]): string | string[] | undefined {
  const types = [
    ...new Set(values.map((value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value))),
  ];
  return types.length === 0 ? undefined : types.length === 1 ? types[0] : types;
}

/** Exactly one type, or `anyOf` with one type in each. */
function useOneType(schema: SchemaDraft, nullable: boolean): void {
  if (Array.isArray(schema.anyOf)) return;
  const { description, type, ...rest } = schema;
  const beside = description === undefined ? {} : { description };
  const given = Array.isArray(type) ? type : type === undefined ? guessedType(rest) : [type];
  const types = nullable && given.length > 0 && !given.includes("null") ? [...given, "null"] : given;
  if (types.length === 1) become(schema, { type: types[0], ...beside, ...rest });
  else if (types.length === 0) become(schema, { ...beside, anyOf: structuredClone(ANY_VALUE) });
  else become(schema, { ...beside, anyOf: types.map((one) => ({ type: one, ...keywordsOf(rest, one) })) });
}

function guessedType({ properties, items }: SchemaDraft): string[] {
  if (properties !== undefined) return ["object"];
  return items === undefined ? [] : ["array"];
}

/** Of the keywords of several types those that concern one. */
function keywordsOf({ properties, required, items, enum: values }: SchemaDraft, type: unknown): SchemaDraft {
  if (type === "string" && values !== undefined) return { enum: values };
  if (type === "array") return { items: items ?? { type: "string" } };
  if (type !== "object") return {};
  return { properties: properties ?? {}, ...(required === undefined ? {} : { required }) };
}
