import type { Json } from "../../base/json.ts";
import { identical } from "./tree.ts";

/** Indices of elements in each of three arrays. */
export interface Indices {
  readonly before: readonly number[];
  readonly reference: readonly number[];
  readonly after: readonly number[];
}

/**
 * The elements that are left when those go that all three arrays have alike: at the same index, at the same distance from
 * the end, or as one shared object. Equal elements cancel each other anyway; this is the cheap part of it. Elements of the
 * start state hold no minted ids, so what is alike needs no look at who is who.
 */
export function withoutShared(
  before: readonly Json[],
  reference: readonly Json[],
  after: readonly Json[],
  depth: number,
): Indices {
  const lists = [before, reference, after] as const;
  const shortest = Math.min(before.length, reference.length, after.length);
  const gone = lists.map((list) => new Uint8Array(list.length));
  const isGone = (which: number, at: number) => gone[which]?.[at] === 1;
  const drop = (which: number, at: number) => gone[which]?.fill(1, at, at + 1);

  function dropAlike(i: number, j: number, k: number): void {
    if (isGone(0, i) || isGone(1, j) || isGone(2, k)) return;
    if (!identical(before[i], reference[j], depth) || !identical(reference[j], after[k], depth)) return;
    drop(0, i);
    drop(1, j);
    drop(2, k);
  }

  for (let at = 0; at < shortest; at++) dropAlike(at, at, at);
  if (lists.some((list) => list.length > shortest)) {
    for (let at = 1; at <= shortest; at++) dropAlike(before.length - at, reference.length - at, after.length - at);
  }
  if (shortest > 0) dropOneObject(lists, gone);
  const rest = (which: 0 | 1 | 2) => {
    const indices: number[] = [];
    for (let at = 0; at < lists[which].length; at++) if (!isGone(which, at)) indices.push(at);
    return indices;
  };
  return { before: rest(0), reference: rest(1), after: rest(2) };
}

/** Marks elements that are one object in all lists, as often as all of them have it. */
function dropOneObject(lists: readonly (readonly Json[])[], gone: readonly Uint8Array[]): void {
  const places = new Map<object, number[][]>();
  lists.forEach((list, which) => {
    list.forEach((value, at) => {
      if (typeof value !== "object" || value === null || gone[which]?.[at] === 1) return;
      let found = places.get(value);
      if (found === undefined) {
        found = lists.map(() => []);
        places.set(value, found);
      }
      found[which]?.push(at);
    });
  });
  for (const found of places.values()) {
    const shared = Math.min(...found.map((indices) => indices.length));
    found.forEach((indices, which) => {
      for (const at of indices.slice(0, shared)) gone[which]?.fill(1, at, at + 1);
    });
  }
}
