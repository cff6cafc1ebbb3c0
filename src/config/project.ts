import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { TandemError } from "../base/errors.ts";
import { type ProjectConfig, projectSchema } from "./project-schema.ts";
import { faultText, readYamlFile, type YamlErrors } from "./yaml-file.ts";

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
  return { ...readYamlFile(path, projectSchema, ERRORS).value, file: path, folder: dirname(path) };
}

const ERRORS: YamlErrors = {
  unreadable: (file, cause) =>
    new TandemError("config.no-project", `cannot read ${file}`, {
      hint: `Give the path of a ${PROJECT_FILE}.`,
      cause,
      details: { file },
    }),
  bad: (fault) =>
    new TandemError("config.bad-project", faultText(fault), {
      hint: "docs/models.md explains every field.",
      details: { file: fault.file, line: fault.line, field: fault.field },
    }),
};
