import type { Json } from "../../base/json.ts";
import type { StatePath } from "../../record/grades.ts";
import { equalScalars, type LeafRule } from "./comparers.ts";
import { containerKind } from "./tree.ts";

/** What one state holds at a path. */
export interface Holding {
  /** Undefined where the path is missing. */
  readonly value: Json | undefined;
  /** The value as it is compared: a text with its minted ids replaced. */
  readonly read: Json | undefined;
  readonly container: "object" | "array" | null;
  /** True for a container that holds nothing that counts. */
  readonly empty: boolean;
}

/** A path without a value. */
export const MISSING: Holding = { value: undefined, read: undefined, container: null, empty: false };

/** A value that is no container. `read` replaces minted ids in a text. */
export function holdScalar(value: Json, read: (text: string) => string): Holding {
  return { value, read: typeof value === "string" ? read(value) : value, container: null, empty: false };
}

/** A container. */
export function holdContainer(value: Json, empty: boolean): Holding {
  return { value, read: value, container: containerKind(value), empty };
}

/**
 * True if two states differ at one path, what lies below it aside. Two scalars differ if they are not equal; a scalar
 * differs from all else. A container counts only where one state has it empty and the other lacks it or holds the other
 * kind: what else may differ about containers shows at the paths below.
 */
export function differ(a: Holding, b: Holding, rule: LeafRule, tolerance: number): boolean {
  const scalarA = a.container === null && a.read !== undefined;
  const scalarB = b.container === null && b.read !== undefined;
  if (scalarA && scalarB) return !equalScalars(a.read as Json, b.read as Json, rule, tolerance);
  if (scalarA || scalarB) return true;
  return (a.empty || b.empty) && a.container !== b.container;
}

/**
 * What happened at a path (DESIGN §6), or null if nothing is worth telling. `changed` is reference ≠ before. That a path
 * had to stay and did not is read off reference and after, so that success means that these two are equal; where equality
 * is transitive it is the same as after ≠ before.
 */
export function kindOf(changed: boolean, offReference: boolean, offBefore: boolean): StatePath["kind"] | null {
  if (!changed) return offReference ? "misbehaving" : null;
  if (!offReference) return "modified";
  return offBefore ? "wrong" : "missed";
}
