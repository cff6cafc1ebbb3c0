import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { TandemError } from "../base/errors.ts";
import { isJsonObject } from "../base/json.ts";
import { withSuggestion } from "./nearest.ts";
import { planFindings } from "./plan-findings.ts";
import { type Finding, type Path, type Problem, placeFindings, throwProblems } from "./problem.ts";
import { queryFindings } from "./query-findings.ts";
import { type Plan, planSchema, type Query, querySchema, type SuiteName, suites } from "./schema.ts";
import { schemaFindings } from "./schema-findings.ts";
import { readSource, type SourceFile } from "./source.ts";

/** A query with its plan, both checked. */
export interface LoadedQuery {
  readonly query: Query;
  readonly plan: Plan;
  /** The files as messages show them. */
  readonly queryFile: string;
  readonly planFile: string;
  /** SHA-256 of both files' texts. */
  readonly hash: string;
  /** What is needed to say where something stands in the files. */
  readonly sources: { readonly query: SourceFile; readonly plan: SourceFile };
}

/** Where a suite lies. */
export interface SuiteFolders {
  /** One folder per suite, one YAML file per query. */
  readonly queriesDir: string;
  /** One YAML file per query, under the same name. */
  readonly plansDir: string;
  /** Names of the configured servers, if a query may name no other. */
  readonly servers?: readonly string[] | undefined;
}

const EXTENSION = /\.ya?ml$/;

/**
 * Loads all queries with their plans and checks all that can be checked before anything runs.
 * @returns queries in order of suite and id
 * @throws TandemError `query.no-folder`; else one error with all problems of all files, a line each
 */
export function loadSuite(folders: SuiteFolders): { readonly queries: readonly LoadedQuery[] } {
  const problems: Problem[] = [];
  const read = readQueries(folders, problems);
  const plans = new Map(yamlFiles(folders.plansDir).map((file) => [idOf(file), join(folders.plansDir, file)]));
  const queries = read.flatMap(({ id, query, source }): LoadedQuery[] => {
    const planPath = plans.get(id);
    if (planPath === undefined) {
      const expected = `a plan in ${shownPath(join(folders.plansDir, `${id}.yaml`))}`;
      problems.push(problemAt(source, "query.missing-plan", ["id"], "no plan", expected));
      return [];
    }
    const planSource = readFile(planPath);
    const plan = checked(planSource, problems, (value) => readPlan(value, query));
    if (query === null || plan === null) return [];
    const hash = createHash("sha256").update(`${source.text}\0${planSource.text}`).digest("hex");
    const sources = { query: source, plan: planSource };
    return [{ query, plan, queryFile: source.file, planFile: planSource.file, hash, sources }];
  });
  const ids = new Set(read.map(({ id }) => id));
  for (const [id, path] of plans) {
    if (ids.has(id)) continue;
    const expected = `a query ${id} in ${shownPath(folders.queriesDir)}/<suite>`;
    problems.push(problemAt(readFile(path), "query.missing-query", [], "a plan without a query", expected));
  }
  throwProblems(problems);
  return { queries };
}

/**
 * Loads the queries alone, for whoever only lists them: plans are longer, and reading them takes most of the time.
 * @throws TandemError as {@link loadSuite}
 */
export function loadQueries(folders: Omit<SuiteFolders, "plansDir">): { readonly queries: readonly Query[] } {
  const problems: Problem[] = [];
  const read = readQueries(folders, problems);
  throwProblems(problems);
  return { queries: read.flatMap(({ query }) => query ?? []) };
}

/** A query's file, read; the query is null if there are problems in it. */
interface QueryFile {
  readonly id: string;
  readonly query: Query | null;
  readonly source: SourceFile;
}

function readQueries(folders: Omit<SuiteFolders, "plansDir">, problems: Problem[]): QueryFile[] {
  const files = new Map<string, QueryFile>();
  for (const { suite, path } of queryFiles(folders.queriesDir, problems)) {
    const id = idOf(path);
    const source = readFile(path);
    const query = checked(source, problems, (value) => readQuery(value, id, suite, folders.servers));
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

function yamlFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => EXTENSION.test(name) && !name.startsWith("."))
    .sort();
}

function idOf(path: string): string {
  return basename(path).replace(EXTENSION, "");
}

/** A path as a person in the working folder would write it. */
function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") || short === "" ? path : short;
}

function readFile(path: string): SourceFile {
  return readSource(shownPath(path), readFileSync(path, "utf8"));
}

function problemAt(source: SourceFile, code: Finding["code"], path: Path, found: string, expected: string): Problem {
  const { line, column } = source.locate(path, false, 0);
  return { code, file: source.file, line, column, field: path.join("."), found, expected };
}

/** What reading a file's value gave: a value without findings, or findings. */
interface Reading<T> {
  readonly value: T | null;
  readonly findings: readonly Finding[];
}

/** The file's value as `read` gives it, or null after its problems are noted. */
function checked<T>(source: SourceFile, problems: Problem[], read: (value: unknown) => Reading<T>): T | null {
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
): Reading<Query> {
  const parsed = querySchema.safeParse(value);
  if (!parsed.success) return { value: null, findings: schemaFindings(querySchema, value) };
  const query: Query = { ...parsed.data, suite };
  const findings = [...queryFindings(query), ...unknownServers(query, servers)];
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

/** A plan's value checked. Names and expressions wait for a sound query. */
function readPlan(value: unknown, query: Query | null): Reading<Plan> {
  const parsed = planSchema.safeParse(value);
  if (!parsed.success) return { value: null, findings: schemaFindings(planSchema, value) };
  return { value: parsed.data, findings: query === null ? [] : planFindings(parsed.data, query) };
}
