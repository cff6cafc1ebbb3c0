import { hashJson } from "../base/canonical-json.ts";
import type { JsonObject } from "../base/json.ts";
import type { LockedServer } from "../config/lock-file.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { offeredTools } from "../pool/member.ts";
import type { ListedServer } from "../pool/remote-member.ts";
import type { ToolDefinition } from "../sandbox/catalog.ts";

/** How a server differs from its lock, in words. */
export interface Drift {
  /** Of the tools that are offered: those that are gone, new or changed. Plans and numbers may not hold any more. */
  readonly tools: readonly string[];
  /** Another version or description, which changes no schema. */
  readonly notes: readonly string[];
}

/** What a lock keeps of a server. */
export function lockedOf({ identity, tools }: ListedServer): LockedServer {
  const { name, version, protocol } = identity;
  return { name, version, protocol, tools: Object.fromEntries(tools.map((tool) => [tool.name, hashesOf(tool)])) };
}

/** Compares what a server is with what it was. Tools that its entry does not offer do not count. */
export function driftOf(config: ServerConfig, was: LockedServer, listed: ListedServer): Drift {
  const is = lockedOf(listed);
  const offered = (name: string) => offeredTools(config, [{ name, description: "", inputSchema: {} }]).length > 0;
  const tools: string[] = [];
  const notes: string[] = [];
  if (was.version !== is.version) {
    notes.push(`${config.name} is version ${is.version ?? "unknown"}, and was ${was.version ?? "unknown"}`);
  }
  for (const name of new Set([...Object.keys(was.tools), ...Object.keys(is.tools)])) {
    if (!offered(name)) continue;
    const before = was.tools[name];
    const now = is.tools[name];
    const full = `${config.name}.${name}`;
    if (now === undefined) tools.push(`${full} is gone`);
    else if (before === undefined) tools.push(`${full} is new`);
    else if (before.schema !== now.schema) tools.push(`${full} has another schema`);
    else if (before.words !== now.words) notes.push(`${full} has another description`);
  }
  return { tools, notes };
}

/** The tools of a server in the order of its lock, new ones last, so that their names in a pool do not depend on its mood. */
export function inLockedOrder(listed: ListedServer, lock: LockedServer | undefined): ListedServer {
  if (lock === undefined) return listed;
  const places = new Map(Object.keys(lock.tools).map((name, at) => [name, at]));
  const placeOf = ({ name }: ToolDefinition) => places.get(name) ?? places.size;
  return { ...listed, tools: listed.tools.toSorted((a, b) => placeOf(a) - placeOf(b)) };
}

function hashesOf({ name, inputSchema, outputSchema, ...words }: ToolDefinition): LockedServer["tools"][string] {
  const short = (value: JsonObject) => hashJson(value).slice(0, 16);
  return {
    schema: short({ inputSchema, ...(outputSchema === undefined ? {} : { outputSchema }) }),
    words: short(words as unknown as JsonObject),
  };
}
