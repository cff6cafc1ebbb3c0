import { resolve } from "node:path";
import which from "which";
import { TandemError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { redactor } from "../../base/redact.ts";
import { expandText } from "../../config/expand.ts";
import type { ExecEntry } from "../../config/project-schema.ts";
import { isSecretName } from "../../config/secret-names.ts";
import { childEnvironment, type Environment } from "../../pool/connection.ts";

/** An outside agent's entry, with variables filled in and its program found. */
export interface LoadedExec {
  readonly name: string;
  readonly entry: ExecEntry;
  /** The program and its arguments, the wrapping command in front. {@link Placeholder} are left to fill in. */
  readonly argv: readonly string[];
  /** Its whole environment, HOME and the temporary folder apart. */
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly stdin: string | null;
  /** Values to redact. */
  readonly secrets: readonly string[];
  /** The entry for the run's configuration: secrets replaced. */
  readonly configuration: JsonObject;
}

/** What an episode fills into an entry, as `{query}`. */
export const placeholders = ["query", "mcpUrl", "mcpUrlWithToken", "mcpToken", "mcpConfig", "folder"] as const;
export type Placeholder = (typeof placeholders)[number];

const PLACEHOLDER = new RegExp(`\\{(${placeholders.join("|")})\\}`, "g");

/** Fills in what only the episode knows. Values are not filled in again. */
export function fillExec(text: string, values: Readonly<Record<Placeholder, string>>): string {
  return text.replace(PLACEHOLDER, (_, name: Placeholder) => values[name]);
}

/**
 * Prepares an entry, once for all episodes.
 * @param folder the project's, from which a command with a slash is looked for
 * @throws TandemError `config.unset-variable`, `config.exec-not-found`
 */
export function loadExec(name: string, entry: ExecEntry, env: Environment, folder: string): LoadedExec {
  const secrets = new Set<string>();
  const expand = (text: string, field: string) => {
    const place = { what: "agent", server: name, field };
    const expanded = expandText(text, place, { env, folder, inputs: new Map() });
    for (const secret of expanded.secrets) secrets.add(secret);
    return expanded.text;
  };
  const command = expand(entry.command, "command");
  const wrap = entry.wrap.map((text, at) => expand(text, `wrap[${at}]`));
  const args = entry.args.map((text, at) => expand(text, `args[${at}]`));
  const named = Object.fromEntries(Object.entries(entry.env).map(([key, text]) => [key, expand(text, `env.${key}`)]));
  const passed = Object.fromEntries(entry.passEnv.map((key) => [key, passedValue(name, key, env)]));
  for (const [key, value] of Object.entries({ ...passed, ...named })) {
    if (isSecretName(key)) secrets.add(value);
  }
  const [program, ...rest] = wrap.length === 0 ? [command] : wrap;
  const inner = wrap.length === 0 ? args : [...rest, command, ...args];
  return {
    name,
    entry,
    argv: [findProgram(name, program ?? command, env, folder), ...inner],
    env: { ...childEnvironment(env, {}), HOME: "{folder}", TMPDIR: "{folder}", ...passed, ...named },
    // Programs have a ${…} of their own, and no secret is to be put on the disk.
    files: entry.files,
    stdin: entry.stdin ?? null,
    secrets: [...secrets],
    configuration: configurationOf(entry, [...secrets]),
  };
}

function passedValue(name: string, key: string, env: Environment): string {
  const value = env[key];
  if (value !== undefined) return value;
  throw new TandemError("config.unset-variable", `agent ${name}, field passEnv: the variable ${key} is not set`, {
    hint: `Set ${key}, or take it out of agents.${name}.passEnv.`,
    details: { agent: name, variable: key },
  });
}

/** The program's full path, so that its folder and the caller's do not matter. */
function findProgram(name: string, command: string, env: Environment, folder: string): string {
  const asked = /[\\/]/.test(command) ? resolve(folder, command) : command;
  const found = which.sync(asked, { nothrow: true, ...(env.PATH === undefined ? {} : { path: env.PATH }) });
  if (found !== null) return found;
  throw new TandemError("config.exec-not-found", `the command ${command} of the agent exec:${name} was not found`, {
    hint: `Install it, or set agents.${name}.command to its path.`,
    details: { agent: name, command },
  });
}

function configurationOf(entry: ExecEntry, secrets: readonly string[]): JsonObject {
  const written: unknown = JSON.parse(redactor(secrets)(JSON.stringify(entry)));
  return isJsonObject(written) ? written : {};
}
