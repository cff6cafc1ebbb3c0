import { existsSync } from "node:fs";
import { resolve, win32 } from "node:path";
import { z } from "zod";
import { readEnvFile } from "./env-file.ts";
import { type ExpansionSource, expandText } from "./expand.ts";
import { isSecretName } from "./secret-names.ts";
import type { HttpServerConfig, SandboxServerConfig, ServerConfig, StdioServerConfig } from "./server-config.ts";
import {
  knownEntryKeys,
  type ResetCommand,
  type ServerEntry,
  type StateProbe,
  serverEntrySchema,
  timeoutMs,
} from "./server-schema.ts";

/** An entry that breaks a rule; `path` is where in the entry. */
export class EntryError extends Error {
  readonly path: (string | number)[];
  constructor(message: string, path: readonly PropertyKey[] = []) {
    super(message);
    this.path = path.filter((part) => typeof part !== "symbol");
  }
}

/**
 * One entry of a configuration file, checked and with its variables filled in.
 * @param notices gets what is worth knowing and stops nothing
 * @throws EntryError, TandemError `config.unset-variable`, `config.no-package`, `config.no-env-file`
 */
export function readEntry(name: string, value: unknown, source: ExpansionSource, notices: string[]): ServerConfig {
  const parsed = serverEntrySchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new EntryError(issue === undefined ? z.prettifyError(parsed.error) : issue.message, issue?.path);
  }
  const entry = parsed.data;
  const type = typeOf(entry);
  const isolation = isolationOf(type, entry);
  for (const words of oddities(entry, isolation)) notices.push(`server ${name}: ${words}`);

  const secrets = new Set<string>(literalSecrets(entry));
  const fill = (text: string, field: string): string => {
    const filled = expandText(text, { server: name, field }, source);
    for (const secret of filled.secrets) secrets.add(secret);
    return filled.text;
  };
  const disabled = entry.disabled === true || entry.enabled === false;
  // A disabled server is never started, so its variables need not be set.
  const reader: Reader = disabled
    ? { folder: source.folder, fill: (text) => text, variablesOf: () => ({}) }
    : {
        folder: source.folder,
        fill,
        variablesOf: (file) => {
          const variables = readEnvFile(resolve(source.folder, fill(file, "envFile")), name);
          for (const secret of Object.values(variables)) secrets.add(secret);
          return variables;
        },
      };
  return {
    name,
    ...readTransport(type, entry, reader, disabled),
    isolation,
    tools: entry.tools ?? (isolation === "shared" ? [] : null),
    disabledTools: entry.disabledTools ?? [],
    state: entry.state === undefined || isolation === "shared" ? null : expandState(entry.state, reader.fill),
    faults: entry.faults ?? [],
    timeoutMs: timeoutMs(entry.timeout, 30),
    startTimeoutMs: timeoutMs(entry.startTimeout, 20),
    optional: entry.optional ?? false,
    disabled,
    reset: entry.reset === undefined ? null : expandReset(entry.reset, reader.fill),
    secrets: [...secrets],
    source: value as Record<string, unknown>,
  };
}

/** What an entry says that stops nothing and may not be what was meant. */
function oddities(entry: ServerEntry, isolation: ServerConfig["isolation"]): string[] {
  const found: string[] = [];
  const unknown = Object.keys(entry).filter((key) => !knownEntryKeys.has(key));
  if (unknown.length > 0) found.push(`ignored ${unknown.join(", ")}`);
  for (const key of ["timeout", "startTimeout"] as const) {
    if (Number(entry[key]) > 3600) found.push(`${key} is in seconds, and ${entry[key]} is over an hour`);
    if (entry[key] !== undefined && !(Number(entry[key]) > 0)) {
      found.push(`${key} is not above 0, so the default counts`);
    }
  }
  if (isolation === "shared" && entry.state !== undefined) found.push("a shared server's state is not scored");
  if (isolation === "shared" && entry.tools === undefined) {
    found.push('a shared server offers only what "tools" names, so it offers nothing');
  }
  return found;
}

type TransportType = ServerConfig["type"];
type Transport =
  | Pick<SandboxServerConfig, "type">
  | Pick<StdioServerConfig, "type" | "command" | "args" | "env" | "cwd">
  | Pick<HttpServerConfig, "type" | "url" | "headers" | "guessed">;
type Fill = (text: string, field: string) => string;

/** How the texts of an entry are read. */
interface Reader {
  /** Folder of the configuration file. */
  readonly folder: string;
  readonly fill: Fill;
  /** The variables of an `envFile`. */
  readonly variablesOf: (file: string) => Readonly<Record<string, string>>;
}

function typeOf(entry: ServerEntry): TransportType {
  if (entry.type !== undefined) return entry.type;
  const url = addressKey(entry);
  if (entry.command !== undefined && url !== undefined) {
    throw new EntryError('has both a command and a url; name one, or say which with "type"');
  }
  if (entry.command !== undefined) return "stdio";
  if (url !== undefined) return "http";
  throw new EntryError('needs a command, a url, or "type": "sandbox"');
}

function addressKey(entry: ServerEntry): "url" | "serverUrl" | "httpUrl" | undefined {
  return (["url", "serverUrl", "httpUrl"] as const).find((key) => entry[key] !== undefined);
}

