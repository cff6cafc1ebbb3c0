import { readFileSync } from "node:fs";
import { LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { errorMessage, type TandemError } from "../base/errors.ts";

/** What is wrong in a YAML file, and where. */
export interface YamlFault {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Dotted; empty for the whole file. */
  readonly field: string;
  readonly why: string;
}

/** The errors that a kind of YAML file ends in. */
export interface YamlErrors {
  unreadable(file: string, cause: unknown): TandemError;
  bad(fault: YamlFault): TandemError;
}

/** A YAML file that fits its schema. */
export interface YamlFile<T> {
  readonly value: T;
  /** The error of a field that the schema alone cannot judge. */
  fault(path: readonly PropertyKey[], why: string): TandemError;
}

/**
 * Reads a YAML file. An empty one is `{}`.
 * @throws what `errors` makes of a file that cannot be read, is no YAML or breaks the schema: the first fault, with its line
 */
export function readYamlFile<S extends z.ZodType>(file: string, schema: S, errors: YamlErrors): YamlFile<z.output<S>> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (thrown) {
    throw errors.unreadable(file, thrown);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const [broken] = document.errors;
  if (broken !== undefined) throw errors.bad({ file, line: lineAt(broken.pos[0]), field: "", why: broken.message });
  const fault = (path: readonly PropertyKey[], why: string): TandemError => {
    const offset = offsetOf((at) => document.getIn(at, true), path);
    return errors.bad({ file, line: lineAt(offset), field: path.map(String).join("."), why });
  };
  const parsed = schema.safeParse(plainValue(document, fault));
  if (parsed.success) return { value: parsed.data, fault };
  const [issue] = parsed.error.issues;
  throw fault(issue?.path ?? [], issue?.message ?? "bad value");
}

/** Aliases may refer to too much: that shows only now. */
function plainValue(
  document: ReturnType<typeof parseDocument>,
  fault: (path: readonly PropertyKey[], why: string) => TandemError,
): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) ?? {};
  } catch (thrown) {
    throw fault([], errorMessage(thrown));
  }
}

/** Where the value at a path begins; where it is missing, the nearest one around it. */
function offsetOf(getNode: (path: readonly PropertyKey[]) => unknown, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = getNode(path.slice(0, length));
    if (typeof node === "object" && node !== null && "range" in node) return (node.range as number[])[0] ?? 0;
  }
  return 0;
}

/** A fault as one sentence: place, field, reason. */
export function faultText({ file, line, field, why }: YamlFault): string {
  return `${file}:${line} ${field === "" ? "" : `${field}: `}${why}`;
}
