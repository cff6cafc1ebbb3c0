import { munkres } from "munkres";
import type { Json } from "../../base/json.ts";
import { equalNumbers } from "./comparers.ts";
import type { ContentHasher } from "./content.ts";
import { type Features, featuresOf, likeness } from "./features.ts";
import type { Hash } from "./hash.ts";
import type { Naming } from "./identity.ts";
import type { RuleNode } from "./rules.ts";

/** Up to this many records a side are matched exactly. */
export const EXACT_LIMIT = 100;

/** An element or record that looks for its counterpart. */
export interface Item {
  /** What the caller knows it by. */
  readonly at: number;
  readonly value: Json;
  readonly node: RuleNode | null;
  readonly naming: Naming;
  readonly hash: Hash;
  /** Decides between items that are equally good; the same however ids are spelled and elements are ordered. */
  readonly order: Hash;
}

/** Takes the place of an item on the left for an item on the right. */
export type OnPair = (left: Item, right: Item) => void;

/** Items of both sides that have no counterpart yet. */
export interface Unmatched {
  readonly left: readonly Item[];
  readonly right: readonly Item[];
}

/** Pairs items with equal keys, as often as both sides have them, and gives back the rest. A null key has no equal. */
export function cancelEqual(items: Unmatched, keyOf: (item: Item) => Hash | null, onPair: OnPair): Unmatched {
  if (items.left.length === 0 || items.right.length === 0) return items;
  const waiting = new Map<Hash, Item[]>();
  for (const item of items.left) {
    const key = keyOf(item);
    if (key === null) continue;
    const bucket = waiting.get(key);
    if (bucket === undefined) waiting.set(key, [item]);
    else bucket.push(item);
  }
  for (const bucket of waiting.values()) bucket.reverse();
  const paired = new Set<Item>();
  const right = items.right.filter((item) => {
    const key = keyOf(item);
    const partner = key === null ? undefined : waiting.get(key)?.pop();
    if (partner === undefined) return true;
    paired.add(partner);
    onPair(partner, item);
    return false;
  });
  return { left: items.left.filter((item) => !paired.has(item)), right };
}

/** Pairs numbers that are equal within `tolerance`, from the smallest on. */
export function matchNumbers(items: Unmatched, tolerance: number, onPair: OnPair): Unmatched {
  const numbers = (list: readonly Item[]) =>
    list.filter((item) => typeof item.value === "number").sort((a, b) => Number(a.value) - Number(b.value));
  const left = numbers(items.left);
  const right = numbers(items.right);
  const paired = new Set<Item>();
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const a = left[i] as Item;
    const b = right[j] as Item;
    if (equalNumbers(Number(a.value), Number(b.value), tolerance)) {
      paired.add(a).add(b);
      onPair(a, b);
      i++;
      j++;
    } else if (Number(a.value) < Number(b.value)) i++;
    else j++;
  }
  const rest = (list: readonly Item[]) => list.filter((item) => !paired.has(item));
  return { left: rest(items.left), right: rest(items.right) };
}

/**
 * Pairs records that are not equal so that as few leaves as possible differ: exactly (Munkres) up to
 * {@link EXACT_LIMIT} a side, beyond it greedily. Scalars are never paired, nor are records with different foreign keys or
 * without an equal leaf.
 * @returns true if the result may not be the best
 */
export function matchRecords(items: Unmatched, hasher: ContentHasher, onPair: OnPair): boolean {
  const left = candidates(items.left, hasher);
  const right = candidates(items.right, hasher);
  if (left.length === 0 || right.length === 0) return false;
  if (left.length > EXACT_LIMIT || right.length > EXACT_LIMIT) {
    matchGreedily(left, right, onPair);
    return true;
  }
  const gains = left.map((a) => right.map((b) => likeness(a.features, b.features) ?? 0));
  for (const [row, column] of munkres(gains.map((gainsOfRow) => gainsOfRow.map((gain) => -gain)))) {
    const a = left[row];
    const b = right[column];
    if (a !== undefined && b !== undefined && (gains[row]?.[column] ?? 0) > 0) onPair(a.item, b.item);
  }
  return false;
}

interface Candidate {
  readonly item: Item;
  readonly features: Features;
}

function candidates(items: readonly Item[], hasher: ContentHasher): Candidate[] {
  return items
    .filter((item) => typeof item.value === "object" && item.value !== null)
    .sort((a, b) => a.order - b.order || a.hash - b.hash)
    .map((item) => ({ item, features: featuresOf(item.value, item.node, item.naming, hasher) }));
}

/** Leaves of a record that are looked up, rarest first, and records that are compared with it, at most. */
const LOOKED_UP = 8;
const COMPARED = 48;

/**
 * Gives each record on the left the likest one still free among those that share one of its rarest leaves. Records with
 * rare leaves choose first.
 */
function matchGreedily(left: readonly Candidate[], right: readonly Candidate[], onPair: OnPair): void {
  const index = new Map<Hash, Candidate[]>();
  for (const candidate of right) {
    for (const feature of new Set(candidate.features.certain)) {
      const list = index.get(feature);
      if (list === undefined) index.set(feature, [candidate]);
      else list.push(candidate);
    }
  }
  const spread = (feature: Hash) => index.get(feature)?.length ?? 0;
  const queue = left
    .map((candidate) => {
      const shared = [...new Set(candidate.features.certain)].filter((feature) => index.has(feature));
      shared.sort((a, b) => spread(a) - spread(b) || a - b);
      return { candidate, shared, rarest: shared[0] === undefined ? 0 : spread(shared[0]) };
    })
    .filter(({ shared }) => shared.length > 0)
    .sort((a, b) => a.rarest - b.rarest);

  const taken = new Set<Candidate>();
  for (const { candidate, shared } of queue) {
    const tried = new Set<Candidate>();
    let best: Candidate | null = null;
    let bestGain = 0;
    for (const feature of shared.slice(0, LOOKED_UP)) {
      for (const other of someFree(index.get(feature) ?? [], taken, COMPARED - tried.size)) {
        if (tried.has(other)) continue;
        tried.add(other);
        const gain = likeness(candidate.features, other.features) ?? 0;
        if (gain > bestGain) [best, bestGain] = [other, gain];
      }
      if (tried.size >= COMPARED) break;
    }
    if (best === null) continue;
    taken.add(best);
    onPair(candidate.item, best.item);
  }
}

/** Some records with a leaf that are free, `count` at most. Taken ones that are met leave the index for good. */
function someFree(list: Candidate[], taken: ReadonlySet<Candidate>, count: number): Candidate[] {
  let at = 0;
  while (at < list.length && at < count) {
    const last = list.length - 1;
    if (!taken.has(list[at] as Candidate)) at++;
    else {
      list[at] = list[last] as Candidate;
      list.pop();
    }
  }
  return list.slice(0, at);
}
