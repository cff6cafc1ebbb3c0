import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { TandemError } from "../base/errors.ts";
import { isJsonObject } from "../base/json.ts";
import { withSuggestion } from "./nearest.ts";
import { type Finding, type Problem, placeFindings, throwProblems } from "./problem.ts";
import { type Query, querySchema, type SuiteName, suites } from "./schema.ts";
import { schemaFindings } from "./schema-findings.ts";
import { type Path, readSource, type SourceFile } from "./source.ts";

/** Where queries lie. */
export interface QueryFolder {
  /** One folder per suite, one YAML file per query. */
  readonly queriesDir: string;
  /** Names of the configured servers, if a query may name no other. */
  readonly servers?: readonly string[] | undefined;
}

const EXTENSION = /\.ya?ml$/;

/**
 * Loads the queries alone, for whoever only lists them. Their fields are checked, expressions and plans are not.
 * @returns in order of suite and id
 * @throws TandemError `query.no-folder`; else one error with all problems of all files, a line each
 */
export function loadQueries(folder: QueryFolder): { readonly queries: readonly Query[] } {
  const problems: Problem[] = [];
  const read = readQueries(folder, problems, () => []);
  throwProblems(problems);
  return { queries: read.flatMap(({ query }) => query ?? []) };
}

/** A query's file, read; the query is null if there are problems in it. */
export interface QueryFile {
  readonly id: string;
  readonly query: Query | null;
  readonly source: SourceFile;
}

/** Reads all query files. What is wrong with them is added to `problems`; `check` looks further at a query whose fields are sound. */
export function readQueries(
  folder: QueryFolder,
  problems: Problem[],
  check: (query: Query) => readonly Finding[],
): QueryFile[] {
  const files = new Map<string, QueryFile>();
  for (const { suite, path } of queryFiles(folder.queriesDir, problems)) {
    const id = idOf(path);
    const source = readFile(path);
    const query = checked(source, problems, (value) => readQuery(value, id, suite, folder.servers, check));
    const first = files.get(id);
    if (first === undefined) {
      files.set(id, { id, query, source });
    } else {
      const expected = `one file of it: ${first.source.file}`;
      problems.push(problemAt(source, "query.duplicate-id", ["id"], `the id ${id} again`, expected));
    }
  }
  return [...files.values()];
}

function queryFiles(queriesDir: string, problems: Problem[]): { suite: SuiteName; path: string }[] {
  if (!existsSync(queriesDir)) {
    throw new TandemError("query.no-folder", `there is no folder ${shownPath(queriesDir)}`, {
      hint: "Name the folder of the queries, or run in the folder that holds it.",
    });
  }
  const entries = readdirSync(queriesDir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    if (entry.name.startsWith(".")) return [];
    const suite = suites.find((name) => name === entry.name);
    const folder = join(queriesDir, entry.name);
    if (entry.isDirectory() && suite !== undefined) {
      return yamlFiles(folder).map((file) => ({ suite, path: join(folder, file) }));
    }
    if (entry.isDirectory() ? yamlFiles(folder).length > 0 : EXTENSION.test(entry.name)) {
      const expected = `queries in the folder of a suite: ${suites.join(", ")}`;
      const place = { file: shownPath(folder), line: 1, column: 1, field: "" };
      problems.push({ ...place, code: "query.bad-suite", found: entry.name, expected });
    }
    return [];
  });
}

export function yamlFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => EXTENSION.test(name) && !name.startsWith("."))
    .sort();
}

export function idOf(path: string): string {
  return basename(path).replace(EXTENSION, "");
}

/** A path as a person in the working folder would write it. */
export function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") || short === "" ? path : short;
}

export function readFile(path: string): SourceFile {
  return readSource(shownPath(path), readFileSync(path, "utf8"));
}

export function problemAt(
  source: SourceFile,
  code: Finding["code"],
  path: Path,
  found: string,
  expected: string,
): Problem {
  const { line, column } = source.locate(path, false, 0);
  return { code, file: source.file, line, column, field: path.join("."), found, expected };
}

/** What reading a file's value gave: a value without findings, or findings. */
export interface Reading<T> {
  readonly value: T | null;
  readonly findings: readonly Finding[];
}

/** The file's value as `read` gives it, or null after its problems are noted. */
export function checked<T>(source: SourceFile, problems: Problem[], read: (value: unknown) => Reading<T>): T | null {
  if (source.errors.length > 0) {
    for (const { line, column, message } of source.errors) {
      const place = { file: source.file, line, column, field: "" };
      problems.push({ ...place, code: "query.bad-yaml", found: `broken YAML (${message})`, expected: "YAML" });
    }
    return null;
  }
  if (!isJsonObject(source.value)) {
    problems.push(problemAt(source, "query.bad-yaml", [], "no fields", "a YAML mapping"));
    return null;
  }
  const { value, findings } = read(source.value);
  problems.push(...placeFindings(source, findings));
  return findings.length === 0 ? value : null;
}

/** A query's value checked: shape first, and if that fits, names and expressions. */
function readQuery(
  value: unknown,
  id: string,
  suite: SuiteName,
  servers: readonly string[] | undefined,
  check: (query: Query) => readonly Finding[],
): Reading<Query> {
  const parsed = querySchema.safeParse(value);
  if (!parsed.success) return { value: null, findings: schemaFindings(querySchema, value) };
  const query: Query = { ...parsed.data, suite };
  const findings = [...check(query), ...unknownServers(query, servers)];
  if (query.id !== id) {
    findings.push({ code: "query.bad-id", path: ["id"], found: query.id, expected: `the file's name, ${id}` });
  }
  return { value: query, findings };
}

function unknownServers(query: Query, servers: readonly string[] | undefined): Finding[] {
  if (servers === undefined) return [];
  return query.servers.flatMap((server, i): Finding[] => {
    if (servers.includes(server)) return [];
    const expected = withSuggestion(`one of ${servers.join(", ")}`, server, servers);
    return [{ code: "query.unknown-server", path: ["servers", i], found: `the server ${server}`, expected }];
  });
}
