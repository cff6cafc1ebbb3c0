import { isJsonObject, type Json, type JsonObject, tryParseJson } from "../../base/json.ts";
import { inlineReferences } from "./inline-references.ts";
import { isSchema } from "./schema-walk.ts";

/** Arguments after the rule of {@link lenientArguments}, and what it changed, in words. */
export interface LenientArguments {
  readonly args: JsonObject;
  readonly changes: readonly string[];
}

/** A tool's parameters with their references resolved. */
interface Parameters {
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
}

const known = new WeakMap<JsonObject, Parameters>();

/**
 * Mends what models write although the schema tells otherwise, by two rules that are the same for all models:
 * - null for an optional parameter that may not be null is left out;
 * - a list or object written as JSON text is parsed where the schema wants a list or object, and no text.
 * Nothing else is changed: an empty text, a null that is allowed, a required parameter and an unknown one stay as written.
 */
export function lenientArguments(schema: JsonObject, args: JsonObject): LenientArguments {
  const { properties, required } = parametersOf(schema);
  const changes: string[] = [];
  const kept = Object.entries(args).flatMap(([name, value]): [string, Json][] => {
    const parameter = properties.get(name);
    if (parameter === undefined) return [[name, value]];
    if (value === null && !required.has(name) && !allows(parameter, "null")) {
      changes.push(`null for the optional parameter "${name}" left out`);
      return [];
    }
    const parsed = typeof value === "string" ? parsedText(parameter, value) : undefined;
    if (parsed === undefined) return [[name, value]];
    changes.push(`JSON text for "${name}" parsed`);
    return [[name, parsed]];
  });
  return changes.length === 0 ? { args, changes } : { args: Object.fromEntries(kept), changes };
}

function parsedText(parameter: unknown, text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text) || allows(parameter, "string")) return undefined;
  const value = tryParseJson(text);
  if (Array.isArray(value)) return allows(parameter, "array") ? value : undefined;
  return isJsonObject(value) && allows(parameter, "object") ? value : undefined;
}

function parametersOf(schema: JsonObject): Parameters {
  let parameters = known.get(schema);
  if (parameters === undefined) {
    parameters = collected(schema);
    known.set(schema, parameters);
  }
  return parameters;
}

function collected(schema: JsonObject): Parameters {
  const properties = new Map<string, unknown>();
  const required = new Set<string>();
  const open: unknown[] = [resolved(schema)];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (!isSchema(part)) continue;
    for (const [name, value] of Object.entries(part.properties ?? {})) properties.set(name, value);
    if (Array.isArray(part.required)) for (const name of part.required) required.add(name);
    // What only one of several branches says is left alone: another one may allow the null.
    if (Array.isArray(part.allOf)) open.push(...part.allOf);
  }
  return { properties, required };
}

function resolved(schema: JsonObject): Readonly<Record<string, unknown>> {
  try {
    return inlineReferences(schema, "cut", []);
  } catch {
    return {};
  }
}

/** Whether a schema allows values of a type, as far as its types, enumerations and branches say; in doubt it does. */
function allows(schema: unknown, type: "null" | "string" | "array" | "object"): boolean {
  if (!isSchema(schema)) return schema !== false;
  if (schema.nullable === true && type === "null") return true;
  if (schema.type !== undefined && ![schema.type].flat().includes(type)) return false;
  if (schema.const !== undefined) return typeOf(schema.const) === type;
  if (Array.isArray(schema.enum)) return schema.enum.some((value) => typeOf(value) === type);
  const branches = (keyword: string) => (Array.isArray(schema[keyword]) ? schema[keyword] : null);
  if (branches("anyOf")?.some((branch) => allows(branch, type)) === false) return false;
  if (branches("oneOf")?.some((branch) => allows(branch, type)) === false) return false;
  return branches("allOf")?.every((branch) => allows(branch, type)) ?? true;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
