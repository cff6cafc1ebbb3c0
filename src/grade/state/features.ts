import type { Json, JsonObject } from "../../base/json.ts";
import { hashScalar } from "./comparers.ts";
import { type ContentHasher, childOf, isEmpty, ruleAt } from "./content.ts";
import { type Hash, hashKey, mix, TAG } from "./hash.ts";
import type { Naming } from "./identity.ts";
import { idPrefix, isKnownId } from "./minted.ts";
import type { RuleNode } from "./rules.ts";
import { checkDepth } from "./tree.ts";

/** What a record is compared by. All arrays of hashes are sorted. */
export interface Features {
  readonly leaves: number;
  /** One hash per leaf, of its path and value. Leaves whose equality is not certain yet are not among them. */
  readonly certain: Float64Array;
  /** The same for leaves with minted ids that have no partner yet: they may turn out equal. */
  readonly open: Float64Array;
  /** One hash per leaf, of its place: two leaves at one place are one path. */
  readonly places: Float64Array;
  /** Ids by the field that holds nothing but an id. */
  readonly foreign: ReadonlyMap<Hash, string>;
}

/**
 * The features of a record. Elements of unordered arrays and records under open ids have no fixed place, so the parts of
 * their paths count as equal, and a scalar element has a place for each value.
 */
export function featuresOf(record: Json, rules: RuleNode | null, naming: Naming, hasher: ContentHasher): Features {
  const certain: Hash[] = [];
  const open: Hash[] = [];
  const places: Hash[] = [];
  const foreign = new Map<Hash, string>();

  function leaf(place: Hash, value: Hash, isOpen: boolean, isElement: boolean): void {
    const feature = mix(place, value);
    (isOpen ? open : certain).push(feature);
    places.push(isElement ? feature : place);
  }

  function walk(
    value: Json,
    node: RuleNode | null,
    place: Hash,
    fixed: boolean,
    element: boolean,
    depth: number,
  ): void {
    const rule = ruleAt(node);
    if (rule.ignored) return;
    if (typeof value === "string") {
      const parts = naming.ids.split(value);
      const isOpen = parts?.some((part) => typeof part === "number" && !naming.isKnown(part)) ?? false;
      if (fixed && rule.comparer === null) noteForeign(place, value);
      leaf(place, hasher.hash(value, node, naming, depth), isOpen, element);
      return;
    }
    if (typeof value !== "object" || value === null) {
      leaf(place, hashScalar(value, rule), false, element);
      return;
    }
    checkDepth(depth);
    if (isEmpty(value, node)) {
      leaf(place, Array.isArray(value) ? TAG.emptyArray : TAG.emptyObject, false, element);
      return;
    }
    if (Array.isArray(value)) {
      value.forEach((item: Json, index) => {
        const at = mix(place, rule.ordered ? mix(TAG.element, index) : TAG.element);
        walk(item, childOf(node, index), at, fixed && rule.ordered, !rule.ordered, depth + 1);
      });
      return;
    }
    for (const [key, child] of Object.entries(value as JsonObject)) {
      if (child === undefined) continue;
      const id = naming.ids.indexOf(key);
      const known = id === undefined || naming.isKnown(id);
      const name = id === undefined ? hashKey(key) : mix(TAG.record, naming.nameOf(id));
      walk(child, childOf(node, key), mix(place, name), fixed && known, false, depth + 1);
    }
  }

  function noteForeign(place: Hash, text: string): void {
    const id = naming.ids.indexOf(text);
    if (id === undefined) {
      if (isKnownId(text)) foreign.set(place, text);
    } else {
      foreign.set(place, naming.isKnown(id) ? `known ${naming.nameOf(id)}` : `open ${idPrefix(text)}`);
    }
  }

  walk(record, rules, TAG.record, true, false, 0);
  return {
    leaves: places.length,
    certain: Float64Array.from(certain).sort(),
    open: Float64Array.from(open).sort(),
    places: Float64Array.from(places).sort(),
    foreign,
  };
}

/**
 * How many leaves two records save by being compared with each other instead of one being missed and the other added:
 * the leaves of both, less the number of leaves that differ. Null if they must not be compared: a field holds different
 * ids, or no leaf is equal.
 */
export function likeness(a: Features, b: Features): number | null {
  const equal = common(a.certain, b.certain);
  if (equal === 0) return null;
  const [few, many] = a.foreign.size < b.foreign.size ? [a.foreign, b.foreign] : [b.foreign, a.foreign];
  for (const [place, id] of few) {
    const other = many.get(place);
    if (other !== undefined && other !== id) return null;
  }
  return common(a.places, b.places) + equal + common(a.open, b.open);
}

/** Size of the intersection of two sorted lists. */
function common(a: Float64Array, b: Float64Array): number {
  let count = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const left = a[i] as number;
    const right = b[j] as number;
    if (left === right) count++;
    if (left <= right) i++;
    if (right <= left) j++;
  }
  return count;
}
