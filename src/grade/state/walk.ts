import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { StatePath } from "../../record/grades.ts";
import type { Aligner, Three } from "./align.ts";
import { childOf, isEmpty, ruleAt } from "./content.ts";
import { type Identity, readPlain } from "./identity.ts";
import { differ, type Holding, holdContainer, holdScalar, kindOf, MISSING } from "./leaves.ts";
import type { RuleNode } from "./rules.ts";
import { checkDepth, own } from "./tree.ts";

/** One path of a diff as the grader works with it. */
export interface DiffEntry {
  readonly kind: StatePath["kind"];
  /** Parts by the reference's keys and indices; where it has none, by the start state's, else by the tested end's. */
  readonly path: readonly string[];
  /** Parts by the tested end's keys and indices, or null where they cannot be told. */
  readonly afterPath: readonly string[] | null;
  /** How many parts lead to the first array on the way; the length of the path if there is none. */
  readonly arrayAt: number;
  readonly before: Json | undefined;
  readonly reference: Json | undefined;
  readonly after: Json | undefined;
}

/** What a walk works with. */
export interface WalkOptions {
  readonly identity: Identity;
  readonly aligner: Aligner;
  readonly tolerance: number;
  /** True: pairs open ids of matched records on the way. */
  readonly settle: boolean;
  readonly onEntry: (entry: DiffEntry) => void;
}

/** One step of a path, from the leaf up. */
interface Place {
  readonly up: Place | null;
  readonly part: string;
  /** The part in the tested end's state; null if that cannot be told. */
  readonly afterPart: string | null;
  readonly inArray: boolean;
}

/** Walks three states side by side. */
export type Walk = (states: Three<Json>, rules: RuleNode | null) => void;

