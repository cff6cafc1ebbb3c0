import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import type { Random } from "../base/random.ts";

const WORDS = ["report", "grape", "Baker", "notes", "price", "2026-03-01", "total", "hello", "north", "42"];

/**
 * Arguments that fit an input schema as far as its types, enums, bounds and required properties say. Texts are drawn from
 * `seen` (what earlier results showed) and a few words, so that some calls hit real ids.
 */
export function randomArguments(schema: JsonObject, source: Random, seen: readonly string[]): JsonObject {
  const value = randomValue(schema, source, seen, 0);
  return isJsonObject(value) ? value : {};
}

function randomValue(schema: Json | undefined, source: Random, seen: readonly string[], depth: number): Json {
  if (!isJsonObject(schema) || depth > 4) return null;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return source.pick(schema.enum as readonly Json[]);
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches) && branches.length > 0) {
    return randomValue(source.pick(branches as readonly Json[]), source, seen, depth + 1);
  }
  const type = Array.isArray(schema.type) ? source.pick(schema.type as readonly Json[]) : schema.type;
  switch (type) {
    case "string":
      return seen.length > 0 && source.chance(0.7) ? source.pick(seen) : source.pick(WORDS);
    case "integer":
      return source.int(bound(schema.minimum, 0), Math.max(bound(schema.minimum, 0), bound(schema.maximum, 12)));
    case "number":
      return bound(schema.minimum, 0) + Math.round(source.float() * 1000) / 100;
    case "boolean":
      return source.chance(0.5);
    case "array": {
      const length = source.int(Math.max(1, bound(schema.minItems, 1)), Math.max(1, bound(schema.minItems, 1)) + 2);
      return Array.from({ length }, () => randomValue(schema.items, source, seen, depth + 1));
    }
    case "null":
      return null;
    default:
      return randomObject(schema, source, seen, depth);
  }
}

function randomObject(schema: JsonObject, source: Random, seen: readonly string[], depth: number): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const made: [string, Json][] = [];
  for (const [key, property] of Object.entries(properties)) {
    if (required.has(key) || source.chance(0.3)) made.push([key, randomValue(property, source, seen, depth + 1)]);
  }
  return Object.fromEntries(made);
}

/** JSON Schema's integer limits of a type are often the largest safe integers; a draw needs small ones. */
function bound(value: Json | undefined, fallback: number): number {
  return typeof value === "number" && Math.abs(value) < 1e6 ? Math.ceil(value) : fallback;
}
