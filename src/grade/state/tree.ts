import { TandemError } from "../../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";

/** States deeper than this are refused: no server of a pool has them, and they would exhaust the stack. */
export const MAX_DEPTH = 1000;

/** @throws TandemError `server.state-too-deep` if `depth` is beyond {@link MAX_DEPTH} */
export function checkDepth(depth: number): void {
  if (depth <= MAX_DEPTH) return;
  throw new TandemError("server.state-too-deep", `a state nests deeper than ${MAX_DEPTH} levels`, {
    hint: "Leave the deep part out of the server's state probe.",
  });
}

/** True if two values are the same JSON, order of keys aside. */
export function identical(a: Json | undefined, b: Json | undefined, depth: number): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  checkDepth(depth);
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!identical(a[i], b[i], depth + 1)) return false;
    return true;
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  let keys = 0;
  for (const key in a) {
    if (!Object.hasOwn(a, key)) continue;
    if (!Object.hasOwn(b, key) || !identical(a[key], b[key], depth + 1)) return false;
    keys++;
  }
  return Object.keys(b).length === keys;
}

/** What kind of container a value is. */
export function containerKind(value: Json | undefined): "object" | "array" | null {
  if (typeof value !== "object" || value === null) return null;
  return isJsonObject(value) ? "object" : "array";
}

/** An own property of an object, so that a key like `__proto__` is a key like any other. */
export function own(object: JsonObject | undefined, key: string | null): Json | undefined {
  if (object === undefined || key === null) return undefined;
  const value = object[key];
  // Nothing that is inherited is a scalar, so the dearer question is asked of the others only.
  if (typeof value !== "object" && typeof value !== "function") return value;
  return Object.hasOwn(object, key) ? value : undefined;
}