/** Makes the function that walks three states side by side. What all three share is skipped. */
export function createWalk(options: WalkOptions): Walk {
  const { identity, aligner, tolerance, settle } = options;
  const referenceIds = identity.reference.ids;
  const afterIds = identity.after.ids;
  const hasIds = referenceIds.ids.length > 0 || afterIds.ids.length > 0;

  function visit(three: Three<Json>, node: RuleNode | null, place: Place | null, depth: number): void {
    const { before, reference, after } = three;
    if (before === reference && reference === after) return;
    const rule = ruleAt(node);
    if (rule.ignored) return;
    checkDepth(depth);
    // Containers of one kind cannot differ themselves, only below.
    if (isJsonObject(before) && isJsonObject(reference) && isJsonObject(after)) {
      visitObject({ before, reference, after }, node, place, depth);
      return;
    }
    compareLeaf(three, node, place);
    const objects = { before: asObject(before), reference: asObject(reference), after: asObject(after) };
    if (hasSome(objects)) visitObject(objects, node, place, depth);
    const arrays = { before: asArray(before), reference: asArray(reference), after: asArray(after) };
    if (hasSome(arrays)) (rule.ordered ? visitOrdered : visitUnordered)(arrays, node, place, depth);
  }

  function compareLeaf(three: Three<Json>, node: RuleNode | null, place: Place | null): void {
    const rule = ruleAt(node);
    const { before, reference, after } = three;
    if (settle) settleTexts(reference, after);
    const old = hold(before, node, readPlain);
    const wanted = hold(reference, node, identity.reference.read);
    const found = hold(after, node, identity.after.read);
    const changed = differ(wanted, old, rule, tolerance);
    const offReference = differ(found, wanted, rule, tolerance);
    const kind = kindOf(changed, offReference, changed && offReference && differ(found, old, rule, tolerance));
    if (kind !== null) options.onEntry({ kind, ...partsOf(place), before, reference, after });
  }

  function visitObject(three: Three<JsonObject>, node: RuleNode | null, place: Place | null, depth: number): void {
    const { before, reference, after } = three;
    if (settle && reference !== undefined && after !== undefined) aligner.pairRecords(reference, after, node, depth);
    /** The tested end's key for a key of the reference. */
    const afterKey = (key: string): string | null => {
      if (!hasIds) return key;
      const id = referenceIds.indexOf(key);
      if (id === undefined) return afterIds.indexOf(key) === undefined ? key : null;
      return afterIds.ids[identity.reference.partner[id] ?? -1] ?? null;
    };
    const step = (part: string, afterPart: string | null, values: Three<Json>) => {
      if (values.before === values.reference && values.reference === values.after) return;
      visit(values, childOf(node, part), { up: place, part, afterPart, inArray: false }, depth + 1);
    };
    const seen = hasIds && after !== undefined ? new Set<string>() : null;
    const keys = keysOf(reference);
    for (const key of settle ? inFixedOrder(keys) : keys) {
      const other = afterKey(key);
      if (other !== null) seen?.add(other);
      step(key, other, { before: own(before, key), reference: own(reference, key), after: own(after, other) });
    }
    for (const key of keysOf(before)) {
      if (own(reference, key) !== undefined) continue;
      seen?.add(key);
      step(key, key, { before: own(before, key), reference: undefined, after: own(after, key) });
    }
    for (const key of keysOf(after)) {
      if (seen !== null ? seen.has(key) : own(reference, key) !== undefined || own(before, key) !== undefined) continue;
      step(key, key, { before: undefined, reference: undefined, after: own(after, key) });
    }
  }

  function visitOrdered(
    three: Three<readonly Json[]>,
    node: RuleNode | null,
    place: Place | null,
    depth: number,
  ): void {
    const { before = [], reference = [], after = [] } = three;
    const length = Math.max(before.length, reference.length, after.length);
    for (let at = 0; at < length; at++) {
      const part = String(at);
      const values = { before: before[at], reference: reference[at], after: after[at] };
      visit(values, childOf(node, part), { up: place, part, afterPart: part, inArray: true }, depth + 1);
    }
  }

  function visitUnordered(
    three: Three<readonly Json[]>,
    node: RuleNode | null,
    place: Place | null,
    depth: number,
  ): void {
    const { before = [], reference = [], after = [] } = three;
    for (const slot of aligner.slots(three, node, depth)) {
      const part = String(slot.reference ?? slot.before ?? slot.after ?? 0);
      const afterPart = slot.after === null ? null : String(slot.after);
      const values = {
        before: slot.before === null ? undefined : before[slot.before],
        reference: slot.reference === null ? undefined : reference[slot.reference],
        after: slot.after === null ? undefined : after[slot.after],
      };
      visit(values, childOf(node, part), { up: place, part, afterPart, inArray: true }, depth + 1);
    }
  }

  /** While ids are paired as they are met, the order of keys must not matter. Minted keys have no order of their own. */
  function inFixedOrder(keys: readonly string[]): string[] {
    const isMinted = (key: string) => referenceIds.indexOf(key) !== undefined;
    return [...keys.filter((key) => !isMinted(key)).sort(), ...keys.filter(isMinted)];
  }

  /** In two texts of matched records, ids at the same position are the same thing, unless they have records of their own. */
  function settleTexts(reference: Json | undefined, after: Json | undefined): void {
    if (typeof reference !== "string" || typeof after !== "string") return;
    const left = referenceIds.split(reference);
    const right = left === null ? null : afterIds.split(after);
    if (left === null || right === null || left.length !== right.length) return;
    if (left.some((part, i) => typeof part !== typeof right[i] || (typeof part === "string" && part !== right[i])))
      return;
    left.forEach((part, i) => {
      const other = right[i];
      if (typeof part !== "number" || typeof other !== "number") return;
      if (identity.reference.keyed[part] !== 1 && identity.after.keyed[other] !== 1) identity.pair(part, other);
    });
  }

  return (states, rules) => visit(states, rules, null, 0);
}

function hold(value: Json | undefined, node: RuleNode | null, read: (text: string) => string): Holding {
  if (value === undefined) return MISSING;
  if (typeof value !== "object" || value === null) return holdScalar(value, read);
  return holdContainer(value, isEmpty(value, node));
}

function asObject(value: Json | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

function asArray(value: Json | undefined): readonly Json[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function hasSome(three: Three<unknown>): boolean {
  return three.before !== undefined || three.reference !== undefined || three.after !== undefined;
}

function keysOf(object: JsonObject | undefined): string[] {
  return object === undefined ? [] : Object.keys(object);
}

function partsOf(place: Place | null): Pick<DiffEntry, "path" | "afterPath" | "arrayAt"> {
  const path: string[] = [];
  const afterPath: string[] = [];
  let known = true;
  let fromEnd = 0;
  for (let at = place; at !== null; at = at.up) {
    path.push(at.part);
    if (at.afterPart === null) known = false;
    else afterPath.push(at.afterPart);
    if (at.inArray) fromEnd = path.length;
  }
  return {
    path: path.reverse(),
    afterPath: known ? afterPath.reverse() : null,
    arrayAt: fromEnd === 0 ? path.length : path.length - fromEnd,
  };
}
