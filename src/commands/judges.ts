import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { TandemError } from "../base/errors.ts";
import { packageRoot } from "../config/paths.ts";
import type { Judge } from "../grade/judge.ts";
import { builtInJudges } from "../grade/judges.ts";
import { type JudgeFile, loadJudgeFile } from "../grade/llm/judge-file.ts";
import { llmJudge } from "../grade/llm/llm-judge.ts";
import type { Models } from "../model/models.ts";

/** What judges are made from. */
export interface JudgeSources {
  readonly models: Models;
  /** Model of a judge whose file and name tell none. */
  readonly model: string | null;
  readonly cwd: string;
}

/**
 * The judges of the names that `--judge` gives, each once: `rules`; the name of a file of judges/, here or as it comes with tandem;
 * or the path of a YAML file. `name@model` asks that model, so that one file can judge with several.
 * @throws TandemError `usage.unknown-judge`, `usage.no-model`, of `judge` for a file that is wrong, `credentials.missing`
 */
export function resolveJudges(names: readonly string[], sources: JudgeSources): Judge[] {
  const judges = new Map<string, Judge>();
  for (const name of names) {
    const judge = builtInJudges.find((built) => built.name === name) ?? resolveLlmJudge(name, sources);
    judges.set(judge.name, judge);
  }
  return [...judges.values()];
}

function resolveLlmJudge(given: string, { models, model, cwd }: JudgeSources): Judge {
  const at = given.indexOf("@");
  const [name, named] = at < 0 ? [given, undefined] : [given.slice(0, at), given.slice(at + 1)];
  const path = judgePath(name, cwd);
  const file = loadJudgeFile(path);
  const modelName = named ?? file.model ?? model;
  if (modelName === null || modelName === "") {
    throw new TandemError("usage.no-model", `the judge ${name} needs a model`, {
      hint: `Write ${name}@<model>, give --model, or set model in ${path}.`,
      details: { file: path },
    });
  }
  return llmJudge({ name: given, file, model: models.chat(modelName) });
}

const YAML = /\.ya?ml$/;

function judgePath(name: string, cwd: string): string {
  if (YAML.test(name)) return resolve(cwd, name);
  const found = folders(cwd)
    .map((folder) => join(folder, `${name}.yaml`))
    .find((path) => /^[\w.-]+$/.test(name) && existsSync(path));
  if (found !== undefined) return found;
  throw new TandemError("usage.unknown-judge", `there is no judge ${name}`, {
    hint: `Judges: ${[...builtInJudges.map((judge) => judge.name), ...judgeFiles(cwd).keys()].join(", ")}, or the path of a YAML file.`,
  });
}

/** Folders of judges: those of the working folder hide those of the package. */
function folders(cwd: string): string[] {
  return [join(cwd, "judges"), join(packageRoot, "judges")];
}

/** Paths of all judges that a name finds, by name. */
export function judgeFiles(cwd: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const folder of folders(cwd)) {
    if (!existsSync(folder)) continue;
    for (const entry of readdirSync(folder).sort()) {
      const name = entry.replace(YAML, "");
      if (name !== entry && !files.has(name)) files.set(name, join(folder, entry));
    }
  }
  return files;
}

/** A judge that can be named, for lists. */
export interface ListedJudge {
  readonly name: string;
  readonly file: string | null;
  readonly about: string;
  readonly model: string | null;
}

/** All judges that can be named. A file that is wrong is listed with what is wrong about it. */
export function listJudges(cwd: string): ListedJudge[] {
  const built = builtInJudges.map(({ name }) => ({
    name,
    file: null,
    about: "facts and state by rules, no model",
    model: null,
  }));
  const files = [...judgeFiles(cwd)].map(([name, file]) => {
    const loaded = readListed(file);
    return { name, file, about: loaded.about, model: loaded.model ?? null };
  });
  return [...built, ...files];
}

function readListed(file: string): Pick<JudgeFile, "about" | "model"> {
  try {
    return loadJudgeFile(file);
  } catch (thrown) {
    if (thrown instanceof TandemError) return { about: thrown.message };
    throw thrown;
  }
}
