import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { become, draftOf, isSchema, type SchemaDraft, walkSchema } from "./schema-walk.ts";

/** What becomes of a reference that leads back to itself: it stays, or the inner one is cut off. */
export type RecursionRule = "keep" | "cut";

/** Characters put in place of references in one schema; beyond it they are treated as recursive ones, since copies multiply. */
const MOST_COPIED = 30_000;

/**
 * A copy of a schema with each reference replaced by what it names; keywords beside a reference win over those it brings.
 * Recursive references are kept, and what they name is moved to `$defs`, or cut. A reference that names nothing
 * becomes a schema that allows anything.
 * @param notices gets what the model no longer sees
 */
export function inlineReferences(schema: JsonObject, recursion: RecursionRule, notices: string[]): SchemaDraft {
  const definitions = new Map<string, SchemaDraft>();
  const inliner = { schema, recursive: recursivePointers(schema), definitions, copied: 0, notices };
  const root = draftOf(schema);
  openRoot(root, inliner);
  inlined(root, [], inliner, recursion);
  // The map grows while it is read: a definition may refer to others.
  for (const [pointer, draft] of definitions) inlined(draft, [pointer], inliner, recursion);
  if (definitions.size === 0) return root;
  const names = definitionNames([...definitions.keys()]);
  root.$defs = Object.fromEntries([...definitions].map(([pointer, draft]) => [names.get(pointer), draft]));
  walkSchema(root, {
    before: (part) => {
      const name = typeof part.$ref === "string" ? names.get(part.$ref) : undefined;
      if (name !== undefined) part.$ref = `#/$defs/${name}`;
    },
  });
  return root;
}

interface Inliner {
  readonly schema: JsonObject;
  readonly recursive: ReadonlySet<string>;
  /** What kept references name, by pointer. */
  readonly definitions: Map<string, SchemaDraft>;
  copied: number;
  readonly notices: string[];
}

/** The root and its branches are always opened, recursive or not: parameters are read there. */
function openRoot(part: SchemaDraft, inliner: Inliner, seen: readonly string[] = []): void {
  const around = [...seen];
  while (typeof part.$ref === "string" && !around.includes(part.$ref)) replace(part, around, inliner);
  for (const branches of [part.anyOf, part.oneOf, part.allOf]) {
    if (Array.isArray(branches)) for (const branch of branches.filter(isSchema)) openRoot(branch, inliner, around);
  }
}

function inlined(root: SchemaDraft, from: readonly string[], inliner: Inliner, recursion: RecursionRule): void {
  // The pointers that the schemas around the one visited came from.
  const around: string[] = [...from];
  const opened: number[] = [];
  walkSchema(root, {
    before: (part) => {
      opened.push(around.length);
      delete part.$defs;
      delete part.definitions;
      // A target may be nothing but a reference itself.
      while (typeof part.$ref === "string" && !keeps(part, around, inliner, recursion)) replace(part, around, inliner);
    },
    after: () => {
      around.length = opened.pop() ?? 0;
    },
  });
}

/** Whether a reference stays as it is; where it is cut instead, it is gone afterwards. */
function keeps(part: SchemaDraft, around: readonly string[], inliner: Inliner, recursion: RecursionRule): boolean {
  const pointer = part.$ref as string;
  const many = inliner.copied >= MOST_COPIED;
  if (recursion === "cut") {
    if (!many && !around.includes(pointer)) return false;
    const { $ref: _, ...beside } = part;
    const type = targetOf(inliner.schema, pointer)?.type;
    become(part, { ...(type === undefined ? {} : { type }), ...beside });
    inliner.notices.push(`what ${pointer} names is cut where it repeats itself`);
    return true;
  }
  if (!many && !inliner.recursive.has(pointer)) return false;
  const target = targetOf(inliner.schema, pointer);
  if (target === undefined) return false;
  if (!inliner.definitions.has(pointer)) inliner.definitions.set(pointer, draftOf(target));
  return true;
}

function replace(part: SchemaDraft, around: string[], inliner: Inliner): void {
  const { $ref: pointer, ...beside } = part;
  const target = targetOf(inliner.schema, String(pointer));
  if (target === undefined) inliner.notices.push(`${pointer} names nothing, so any value is allowed in its place`);
  else inliner.copied += JSON.stringify(target).length;
  around.push(String(pointer));
  const { $defs: _, definitions: __, ...found } = target === undefined ? {} : draftOf(target);
  become(part, { ...found, ...beside });
}

/** The schema that a reference within its own document names, by a JSON Pointer or an anchor. */
function targetOf(root: JsonObject, reference: string): JsonObject | undefined {
  if (!reference.startsWith("#")) return undefined;
  const path = decoded(reference.slice(1));
  if (path !== "" && !path.startsWith("/")) return anchored(root, path);
  let at: Json | undefined = root;
  for (const step of path.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(at)) at = at[Number(key)];
    else at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  if (at === true) return {};
  return isJsonObject(at) ? at : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function anchored(root: JsonObject, name: string): JsonObject | undefined {
  let found: SchemaDraft | undefined;
  walkSchema(draftOf(root), {
    before: (part) => {
      if (part.$anchor === name || part.$dynamicAnchor === name || part.$id === `#${name}`) found ??= part;
    },
  });
  return found as JsonObject | undefined;
}

/** References that lead back to themselves, however many others lie between. */
function recursivePointers(root: JsonObject): ReadonlySet<string> {
  const leads = new Map<string, ReadonlySet<string>>();
  const open = [...referencesIn(root)];
  for (let pointer = open.pop(); pointer !== undefined; pointer = open.pop()) {
    if (leads.has(pointer)) continue;
    const target = targetOf(root, pointer);
    const inner = target === undefined ? new Set<string>() : referencesIn(target);
    leads.set(pointer, inner);
    open.push(...inner);
  }
  return new Set([...leads.keys()].filter((pointer) => reaches(pointer, pointer, leads)));
}

function reaches(from: string, to: string, leads: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const seen = new Set<string>();
  const open = [...(leads.get(from) ?? [])];
  for (let pointer = open.pop(); pointer !== undefined; pointer = open.pop()) {
    if (pointer === to) return true;
    if (seen.has(pointer)) continue;
    seen.add(pointer);
    open.push(...(leads.get(pointer) ?? []));
  }
  return false;
}

function referencesIn(schema: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  walkSchema(draftOf(schema), {
    before: (part) => {
      if (typeof part.$ref === "string") found.add(part.$ref);
    },
  });
  return found;
}

/** Short names that are all different, as in `Node` for `#/$defs/Node`. */
function definitionNames(pointers: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const pointer of pointers) {
    const last = (pointer.split("/").at(-1) ?? "").replace(/[^a-zA-Z0-9_-]/g, "") || "root";
    let name = last;
    for (let n = 2; taken.has(name); n++) name = `${last}_${n}`;
    taken.add(name);
    names.set(pointer, name);
  }
  return names;
}
