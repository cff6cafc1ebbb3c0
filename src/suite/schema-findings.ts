import { z } from "zod";
import { isJsonObject } from "../base/json.ts";
import { withSuggestion } from "./nearest.ts";
import type { Finding } from "./problem.ts";
import { stepSchema } from "./schema.ts";
import type { Path } from "./source.ts";

type Issue = z.core.$ZodIssue;

/** What a schema found wrong with `value`, in our words. Empty if the value fits. */
export function schemaFindings(schema: z.ZodType, value: unknown): Finding[] {
  const result = schema.safeParse(value);
  return result.success ? [] : result.error.issues.flatMap((issue) => findingsOf(issue, [], schema, value));
}

function findingsOf(issue: Issue, base: Path, schema: z.ZodType, root: unknown): Finding[] {
  const path = [...base, ...pathOf(issue.path)];
  const value = valueAtPath(root, path);
  switch (issue.code) {
    case "unrecognized_keys": {
      const known = fieldsAt([schema], path);
      return issue.keys.map((key) => ({
        code: "query.unknown-field" as const,
        path: [...path, key],
        onKey: true,
        found: `the field ${key}`,
        expected: withSuggestion(`one of ${known.join(", ")}`, key, known),
      }));
    }
    case "invalid_union":
      return unionFindings(issue, path, schema, root);
    case "invalid_key":
      return [
        {
          code: "query.bad-id",
          path,
          onKey: true,
          found: `the name ${String(path.at(-1))}`,
          expected: issue.issues[0]?.message ?? "another name",
        },
      ];
    default: {
      const code = value === undefined ? "query.missing-field" : codeOf(path);
      return [{ code, path, found: shown(value), expected: expectedBy(issue) }];
    }
  }
}

function codeOf(path: Path): Finding["code"] {
  const field = path.at(-1);
  if (path.length === 1 && field === "tier") return "query.bad-tier";
  return field === "id" ? "query.bad-id" : "query.bad-field";
}

/** The branch of a union that was most likely meant decides what is wrong. */
function unionFindings(
  issue: Extract<Issue, { code: "invalid_union" }>,
  path: Path,
  schema: z.ZodType,
  root: unknown,
): Finding[] {
  const value = valueAtPath(root, path);
  const branches = issue.errors;
  if (isStep(path, schema) && isJsonObject(value)) {
    const kinds = ["call", "let", "for"] as const;
    const kind = kinds.find((key) => key in value);
    const branch = kind === undefined ? undefined : branches[kinds.indexOf(kind)];
    if (branch === undefined) {
      const fields = Object.keys(value).join(", ");
      return [{ code: "query.bad-field", path, found: `a step with ${fields}`, expected: "one of call, let, for" }];
    }
    return branch.flatMap((inner) => findingsOf(inner, path, schema, root));
  }
  const inside = branches.filter((branch) => !branch.some((inner) => inner.path.length === 0 && isKindIssue(inner)));
  const [best] = inside.toSorted((a, b) => a.length - b.length);
  if (best !== undefined) return best.flatMap((inner) => findingsOf(inner, path, schema, root));
  const expected = [...new Set(branches.flat().map(expectedBy))].join(" or ");
  const code = value === undefined ? "query.missing-field" : codeOf(path);
  return [{ code, path, found: shown(value), expected }];
}

function isKindIssue(issue: Issue): boolean {
  return issue.code === "invalid_type" || issue.code === "invalid_value" || issue.code === "invalid_union";
}

function isStep(path: Path, schema: z.ZodType): boolean {
  return schemasAt([schema], path).includes(stepSchema);
}

function expectedBy(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "record" || issue.expected === "object" ? "an object" : `a ${issue.expected}`;
    case "invalid_value":
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.join(", ")}`;
    case "too_small":
      return issue.origin === "array" || issue.origin === "string" ? "at least one" : `at least ${issue.minimum}`;
    case "too_big":
      return `at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

function pathOf(path: readonly PropertyKey[]): Path {
  return path.map((part) => (typeof part === "number" ? part : String(part)));
}

function valueAtPath(root: unknown, path: Path): unknown {
  let value = root;
  for (const part of path) {
    if (Array.isArray(value)) value = value[Number(part)];
    else if (isJsonObject(value)) value = value[part];
    else return undefined;
  }
  return value;
}

/** A value in one short line. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Names of the fields that an object at `path` may have. */
function fieldsAt(schemas: readonly z.ZodType[], path: Path): string[] {
  const found = schemasAt(schemas, path).flatMap((schema) =>
    schema instanceof z.ZodObject ? Object.keys(schema.shape) : [],
  );
  return [...new Set(found)];
}

/** The schemas that apply at `path`, unions taken apart but also kept themselves. */
function schemasAt(schemas: readonly z.ZodType[], path: Path): z.ZodType[] {
  const open = schemas.flatMap(unwrapped);
  const [part, ...rest] = path;
  if (part === undefined) return open;
  const inner = open.flatMap((schema): z.ZodType[] => {
    if (schema instanceof z.ZodObject) return typeof part === "string" ? typesOnly([schema.shape[part]]) : [];
    if (schema instanceof z.ZodArray) return typesOnly([schema.element]);
    return schema instanceof z.ZodRecord ? typesOnly([schema.valueType]) : [];
  });
  return inner.length === 0 ? [] : schemasAt(inner, rest);
}

function unwrapped(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return typesOnly([schema.unwrap()]).flatMap(unwrapped);
  }
  if (schema instanceof z.ZodPipe) return typesOnly([schema.in]).flatMap(unwrapped);
  if (schema instanceof z.ZodUnion) return [schema, ...typesOnly(schema.options).flatMap(unwrapped)];
  return [schema];
}

function typesOnly(values: readonly unknown[]): z.ZodType[] {
  return values.filter((value) => value instanceof z.ZodType);
}
