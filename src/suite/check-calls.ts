import { Ajv, type ValidateFunction } from "ajv";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import { expressionsIn } from "./expression.ts";
import type { LoadedQuery } from "./load.ts";
import { withSuggestion } from "./nearest.ts";
import { type Finding, type Problem, placeFindings, throwProblems } from "./problem.ts";
import type { Step } from "./schema.ts";
import { shown } from "./schema-findings.ts";
import type { Path } from "./source.ts";

/** Tools by `<Server>.<tool>`. */
export type ToolCatalog = ReadonlyMap<string, { readonly inputSchema: JsonObject }>;

/** A call as a query or a plan writes it. */
interface WrittenCall {
  readonly call: string;
  readonly callPath: Path;
  readonly with: Readonly<Record<string, unknown>>;
  readonly withPath: Path;
}

/**
 * Compares the calls of queries and plans with the tools that there are: unknown tools and arguments, missing required
 * arguments, and literal values that the tool's schema refuses. Servers of which the catalog has no tool are passed over.
 * @returns names of the servers passed over
 * @throws TandemError with all problems, a line each
 */
export function checkCalls(
  loaded: readonly LoadedQuery[],
  catalog: ToolCatalog,
): { readonly unchecked: readonly string[] } {
  const known = new Set([...catalog.keys()].map(serverOf));
  const unchecked = new Set<string>();
  const problems: Problem[] = [];
  for (const { query, plan, sources } of loaded) {
    const ofQuery = [
      ...query.arrange.map((call, i) => written(call, ["arrange", i])),
      ...query.faults.map(({ tool }, i) => ({ call: tool, callPath: ["faults", i, "tool"], with: null, withPath: [] })),
    ];
    const ofPlan = [
      ...stepCalls(plan.steps, ["steps"]),
      ...(plan.recover ?? []).map((rule, i) => written(rule, ["recover", i])),
      ...(plan.variants ?? []).flatMap(({ steps }, i) => stepCalls(steps, ["variants", i, "steps"])),
    ];
    const check = (call: WrittenCall | (Omit<WrittenCall, "with"> & { with: null })): Finding[] => {
      if (known.has(serverOf(call.call))) return callFindings(call, catalog);
      unchecked.add(serverOf(call.call));
      return [];
    };
    problems.push(...placeFindings(sources.query, ofQuery.flatMap(check)));
    problems.push(...placeFindings(sources.plan, ofPlan.flatMap(check)));
  }
  throwProblems(problems);
  return { unchecked: [...unchecked].sort() };
}

function serverOf(tool: string): string {
  return tool.slice(0, tool.indexOf("."));
}

function written(
  call: { readonly call: string; readonly with?: Readonly<Record<string, unknown>> | undefined },
  path: Path,
): WrittenCall {
  return { call: call.call, callPath: [...path, "call"], with: call.with ?? {}, withPath: [...path, "with"] };
}

function stepCalls(steps: readonly Step[], path: Path): WrittenCall[] {
  return steps.flatMap((step, i) => {
    if ("call" in step) return [written(step, [...path, i])];
    return "do" in step ? stepCalls(step.do, [...path, i, "do"]) : [];
  });
}

function callFindings(
  call: Omit<WrittenCall, "with"> & { readonly with: WrittenCall["with"] | null },
  catalog: ToolCatalog,
): Finding[] {
  const tool = catalog.get(call.call);
  if (tool === undefined) {
    const server = serverOf(call.call);
    const names = [...catalog.keys()].filter((name) => serverOf(name) === server);
    const expected = withSuggestion(`one of the ${names.length} tools of ${server}`, call.call, names);
    return [{ code: "query.unknown-tool", path: call.callPath, found: `the tool ${call.call}`, expected }];
  }
  return call.with === null ? [] : argumentFindings({ ...call, with: call.with }, tool.inputSchema);
}

function argumentFindings(call: WrittenCall, schema: JsonObject): Finding[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const names = Object.keys(properties);
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const open = schema.patternProperties !== undefined || (schema.additionalProperties ?? false) !== false;
  const unknown = Object.keys(call.with)
    .filter((name) => !open && !Object.hasOwn(properties, name))
    .map((name): Finding => {
      const expected = names.length === 0 ? `no argument for ${call.call}` : `one of ${names.join(", ")}`;
      return {
        code: "query.unknown-argument",
        path: [...call.withPath, name],
        onKey: true,
        found: `the argument ${name}`,
        expected: withSuggestion(expected, name, names),
      };
    });
  const missing = required
    .filter((name) => !Object.hasOwn(call.with, name))
    .map(
      (name): Finding => ({
        code: "query.missing-argument",
        path: call.callPath,
        found: `a call of ${call.call} without ${name}`,
        expected: `the arguments ${required.join(", ")}`,
      }),
    );
  const wrong = Object.entries(call.with).flatMap(([name, value]) => {
    const property = properties[name];
    if (!isJsonObject(property) || expressionsIn(value).length > 0) return [];
    return literalFindings(value, property, schema, [...call.withPath, name]);
  });
  return [...unknown, ...missing, ...wrong];
}

const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false });
const validators = new WeakMap<JsonObject, ValidateFunction | null>();

/** A literal argument against its schema. A schema that cannot be compiled checks nothing. */
function literalFindings(value: unknown, property: JsonObject, schema: JsonObject, path: Path): Finding[] {
  let validate = validators.get(property);
  if (validate === undefined) {
    validate = compile(property, schema);
    validators.set(property, validate);
  }
  if (validate === null) return [];
  const plain = typeof value === "string" && value.startsWith("==") ? value.slice(1) : value;
  if (validate(plain)) return [];
  const [error] = validate.errors ?? [];
  const inside = error?.instancePath ? `${error.instancePath.slice(1)} ` : "";
  return [
    {
      code: "query.bad-argument",
      path,
      found: shown(plain),
      expected: `a value that fits: ${inside}${error?.message}`,
    },
  ];
}

function compile(property: JsonObject, schema: JsonObject): ValidateFunction | null {
  const shared = { $defs: schema.$defs ?? {}, definitions: schema.definitions ?? {} };
  try {
    return ajv.compile({ ...shared, ...property });
  } catch {
    return null;
  }
}
