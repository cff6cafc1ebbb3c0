import traverse from "json-schema-traverse";
import { isJsonObject, type JsonObject } from "../../base/json.ts";

/** A schema that is being rewritten: a copy of our own, whose keywords may hold anything. */
export interface SchemaDraft {
  [keyword: string]: unknown;
}

/** What is done with each schema inside a schema: before or after the schemas that it holds. */
export interface SchemaVisitor {
  readonly before?: (schema: SchemaDraft) => void;
  readonly after?: (schema: SchemaDraft) => void;
}

/** A copy of a schema that may be changed. */
export function draftOf(schema: JsonObject): SchemaDraft {
  return structuredClone(schema) as SchemaDraft;
}

/** Tells a schema from anything else that may stand in its place: true, false, or what a careless server put there. */
export function isSchema(value: unknown): value is SchemaDraft {
  return isJsonObject(value);
}

/**
 * Visits a schema and each schema inside it, never a map of names, a default or an example: a property that is named
 * `$ref` or `const` is a property. What `before` puts into a schema is visited as well.
 */
export function walkSchema(root: SchemaDraft, { before, after }: SchemaVisitor): void {
  traverse(root, {
    cb: {
      pre: (schema) => {
        useOlderKeywords(schema);
        before?.(schema);
      },
      post: (schema) => after?.(schema),
    },
  });
}

/** The walk knows the keywords of draft 7, so the two that 2020-12 and 2019-09 split off are put back. */
function useOlderKeywords(schema: SchemaDraft): void {
  const { prefixItems, dependentSchemas, items } = schema;
  if (Array.isArray(prefixItems)) {
    delete schema.prefixItems;
    if (items !== undefined) schema.additionalItems = items;
    schema.items = prefixItems;
  }
  if (isSchema(dependentSchemas)) {
    delete schema.dependentSchemas;
    schema.dependencies = { ...(isSchema(schema.dependencies) ? schema.dependencies : {}), ...dependentSchemas };
  }
}

/** Turns a schema into another one in its place. */
export function become(schema: SchemaDraft, other: SchemaDraft): void {
  for (const keyword of Object.keys(schema)) delete schema[keyword];
  Object.assign(schema, other);
}

/** Adds a sentence to the description of a schema. */
export function describe(schema: SchemaDraft, sentence: string): void {
  const { description } = schema;
  schema.description = typeof description === "string" && description !== "" ? `${description} ${sentence}` : sentence;
}
