import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { basename, join, sep } from "node:path";
import { TandemError } from "../base/errors.ts";
import { isJsonObject, tryParseJson } from "../base/json.ts";
import { packageRoot } from "./paths.ts";

/** Where the values of `${…}` come from. */
export interface ExpansionSource {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of the configuration file: the value of `${workspaceFolder}`, and where packages are looked for first. */
  readonly folder: string;
  /** Defaults of the file's own `inputs`, by id. */
  readonly inputs: ReadonlyMap<string, InputDefault>;
}

/** Default of a value that other programs ask a person for. */
export interface InputDefault {
  readonly value: string;
  /** True for one that is not to be shown. */
  readonly secret: boolean;
}

/** Where a text stands, for messages. */
export interface FieldPlace {
  /** What kind of entry it is; a server's, if left out. */
  readonly what?: string;
  readonly server: string;
  /** As in `env.TOKEN` or `args[1]`. */
  readonly field: string;
}

/** A text with its variables filled in. */
export interface Expanded {
  readonly text: string;
  /** Values of environment variables that went into it, for redaction. Plain ones such as HOME are not among them. */
  readonly secrets: readonly string[];
}

/** Placeholders whose value a pool knows, not the configuration. */
export const POOL_PLACEHOLDERS = ["workdir", "side"] as const;

const VARIABLE = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;
/** `${…}` of most programs, and `{env:NAME}` as one of them writes it. */
const PLACEHOLDER = /\$\{([^}]*)\}|(?<!\$)\{(env:[^}]*)\}/g;
const PACKAGE = /^package:((?:@[\w.~-]+\/)?[\w.~-]+)$/;
const INPUT = /^input:([\w.-]+)$/;
const PLAIN_VARIABLES = new Set(["HOME", "USER", "LOGNAME", "PATH", "PWD", "SHELL", "TERM", "TMPDIR", "TEMP", "LANG"]);

/**
 * Fills in the variables of one text:
 * `${NAME}`, `${env:NAME}` and `{env:NAME}` from the environment, `${NAME:-default}` with a default for one that is unset or
 * empty, `${input:id}` from the variable `INPUT_<ID>` or the input's own default, `${package:name}` as the path of an
 * installed npm package's program, `${workspaceFolder}`, `${userHome}` and `${pathSeparator}`. `${workdir}` and `${side}` stay
 * for the pool, and so does whatever has another form. Values are not expanded again.
 * @throws TandemError `config.unset-variable` (names variable, server and field, never a value), `config.no-package`
 */
export function expandText(text: string, place: FieldPlace, source: ExpansionSource): Expanded {
  const secrets: string[] = [];
  const expanded = text.replace(PLACEHOLDER, (whole, dollar: string | undefined, bare: string | undefined) => {
    const inside = dollar ?? bare ?? "";
    if ((POOL_PLACEHOLDERS as readonly string[]).includes(inside)) return whole;
    if (inside === "workspaceFolder") return source.folder;
    if (inside === "userHome") return source.env.HOME ?? homedir();
    if (inside === "pathSeparator" || inside === "/") return sep;
    const packageName = PACKAGE.exec(inside)?.[1];
    if (packageName !== undefined) return packageProgram(packageName, place, source.folder);
    const input = INPUT.exec(inside)?.[1];
    const [, name, fallback] =
      input === undefined
        ? (VARIABLE.exec(inside) ?? [])
        : [inside, `INPUT_${input.toUpperCase().replace(/\W/g, "_")}`];
    if (name === undefined) return whole;
    const preset = input === undefined || source.env[name] !== undefined ? undefined : source.inputs.get(input);
    const value = source.env[name] ?? preset?.value;
    if (fallback !== undefined && (value === undefined || value === "")) return fallback;
    if (value === undefined) throw unset(name, place, input);
    if (preset?.secret ?? !PLAIN_VARIABLES.has(name)) secrets.push(value);
    return value;
  });
  return { text: expanded, secrets };
}

function unset(
  variable: string,
  { what = "server", server, field }: FieldPlace,
  input: string | undefined,
): TandemError {
  const why = input === undefined ? `the variable ${variable} is not set` : `unresolved input "${input}"`;
  return new TandemError("config.unset-variable", `${what} ${server}, field ${field}: ${why}`, {
    hint:
      input === undefined
        ? `Set ${variable}, or write \${${variable}:-default} in the file.`
        : `Nobody is asked here: set the variable ${variable}.`,
    details: { server, field, variable },
  });
}

/** The path of the program that an installed package brings: looked for from `folder`, then from this package. */
function packageProgram(name: string, { what = "server", server, field }: FieldPlace, folder: string): string {
  const fail = (why: string) =>
    new TandemError("config.no-package", `${what} ${server}, field ${field}: ${why}`, {
      hint: `Install it where ${folder} finds it: npm install ${name}`,
      details: { server, field, package: name },
    });
  for (const root of [folder, packageRoot]) {
    for (const modules of createRequire(join(root, "package.json")).resolve.paths(name) ?? []) {
      const manifest = readManifest(join(modules, name, "package.json"));
      if (manifest === undefined) continue;
      const program = programOf(manifest, name);
      if (program === undefined) throw fail(`the package ${name} brings no program, or several`);
      return join(modules, name, program);
    }
  }
  throw fail(`the package ${name} is not installed`);
}

function readManifest(file: string): Record<string, unknown> | undefined {
  try {
    const manifest = tryParseJson(readFileSync(file, "utf8"));
    return isJsonObject(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** The only program of a package, or the one that is named like it. */
function programOf(manifest: Record<string, unknown>, name: string): string | undefined {
  const { bin } = manifest;
  if (typeof bin === "string") return bin;
  if (typeof bin !== "object" || bin === null) return undefined;
  const programs = Object.entries(bin).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const named = programs.find(([program]) => program === basename(name));
  return named?.[1] ?? (programs.length === 1 ? programs[0]?.[1] : undefined);
}

/** Fills in what only a pool knows. */
export function fillPlaceholders(text: string, values: { readonly workdir: string; readonly side: string }): string {
  return text.replaceAll("${workdir}", () => values.workdir).replaceAll("${side}", () => values.side);
}
