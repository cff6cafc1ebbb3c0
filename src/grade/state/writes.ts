import { isJsonObject, type Json } from "../../base/json.ts";
import { fromPointer } from "../../base/pointer.ts";

/** A tool call and the paths that it changed, from the server name on. */
export interface CallWrites {
  readonly call: number;
  readonly paths: readonly string[];
}

/** Values kept by path. */
export interface PathIndex<T> {
  add(path: readonly string[], value: T): void;
  /** All values at `path`, above it and below it. */
  touching(path: readonly string[]): T[];
}

interface Branch<T> {
  readonly values: T[];
  readonly children: Map<string, Branch<T>>;
}

/** An empty index. */
export function createPathIndex<T>(): PathIndex<T> {
  const branch = (): Branch<T> => ({ values: [], children: new Map() });
  const root = branch();

  function below(from: Branch<T>, into: T[]): void {
    const stack = [from];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      for (const value of next.values) into.push(value);
      stack.push(...next.children.values());
    }
  }

  return {
    add(path, value) {
      let at = root;
      for (const part of path) {
        let next = at.children.get(part);
        if (next === undefined) {
          next = branch();
          at.children.set(part, next);
        }
        at = next;
      }
      at.values.push(value);
    },
    touching(path) {
      const found: T[] = [];
      let at = root;
      for (const part of path) {
        found.push(...at.values);
        const next = at.children.get(part);
        if (next === undefined) return found;
        at = next;
      }
      below(at, found);
      return found;
    },
  };
}

/**
 * The parts of a written path. A write to the length of an array is a write to the array.
 * @param states the states in which the path may be looked up
 */
export function writtenParts(pointer: string, states: readonly Json[]): string[] {
  const parts = fromPointer(pointer);
  if (parts.at(-1) !== "length") return parts;
  const parent = parts.slice(0, -1);
  return states.some((state) => Array.isArray(valueAt(state, parent))) ? parent : parts;
}

function valueAt(state: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = state;
  for (const part of path) {
    if (Array.isArray(value)) value = (value as readonly Json[])[Number(part)];
    else if (isJsonObject(value) && Object.hasOwn(value, part)) value = value[part];
    else return undefined;
  }
  return value;
}
