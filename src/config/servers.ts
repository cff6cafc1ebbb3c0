import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { z } from "zod";
import { errorMessage, TandemError } from "../base/errors.ts";
import { type ExpansionSource, expandText } from "./expand.ts";
import {
  knownEntryKeys,
  type ResetCommand,
  type ServerEntry,
  type StateProbe,
  serverEntrySchema,
  timeoutMs,
} from "./server-schema.ts";

interface ServerBase {
  /** The key in the file. */
  readonly name: string;
  /** `side`: each side has its own; `shared`: both sides meet on one account, which is never state-scored. */
  readonly isolation: "side" | "shared";
  /** Globs of the tools to offer; null offers all. A shared server always has a list. */
  readonly tools: readonly string[] | null;
  readonly state: StateProbe | null;
  /** Longest time of a call without progress. */
  readonly timeoutMs: number;
  readonly startTimeoutMs: number;
  readonly optional: boolean;
  readonly disabled: boolean;
  readonly reset: ResetCommand | null;
  /** Values to redact: what came from variables and what looks like a secret by its name. */
  readonly secrets: readonly string[];
  /** The entry as written, with no variable filled in: what a run's metadata may show. */
  readonly source: Readonly<Record<string, unknown>>;
}

/** A server of the sandbox, known by its name. */
export interface SandboxServerConfig extends ServerBase {
  readonly type: "sandbox";
}

/** A server that is a child process. */
export interface StdioServerConfig extends ServerBase {
  readonly type: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute once the pool has filled in its placeholders; null is the side's `${workdir}`. */
  readonly cwd: string | null;
}

/** A server behind a URL. */
export interface HttpServerConfig extends ServerBase {
  readonly type: "http" | "sse";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A server of the configuration. Texts may still hold `${workdir}` and `${side}`, which the pool fills in. */
export type ServerConfig = SandboxServerConfig | StdioServerConfig | HttpServerConfig;

/** An entry that cannot be used. The others can. */
export interface ServerProblem {
  readonly server: string;
  readonly error: TandemError;
  /** True if the entry says that runs may do without the server. */
  readonly optional: boolean;
}

/** What {@link loadServers} read. */
export interface LoadedServers {
  readonly file: string;
  /** In the order of the file. */
  readonly servers: readonly ServerConfig[];
  readonly problems: readonly ServerProblem[];
  /** Things worth knowing that stop nothing: unknown keys, odd times, a server that is named twice. */
  readonly notices: readonly string[];
}

/**
 * Reads the servers of a configuration file: JSON with comments and trailing commas, the servers under `mcpServers` (also
 * under `servers`, as some editors write it).
 * @param file the file to read; left out, `defaultFile` is read
 * @throws TandemError `config.no-file`, `config.syntax` or `config.shape`, with file and line; a bad entry is no error of
 * the file but one of `problems`
 */
export function loadServers(
  file: string | undefined,
  options: { readonly env: ExpansionSource["env"]; readonly defaultFile: string },
): LoadedServers {
  const path = resolve(file ?? options.defaultFile);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (thrown) {
    throw new TandemError("config.no-file", `cannot read ${path}: ${errorMessage(thrown)}`, {
      hint: "Give the file with --config, or leave it out to use the servers that come with tandem.",
      details: { file: path },
    });
  }
  return parseServers(text.replace(/^\uFEFF/, ""), path, options.env);
}

function parseServers(text: string, file: string, env: ExpansionSource["env"]): LoadedServers {
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
  const fail = (code: "syntax" | "shape", offset: number, message: string) =>
    new TandemError(`config.${code}`, `${file}:${lineOf(offset)}: ${message}`, {
      details: { file, line: lineOf(offset) },
    });
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first !== undefined) {
    const words = printParseErrorCode(first.error).replace(/([a-z])([A-Z])/g, "$1 $2");
    throw fail("syntax", first.offset, `not valid JSON: ${words.toLowerCase()}`);
  }
  if (tree !== undefined && tree.type !== "object") throw fail("shape", tree.offset, "expected an object { … }");

