import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { hashJson } from "../base/canonical-json.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";

const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  // A schema that is not quite valid still says something, and two servers may use one `$id`.
  validateSchema: false,
  addUsedSchema: false,
  logger: false,
};
const MOST_PROBLEMS = 8;

type Validator = ValidateFunction | null;
const byIdentity = new WeakMap<JsonObject, Validator>();
const byHash = new Map<string, Validator>();
let dialects: { readonly draft7: Ajv; readonly draft2020: Ajv2020 } | undefined;

/**
 * Checks the arguments of a call against the tool's input schema: JSON Schema 2020-12, or draft 7 and its elders where
 * `$schema` says so. Equal schemas are compiled once per process, at their first use; what does not compile allows all.
 * @returns what is wrong, in words for the caller, or null
 */
export function checkArguments(schema: JsonObject, args: Json): string | null {
  if (!isJsonObject(args)) return `The arguments must be a JSON object, not ${kindOf(args)}.`;
  const problems = schemaProblems(schema, args);
  return problems === null ? null : `The arguments do not fit the tool's schema: ${problems}.`;
}

/** What of a value breaks a schema, see {@link checkArguments}, or null. */
export function schemaProblems(schema: JsonObject, value: Json): string | null {
  const validate = validatorOf(schema);
  if (validate === null || validate(value)) return null;
  const problems = [...new Set((validate.errors ?? []).map(problemText))];
  const more = problems.length > MOST_PROBLEMS ? `; and ${problems.length - MOST_PROBLEMS} more` : "";
  return problems.slice(0, MOST_PROBLEMS).join("; ") + more;
}

function validatorOf(schema: JsonObject): Validator {
  const known = byIdentity.get(schema);
  if (known !== undefined) return known;
  const hash = hashJson(schema);
  let validate = byHash.get(hash);
  if (validate === undefined) {
    validate = compile(schema);
    byHash.set(hash, validate);
  }
  byIdentity.set(schema, validate);
  return validate;
}

function compile(schema: JsonObject): Validator {
  if (dialects === undefined) {
    dialects = { draft7: new Ajv(OPTIONS), draft2020: new Ajv2020(OPTIONS) };
    formats.default(dialects.draft7);
    formats.default(dialects.draft2020);
  }
  // `$schema` only chooses the dialect: Ajv would refuse one whose meta-schema it does not hold.
  const { $schema: dialect, ...rest } = schema;
  const old = typeof dialect === "string" && /draft-0[467]/.test(dialect);
  try {
    return (old ? dialects.draft7 : dialects.draft2020).compile(rest);
  } catch {
    return null;
  }
}

function problemText({ instancePath, keyword, params, message }: ErrorObject): string {
  const at = instancePath === "" ? "" : `${instancePath.slice(1).replaceAll("/", ".")}: `;
  switch (keyword) {
    case "required":
      return `${at}"${params.missingProperty}" is missing`;
    case "additionalProperties":
    case "unevaluatedProperties":
      return `${at}"${params.additionalProperty ?? params.unevaluatedProperty}" is no parameter`;
    case "enum":
      return `${at}must be one of ${JSON.stringify(params.allowedValues).slice(1, -1)}`;
    case "const":
      return `${at}must be ${JSON.stringify(params.allowedValue)}`;
    default:
      return `${at}${message ?? keyword}`;
  }
}

function kindOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
