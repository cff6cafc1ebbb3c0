import { readFileSync } from "node:fs";
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
import type { ExpansionSource, InputDefault } from "./expand.ts";
import type { ServerConfig } from "./server-config.ts";
import { EntryError, readEntry } from "./server-entry.ts";

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
 * Reads the servers of a configuration file: JSON with comments and trailing commas, the servers under `mcpServers`, or under
 * another of the names that are in use.
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
    const code = printParseErrorCode(first.error);
    const words = code.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
    const advice = code === "InvalidEscapeCharacter" ? "; write each backslash of a path twice" : "";
    throw fail("syntax", first.offset, `not valid JSON: ${words}${advice}`);
  }
  if (tree !== undefined && tree.type !== "object") throw fail("shape", tree.offset, "expected an object { … }");

  const servers = new Map<string, ServerConfig>();
  const problems = new Map<string, ServerProblem>();
  const notices: string[] = [];
  const source = { env, folder: dirname(file), inputs: tree === undefined ? new Map() : inputsOf(tree) };
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

/** Where programs keep their servers. */
const ROOTS = [["mcpServers"], ["servers"], ["mcp", "servers"], ["context_servers"]] as const;

function rootsOf(tree: Node): Node[] {
  const roots = ROOTS.map((path) => findNodeAtLocation(tree, [...path])).filter((node) => node !== undefined);
  // One program keeps its servers right below `mcp`.
  const mcp = findNodeAtLocation(tree, ["mcp"]);
  return roots.length === 0 && mcp !== undefined ? [mcp] : roots;
}

const inputSchema = z.object({
  id: z.string(),
  default: z.union([z.string(), z.number(), z.boolean()]).transform(String),
  password: z.boolean().default(false),
});

/** The defaults of the values that the file wants a person to be asked for. */
function inputsOf(tree: Node): ReadonlyMap<string, InputDefault> {
  const found = [["inputs"], ["mcp", "inputs"]].flatMap((path) => {
    const node = findNodeAtLocation(tree, path);
    const value: unknown = node === undefined ? [] : getNodeValue(node);
    return Array.isArray(value) ? (value as unknown[]) : [];
  });
  return new Map(
    found.flatMap((item) => {
      const { success, data } = inputSchema.safeParse(item);
      return success ? [[data.id, { value: data.default, secret: data.password }]] : [];
    }),
  );
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