function readTransport(type: TransportType, entry: ServerEntry, reader: Reader, disabled: boolean): Transport {
  if (type === "sandbox") return { type };
  return type === "stdio" ? readProgram(entry, reader) : readAddress(type, entry, reader, disabled);
}

function readProgram(entry: ServerEntry, { folder, fill, variablesOf }: Reader): Transport {
  if (entry.command === undefined) throw new EntryError("a stdio server needs a command");
  const cwd = entry.cwd === undefined ? null : noControls(fill(entry.cwd, "cwd"), "cwd");
  const program = [
    noControls(fill(entry.command, "command"), "command"),
    ...(entry.args ?? []).map((arg, at) => fill(arg, `args[${at}]`)),
  ];
  const [command = "", ...args] = cwd === null ? resolveProgram(program, folder) : program;
  return {
    type: "stdio",
    command,
    args,
    env: {
      ...(entry.envFile === undefined ? {} : variablesOf(entry.envFile)),
      ...mapValues(entry.env ?? {}, (value, key) => fill(value, `env.${key}`)),
    },
    cwd: cwd === null ? cwd : fromFolder(folder, cwd),
  };
}

/** `"C:\new"` is valid JSON and no path: `\n` is a line break. */
function noControls(path: string, field: string): string {
  if (!/\p{Cc}/u.test(path)) return path;
  throw new EntryError('holds a control character; write each backslash of a path twice, as in "C:\\\\new"', [field]);
}

function readAddress(type: "http" | "sse", entry: ServerEntry, { fill }: Reader, disabled: boolean): Transport {
  const key = addressKey(entry);
  const address = key === undefined ? undefined : entry[key];
  if (key === undefined || address === undefined) throw new EntryError(`an ${type} server needs a url`);
  const url = fill(address, key);
  const protocol = URL.canParse(url) ? new URL(url).protocol : "";
  if (!disabled && protocol !== "http:" && protocol !== "https:") {
    throw new EntryError("is not an http or https address", [key]);
  }
  return {
    type,
    url,
    headers: mapValues(entry.headers ?? {}, (value, header) => fill(value, `headers.${header}`)),
    guessed: entry.type === undefined,
  };
}

const INTERPRETER = /^(node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|ruby|php|perl|sh|bash)$/;

/**
 * A server without a `cwd` runs in its side's folder, so that what it writes stays apart. Its program is found all the
 * same: a relative path of the command, or of the script that an interpreter is given first, starts at the folder of
 * the file.
 */
function resolveProgram([command = "", ...args]: readonly string[], folder: string): string[] {
  if (/[\\/]/.test(command)) return [fromFolder(folder, command), ...args];
  const script = INTERPRETER.test(command) ? args.findIndex((arg) => !arg.startsWith("-")) : -1;
  return [
    command,
    ...args.map((arg, at) => (at === script && existsSync(resolve(folder, arg)) ? resolve(folder, arg) : arg)),
  ];
}

/** A path that starts at `folder`, unless it is absolute, here or on Windows, or starts with a placeholder. */
function fromFolder(folder: string, path: string): string {
  const ofWindows = win32.isAbsolute(path) && !path.startsWith("/");
  return path.startsWith("${") || ofWindows ? path : resolve(folder, path);
}

/** Two sessions on one remote account are no twins, so a remote server is shared unless each side has its own account. */
function isolationOf(type: TransportType, entry: ServerEntry): ServerConfig["isolation"] {
  if (type === "sandbox" || type === "stdio") return entry.isolation ?? "side";
  const twins = JSON.stringify(entry).includes("${side}") && entry.reset !== undefined;
  if (entry.isolation === "side" && !twins) {
    throw new EntryError("a remote server can be isolated by side only if it uses ${side} and has a reset command", [
      "isolation",
    ]);
  }
  return entry.isolation ?? (twins ? "side" : "shared");
}

function expandState(state: StateProbe, fill: Fill): StateProbe {
  switch (state.probe) {
    case "files":
      return { ...state, root: fill(state.root, "state.root") };
    case "json":
    case "sqlite":
      return { ...state, file: fill(state.file, "state.file") };
    case "calls":
      return state;
  }
}

function expandReset(reset: ResetCommand, fill: Fill): ResetCommand {
  return {
    command: fill(reset.command, "reset.command"),
    args: reset.args.map((arg, at) => fill(arg, `reset.args[${at}]`)),
  };
}

/** Values written into the file itself, as variables, headers, flags or parts of an address, whose name says that they are secret. */
function literalSecrets(entry: ServerEntry): string[] {
  const named = [...Object.entries(entry.env ?? {}), ...Object.entries(entry.headers ?? {})];
  const key = addressKey(entry);
  const address = key === undefined ? undefined : entry[key];
  if (address !== undefined && URL.canParse(address)) {
    const { searchParams, password } = new URL(address);
    named.push(...searchParams, ["password", password]);
  }
  for (const [at, arg] of (entry.args ?? []).entries()) {
    const [, flag = "", value = entry.args?.[at + 1] ?? ""] = /^--?([\w-]+)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    named.push([flag, value]);
  }
  return named
    .filter(([name, value]) => value !== "" && isSecretName(name) && !value.includes("${"))
    .map(([, value]) => value);
}

function mapValues(
  record: Readonly<Record<string, string>>,
  map: (value: string, key: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
