import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  checked,
  idOf,
  problemAt,
  type QueryFolder,
  type Reading,
  readFile,
  readQueries,
  shownPath,
  yamlFiles,
} from "./load-queries.ts";
import { planFindings } from "./plan-findings.ts";
import { type Problem, throwProblems } from "./problem.ts";
import { queryFindings } from "./query-findings.ts";
import { type Plan, planSchema, type Query } from "./schema.ts";
import { schemaFindings } from "./schema-findings.ts";
import type { SourceFile } from "./source.ts";

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
export interface SuiteFolders extends QueryFolder {
  /** One YAML file per query, under the same name. */
  readonly plansDir: string;
}

/**
 * Loads all queries with their plans and checks all that can be checked before anything runs.
 * @returns queries in order of suite and id
 * @throws TandemError `query.no-folder`; else one error with all problems of all files, a line each
 */
export function loadSuite(folders: SuiteFolders): { readonly queries: readonly LoadedQuery[] } {
  const problems: Problem[] = [];
  const read = readQueries(folders, problems, queryFindings);
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

/** A plan's value checked. Names and expressions wait for a sound query. */
function readPlan(value: unknown, query: Query | null): Reading<Plan> {
  const parsed = planSchema.safeParse(value);
  if (!parsed.success) return { value: null, findings: schemaFindings(planSchema, value) };
  return { value: parsed.data, findings: query === null ? [] : planFindings(parsed.data, query) };
}