  const servers = new Map<string, ServerConfig>();
  const problems = new Map<string, ServerProblem>();
  const notices: string[] = [];
  const source = { env, folder: dirname(file) };
  const roots = tree === undefined ? [] : rootsOf(tree);
  if (roots.length === 0) notices.push(`${file} names no servers: it has no "mcpServers"`);
  for (const root of roots) {
    if (root.type !== "object") {
      throw fail("shape", root.offset, "the servers must be an object that has a name for each of them");
    }
    for (const property of root.children ?? []) {
      const [key, node] = property.children ?? [];
      if (key === undefined || node === undefined) continue;
      const name = String(key.value);
      if (servers.has(name) || problems.has(name)) {
        notices.push(`${file}:${lineOf(property.offset)}: server ${name} is named twice, the first entry counts`);
        continue;
      }
      const value: unknown = getNodeValue(node);
      try {
        servers.set(name, readEntry(name, value, source, notices));
      } catch (thrown) {
        if (!(thrown instanceof EntryError || thrown instanceof TandemError)) throw thrown;
        const at = thrown instanceof EntryError ? (findNodeAtLocation(node, thrown.path) ?? node) : node;
        problems.set(name, {
          server: name,
          error: located(thrown, name, file, lineOf(at.offset)),
          optional: isOptional(value),
        });
      }
    }
  }
  return { file, servers: [...servers.values()], problems: [...problems.values()], notices };
}

function rootsOf(tree: Node): Node[] {
  return [["mcpServers"], ["servers"], ["mcp", "servers"]]
    .map((path) => findNodeAtLocation(tree, path))
    .filter((node) => node !== undefined);
}

/** An entry that breaks a rule; `path` is where in the entry. */
class EntryError extends Error {
  readonly path: (string | number)[];
  constructor(message: string, path: readonly PropertyKey[] = []) {
    super(message);
    this.path = path.filter((part) => typeof part !== "symbol");
  }
}

function located(thrown: EntryError | TandemError, server: string, file: string, line: number): TandemError {
  if (thrown instanceof TandemError) {
    return new TandemError(thrown.code, `${file}:${line}: ${thrown.message}`, {
      ...(thrown.hint === undefined ? {} : { hint: thrown.hint }),
      details: { ...thrown.details, file, line },
    });
  }
  const field = fieldName(thrown.path);
  const where = field === "" ? `server ${server}` : `server ${server}, field ${field}`;
  return new TandemError("config.bad-entry", `${file}:${line}: ${where}: ${thrown.message}`, {
    details: { file, line, server, field },
  });
}

function fieldName(path: readonly (string | number)[]): string {
  return path.map((part, at) => (typeof part === "number" ? `[${part}]` : at === 0 ? part : `.${part}`)).join("");
}

function isOptional(value: unknown): boolean {
  return typeof value === "object" && value !== null && "optional" in value && value.optional === true;
}

/** One entry, checked and with its variables filled in. */
function readEntry(name: string, value: unknown, source: ExpansionSource, notices: string[]): ServerConfig {
  const parsed = serverEntrySchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new EntryError(issue === undefined ? z.prettifyError(parsed.error) : issue.message, issue?.path);
  }
  const entry = parsed.data;
  const unknown = Object.keys(entry).filter((key) => !knownEntryKeys.has(key));
  if (unknown.length > 0) notices.push(`server ${name}: ignored ${unknown.join(", ")}`);
  for (const key of ["timeout", "startTimeout"] as const) {
    if (Number(entry[key]) > 3600)
      notices.push(`server ${name}: ${key} is in seconds, and ${entry[key]} is over an hour`);
    if (entry[key] !== undefined && !(Number(entry[key]) > 0))
      notices.push(`server ${name}: ${key} is not above 0, so the default counts`);
  }

  const type = typeOf(entry);
  const secrets = new Set<string>(literalSecrets(entry));
  const fill = (text: string, field: string): string => {
    const filled = expandText(text, { server: name, field }, source);
    for (const secret of filled.secrets) secrets.add(secret);
    return filled.text;
  };
  const disabled = entry.disabled === true || entry.enabled === false;
  // A disabled server is never started, so its variables need not be set.
  const expand = disabled ? (text: string) => text : fill;
  const transport = readTransport(type, entry, expand, source.folder);
  const state = entry.state === undefined ? null : expandState(entry.state, expand);
  const reset = entry.reset === undefined ? null : expandReset(entry.reset, expand);
  const isolation = isolationOf(type, entry);
  if (isolation === "shared" && state !== null) notices.push(`server ${name}: a shared server's state is not scored`);
  if (isolation === "shared" && entry.tools === undefined) {
    notices.push(`server ${name}: a shared server offers only what "tools" names, so it offers nothing`);
  }
  return {
    name,
    ...transport,
    isolation,
    tools: entry.tools ?? (isolation === "shared" ? [] : null),
    state: isolation === "shared" ? null : state,
    timeoutMs: timeoutMs(entry.timeout, 30),
    startTimeoutMs: timeoutMs(entry.startTimeout, 20),
    optional: entry.optional ?? false,
    disabled,
    reset,
    secrets: [...secrets],
    source: value as Record<string, unknown>,
  };
}

