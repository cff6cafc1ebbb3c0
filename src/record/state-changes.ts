import { isJsonObject, type Json } from "../base/json.ts";
import { escapePart, fromPointer, toPointer } from "../base/pointer.ts";

/**
 * How one state becomes another: paths that get a value, and paths that go. An array that changed is set as a whole, since
 * the places of its elements say little.
 */
export interface StateChanges {
  readonly set: readonly (readonly [path: string, value: Json])[];
  readonly remove: readonly string[];
}

/** The changes from `start` to `end`. Parts that both share are skipped without a look into them. */
export function changesBetween(start: Json, end: Json): StateChanges {
  const set: [string, Json][] = [];
  const remove: string[] = [];
  const walk = (from: Json, to: Json, path: readonly string[]): void => {
    if (from === to) return;
    if (!isJsonObject(from) || !isJsonObject(to)) {
      if (!isSame(from, to)) set.push([toPointer(path), to]);
      return;
    }
    for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) remove.push(toPointer([...path, key]));
    for (const [key, value] of Object.entries(to)) {
      const before = Object.hasOwn(from, key) ? from[key] : undefined;
      if (before === undefined) set.push([toPointer([...path, key]), value]);
      else walk(before, value, [...path, key]);
    }
  };
  walk(start, end, []);
  return { set, remove };
}

function isSame(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  return JSON.stringify(a) === JSON.stringify(b);
}

/** `start` with changes made. What does not change is shared with `start`. @throws RangeError if a path is not there */
export function applyChanges(start: Json, { set, remove }: StateChanges): Json {
  const root = node();
  for (const path of remove) nodeAt(root, path).removed = true;
  for (const [path, value] of set) nodeAt(root, path).value = value;
  return set.length + remove.length === 0 ? start : changed(start, root, "");
}

/** What changes at a path and below it. */
interface ChangeNode {
  value: Json | undefined;
  removed: boolean;
  readonly below: Map<string, ChangeNode>;
}

function node(): ChangeNode {
  return { value: undefined, removed: false, below: new Map() };
}

function nodeAt(root: ChangeNode, path: string): ChangeNode {
  let at = root;
  for (const part of fromPointer(path)) {
    let next = at.below.get(part);
    if (next === undefined) {
      next = node();
      at.below.set(part, next);
    }
    at = next;
  }
  return at;
}

function changed(state: Json | undefined, change: ChangeNode, path: string): Json {
  if (change.value !== undefined) return change.value;
  if (!isJsonObject(state)) throw new RangeError(`the state has no object at ${path || "its root"}`);
  const entries = new Map(Object.entries(state));
  for (const [key, below] of change.below) {
    const place = `${path}/${escapePart(key)}`;
    if (!below.removed) entries.set(key, changed(entries.get(key), below, place));
    else if (!entries.delete(key)) throw new RangeError(`the state has nothing at ${place}`);
  }
  // Object.fromEntries makes own properties of all names, `__proto__` among them.
  return Object.fromEntries(entries);
}
