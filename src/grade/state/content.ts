import type { Json } from "../../base/json.ts";
import { hashScalar, type LeafRule, PLAIN } from "./comparers.ts";
import { add, type Hash, hashKey, mix, TAG } from "./hash.ts";
import type { Naming } from "./identity.ts";
import type { RuleNode } from "./rules.ts";
import { checkDepth } from "./tree.ts";

/** The rule at a node. */
export function ruleAt(node: RuleNode | null): LeafRule {
  return node === null ? PLAIN : node.rule;
}

/** True if a container holds nothing that counts. */
export function isEmpty(container: object, node: RuleNode | null): boolean {
  if (Array.isArray(container)) return container.length === 0;
  const object = container as Readonly<Record<string, unknown>>;
  // Not Object.keys: the first key mostly decides, and some containers are large.
  for (const key in object) {
    if (!Object.hasOwn(object, key) || object[key] === undefined) continue;
    if (node === null || !ruleAt(node.child(key)).ignored) return false;
  }
  return true;
}

/** A text as it is hashed: minted ids by their names. */
function namedText(text: string, naming: Naming): string {
  const parts = naming.ids.split(text);
  if (parts === null) return text;
  return parts.map((part) => (typeof part === "string" ? part : `\uE000${naming.nameOf(part)}\uE000`)).join("");
}

/** Hashes the content of values. */
export interface ContentHasher {
  /**
   * The hash of all that counts in `value`, a part of a state to which `node` applies. Order of keys does not matter, nor
   * order of elements unless the array is `ordered`. Minted ids enter by their names.
   */
  hash(value: Json, node: RuleNode | null, naming: Naming, depth: number): Hash;
}

/** Makes a hasher that remembers parts without minted ids, which before, reference and after often share. */
export function contentHasher(): ContentHasher {
  const known = new Map<RuleNode | null, WeakMap<object, Hash>>();
  let mintedSeen = 0;

  function hash(value: Json, node: RuleNode | null, naming: Naming, depth: number): Hash {
    if (typeof value === "string") {
      const text = namedText(value, naming);
      if (text !== value) mintedSeen++;
      return hashScalar(text, ruleAt(node));
    }
    if (typeof value !== "object" || value === null) return hashScalar(value, ruleAt(node));
    let memory = known.get(node);
    if (memory === undefined) {
      memory = new WeakMap();
      known.set(node, memory);
    }
    const remembered = memory.get(value);
    if (remembered !== undefined) return remembered;
    checkDepth(depth);
    const seenBefore = mintedSeen;
    const made = Array.isArray(value)
      ? hashArray(value, node, naming, depth)
      : hashObject(value as Readonly<Record<string, Json>>, node, naming, depth);
    if (mintedSeen === seenBefore) memory.set(value, made);
    return made;
  }

  function hashArray(items: readonly Json[], node: RuleNode | null, naming: Naming, depth: number): Hash {
    if (items.length === 0) return TAG.emptyArray;
    const ordered = ruleAt(node).ordered;
    let sum: Hash = 0;
    for (let i = 0; i < items.length; i++) {
      const item = mix(TAG.element, hash(items[i] as Json, childOf(node, i), naming, depth + 1));
      sum = ordered ? mix(sum, item) : add(sum, item);
    }
    return mix(TAG.array, sum);
  }

  function hashObject(
    object: Readonly<Record<string, Json>>,
    node: RuleNode | null,
    naming: Naming,
    depth: number,
  ): Hash {
    let sum: Hash = 0;
    let counted = false;
    for (const key of Object.keys(object)) {
      const value = object[key];
      const child = childOf(node, key);
      if (value === undefined || ruleAt(child).ignored) continue;
      counted = true;
      const id = naming.ids.indexOf(key);
      if (id !== undefined) mintedSeen++;
      const name = id === undefined ? hashKey(key) : mix(TAG.record, naming.nameOf(id));
      sum = add(sum, mix(name, hash(value, child, naming, depth + 1)));
    }
    return counted ? mix(TAG.object, sum) : TAG.emptyObject;
  }

  return { hash };
}

/** The node of one part further down; elements of arrays are parts by their index. */
export function childOf(node: RuleNode | null, part: string | number): RuleNode | null {
  return node === null ? null : node.child(String(part));
}