type TransportType = ServerConfig["type"];
type Transport =
  | Pick<SandboxServerConfig, "type">
  | Pick<StdioServerConfig, "type" | "command" | "args" | "env" | "cwd">
  | Pick<HttpServerConfig, "type" | "url" | "headers">;
type Fill = (text: string, field: string) => string;

function typeOf(entry: ServerEntry): TransportType {
  const { type } = entry;
  if (type === "sandbox" || type === "stdio" || type === "sse") return type;
  if (type !== undefined) return "http";
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl;
  if (entry.command !== undefined && url !== undefined) {
    throw new EntryError('has both a command and a url; name one, or say which with "type"');
  }
  if (entry.command !== undefined) return "stdio";
  if (url !== undefined) return "http";
  throw new EntryError('needs a command, a url, or "type": "sandbox"');
}

function readTransport(type: TransportType, entry: ServerEntry, fill: Fill, folder: string): Transport {
  if (type === "sandbox") return { type };
  if (type === "stdio") {
    if (entry.command === undefined) throw new EntryError("a stdio server needs a command");
    const cwd = entry.cwd === undefined ? null : fill(entry.cwd, "cwd");
    const program = [fill(entry.command, "command"), ...(entry.args ?? []).map((arg, at) => fill(arg, `args[${at}]`))];
    const [command = "", ...args] = cwd === null ? resolveProgram(program, folder) : program;
    return {
      type,
      command,
      args,
      env: mapValues(entry.env ?? {}, (value, key) => fill(value, `env.${key}`)),
      cwd: cwd === null || cwd.startsWith("${") ? cwd : resolve(folder, cwd),
    };
  }
  const key = entry.url !== undefined ? "url" : entry.serverUrl !== undefined ? "serverUrl" : "httpUrl";
  const address = entry[key];
  if (address === undefined) throw new EntryError(`an ${type} server needs a url`);
  const url = fill(address, key);
  const protocol = URL.canParse(url) ? new URL(url).protocol : "";
  if (!entry.disabled && protocol !== "http:" && protocol !== "https:") {
    throw new EntryError("is not an http or https address", [key]);
  }
  return { type, url, headers: mapValues(entry.headers ?? {}, (value, header) => fill(value, `headers.${header}`)) };
}

const INTERPRETER = /^(node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|ruby|php|perl|sh|bash)$/;

/**
 * A server without a `cwd` runs in its side's folder, so that what it writes stays apart. Its program is found all the
 * same: a relative path of the command, or of the script that an interpreter is given first, starts at the folder of
 * the file.
 */
function resolveProgram([command = "", ...args]: readonly string[], folder: string): string[] {
  if (/[\\/]/.test(command)) return [command.startsWith("${") ? command : resolve(folder, command), ...args];
  const script = INTERPRETER.test(command) ? args.findIndex((arg) => !arg.startsWith("-")) : -1;
  return [
    command,
    ...args.map((arg, at) => (at === script && existsSync(resolve(folder, arg)) ? resolve(folder, arg) : arg)),
  ];
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
  return state.probe === "files"
    ? { ...state, root: fill(state.root, "state.root") }
    : { ...state, file: fill(state.file, "state.file") };
}

function expandReset(reset: ResetCommand, fill: Fill): ResetCommand {
  return {
    command: fill(reset.command, "reset.command"),
    args: reset.args.map((arg, at) => fill(arg, `reset.args[${at}]`)),
  };
}

const SECRET_NAME = /token|secret|passw|api_?-?key|authorization|credential|cookie/i;

/** Values written into the file itself whose name says that they are secret. */
function literalSecrets(entry: ServerEntry): string[] {
  return [...Object.entries(entry.env ?? {}), ...Object.entries(entry.headers ?? {})]
    .filter(([key, value]) => SECRET_NAME.test(key) && !value.includes("${"))
    .map(([, value]) => value);
}

function mapValues(
  record: Readonly<Record<string, string>>,
  map: (value: string, key: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
