import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import { TandemError } from "../base/errors.ts";
import { type ProjectConfig, projectSchema } from "./project-schema.ts";

/** A project's settings beside its servers, and where they come from. */
export interface Project extends ProjectConfig {
  /** Null if there is no such file: then everything is at its default. */
  readonly file: string | null;
  /** Folder that paths in it start from. */
  readonly folder: string;
}

/** The name of the file in a working folder. */
export const PROJECT_FILE = "tandem.config.yaml";

/**
 * Reads `tandem.config.yaml`.
 * @param file null reads {@link PROJECT_FILE} in `cwd`, if there is one
 * @throws TandemError `config.no-project` if a named file cannot be read, `config.bad-project` with file, line and field
 */
export function loadProject(file: string | null, cwd: string): Project {
  const path = resolve(cwd, file ?? PROJECT_FILE);
  if (file === null && !existsSync(path)) return { ...projectSchema.parse({}), file: null, folder: cwd };
  return { ...projectSchema.parse(parseProject(path)), file: path, folder: dirname(path) };
}

function parseProject(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (thrown) {
    throw new TandemError("config.no-project", `cannot read ${path}`, {
      hint: `Give the path of a ${PROJECT_FILE}.`,
      cause: thrown,
      details: { file: path },
    });
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken !== undefined) throw bad(path, lines.linePos(broken.pos[0]).line, "", broken.message);
  const value: unknown = document.toJS({ maxAliasCount: 100 }) ?? {};
  const parsed = projectSchema.safeParse(value);
  if (parsed.success) return value;
  const [issue] = parsed.error.issues;
  const at = issue?.path ?? [];
  const node = document.getIn(at, true);
  const offset = typeof node === "object" && node !== null && "range" in node ? (node.range as number[])[0] : undefined;
  const line = offset === undefined ? 1 : lines.linePos(offset).line;
  throw bad(path, line, at.map(String).join("."), issue?.message ?? "bad value");
}

function bad(file: string, line: number, field: string, why: string): TandemError {
  return new TandemError("config.bad-project", `${file}:${line} ${field === "" ? "" : `${field}: `}${why}`, {
    hint: "docs/models.md explains every field.",
    details: { file, line, field },
  });
}
