import { TandemError } from "../base/errors.ts";
import type { Path, SourceFile } from "./source.ts";

/** Something wrong in a query or a plan, by its place in the value. */
export interface Finding {
  readonly code: `query.${string}`;
  readonly path: Path;
  /** True if the field's name is wrong rather than its value. */
  readonly onKey?: boolean;
  /** Place inside the text at `path`, in characters. */
  readonly offset?: number;
  readonly found: string;
  readonly expected: string;
}

/** A finding with its place in the file. Lines and columns count from 1. */
export interface Problem {
  readonly code: `query.${string}`;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly field: string;
  readonly found: string;
  readonly expected: string;
}

/** Finds the lines of findings in their file. */
export function placeFindings(source: SourceFile, findings: readonly Finding[]): Problem[] {
  return findings.map(({ code, path, onKey, offset, found, expected }) => {
    const { line, column } = source.locate(path, onKey ?? false, offset ?? 0);
    return { code, file: source.file, line, column, field: fieldName(path), found, expected };
  });
}

/** `steps[2].with.sid`; the file itself has no name. */
export function fieldName(path: Path): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`))
    .join("")
    .replace(/^\./, "");
}

/** One problem as one line: `file:line:column field: found …, expected …`. */
export function problemLine(problem: Problem): string {
  const { file, line, column, field, found, expected } = problem;
  return `${file}:${line}:${column} ${field === "" ? "" : `${field}: `}found ${found}, expected ${expected}`;
}

/**
 * One error for all problems, a line each. Its code is theirs if they share one, else `query.invalid`; `details` hold the
 * first and their number.
 */
export function problemsError(problems: readonly [Problem, ...Problem[]]): TandemError {
  const [first] = problems;
  const code = problems.every((problem) => problem.code === first.code) ? first.code : "query.invalid";
  return new TandemError(code, problems.map(problemLine).join("\n"), {
    hint: "docs/queries.md explains every field of queries and plans.",
    details: { ...first, problems: problems.length },
  });
}

/** Throws {@link problemsError} if there is a problem. */
export function throwProblems(problems: readonly Problem[]): void {
  const [first, ...rest] = problems;
  if (first !== undefined) throw problemsError([first, ...rest]);
}
