import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { type ContentHasher, childOf, isEmpty, ruleAt } from "./content.ts";
import { add, type Hash, hashKey, hashText, mix, TAG } from "./hash.ts";
import { kindName, type Naming } from "./identity.ts";
import type { MintedIds } from "./minted.ts";
import type { RuleNode } from "./rules.ts";
import { checkDepth, identical } from "./tree.ts";

/**
 * The part of a state that has to do with minted ids. Everything else in it is folded into one hash, so that the state can
 * be hashed again and again under changing colours of its ids. A number is a part without minted ids.
 */
export type Sketch = number | TextSketch | ObjectSketch | ArraySketch;

interface TextSketch {
  readonly kind: "text";
  /** Hash of the text around the ids. */
  readonly fixed: Hash;
  readonly ids: readonly number[];
  hash: Hash;
}

interface ObjectSketch {
  readonly kind: "object";
  /** Hash of the children without minted ids. */
  readonly fixed: Hash;
  readonly fields: readonly { readonly name: Hash; readonly value: Sketch }[];
  /** Children whose keys are minted ids. */
  readonly records: readonly { readonly id: number; readonly value: Sketch }[];
  hash: Hash;
}

interface ArraySketch {
  readonly kind: "array";
  readonly ordered: boolean;
  readonly fixed: Hash;
  readonly items: readonly { readonly index: number; readonly value: Sketch }[];
  hash: Hash;
}

/** What {@link sketchState} draws from. */
export interface SketchInput {
  readonly state: Json | undefined;
  /** The start state; what an end state shares with it holds no minted id and is skipped. */
  readonly before: Json | undefined;
  readonly rules: RuleNode | null;
  readonly ids: MintedIds;
  /** Filled with 1 for each id that is the key of a record. */
  readonly keyed: Uint8Array;
  readonly hasher: ContentHasher;
}

/** Draws the sketch of an end state. 0 if it holds no minted id. */
export function sketchState(input: SketchInput): Sketch {
  const { ids, keyed, hasher } = input;
  const naming: Naming = { ids, nameOf: (id) => kindName(ids.ids[id] ?? ""), isKnown: () => false };

  /**
   * `inside` an array element or a minted record all content counts, because it tells records apart; outside of them the
   * path does, and parts without ids are left out.
   */
  function draw(value: Json, same: Json | undefined, node: RuleNode | null, inside: boolean, depth: number): Sketch {
    if (typeof value === "string") {
      // A text that the agent words itself says too little about the ids that it mentions.
      const parts = ruleAt(node).comparer === null ? ids.split(value) : null;
      return parts === null ? content(value, node, inside, depth) : drawText(parts);
    }
    if (typeof value !== "object" || value === null) return content(value, node, inside, depth);
    if (!inside && value === same) return 0;
    checkDepth(depth);
    if (Array.isArray(value)) return drawArray(value, same, node, inside, depth);
    return drawObject(value as JsonObject, isJsonObject(same) ? same : undefined, node, inside, depth);
  }

  function content(value: Json, node: RuleNode | null, inside: boolean, depth: number): Hash {
    return inside ? hasher.hash(value, node, naming, depth) : 0;
  }

  function drawText(parts: readonly (string | number)[]): TextSketch {
    let fixed: Hash = TAG.text;
    const found: number[] = [];
    for (const part of parts) {
      if (typeof part === "number") found.push(part);
      fixed = mix(fixed, typeof part === "number" ? TAG.anyId : hashText(part));
    }
    return { kind: "text", fixed, ids: found, hash: 0 };
  }

  function drawObject(
    object: JsonObject,
    same: JsonObject | undefined,
    node: RuleNode | null,
    inside: boolean,
    depth: number,
  ): Sketch {
    if (inside && isEmpty(object, node)) return TAG.emptyObject;
    let fixed: Hash = TAG.object;
    const fields: ObjectSketch["fields"][number][] = [];
    const records: ObjectSketch["records"][number][] = [];
    for (const key of Object.keys(object)) {
      const value = object[key];
      const child = childOf(node, key);
      if (value === undefined || ruleAt(child).ignored) continue;
      const id = ids.indexOf(key);
      if (id !== undefined) {
        keyed[id] = 1;
        records.push({ id, value: draw(value, undefined, child, true, depth + 1) });
        continue;
      }
      const twin = same !== undefined && Object.hasOwn(same, key) ? same[key] : undefined;
      const drawn = draw(value, twin, child, inside, depth + 1);
      if (typeof drawn !== "number") fields.push({ name: hashKey(key), value: drawn });
      else if (inside) fixed = add(fixed, mix(hashKey(key), drawn));
    }
    if (fields.length + records.length === 0) return inside ? fixed : 0;
    return { kind: "object", fixed, fields, records, hash: 0 };
  }

  function drawArray(
    array: readonly Json[],
    same: Json | undefined,
    node: RuleNode | null,
    inside: boolean,
    depth: number,
  ): Sketch {
    if (array.length === 0) return inside ? TAG.emptyArray : 0;
    const { ordered } = ruleAt(node);
    const twins: readonly Json[] | null = inside || !Array.isArray(same) ? null : same;
    const shared = new Set<Json>(twins?.filter((item) => typeof item === "object"));
    // What the start state has as well, at this place from the beginning or the end or as this object.
    const isOld = (item: Json, index: number): boolean =>
      twins !== null &&
      (shared.has(item) ||
        identical(item, twins[index], depth) ||
        identical(item, twins[twins.length - array.length + index], depth));
    let fixed: Hash = TAG.array;
    const items: ArraySketch["items"][number][] = [];
    array.forEach((item, index) => {
      if (isOld(item, index)) return;
      const drawn = draw(item, undefined, childOf(node, index), true, depth + 1);
      if (typeof drawn !== "number") items.push({ index, value: drawn });
      else if (inside) fixed = add(fixed, mix(ordered ? mix(TAG.element, index) : TAG.element, drawn));
    });
    if (items.length === 0) return inside ? fixed : 0;
    return { kind: "array", ordered, fixed, items, hash: 0 };
  }

  return input.state === undefined ? 0 : draw(input.state, input.before, input.rules, false, 0);
}

/** Hashes a sketch from the leaves up, with ids named by their colours. Keeps the hash of each part in it. */
export function hashSketch(sketch: Sketch, colours: Float64Array): Hash {
  if (typeof sketch === "number") return sketch;
  let hash = sketch.fixed;
  switch (sketch.kind) {
    case "text":
      for (const id of sketch.ids) hash = mix(hash, colours[id] ?? 0);
      break;
    case "object":
      for (const { name, value } of sketch.fields) hash = add(hash, mix(name, hashSketch(value, colours)));
      for (const { id, value } of sketch.records) {
        hash = add(hash, mix(mix(TAG.record, colours[id] ?? 0), hashSketch(value, colours)));
      }
      break;
    case "array":
      for (const { index, value } of sketch.items) {
        hash = add(hash, mix(sketch.ordered ? mix(TAG.element, index) : TAG.element, hashSketch(value, colours)));
      }
      break;
  }
  sketch.hash = mix(TAG.fresh, hash);
  return sketch.hash;
}

/**
 * Adds to `seen` what each occurrence of an id tells about it: where it stands, and with what. The parts of the sketch
 * must have been hashed under the same colours.
 * @param place the hash of the path to the sketch
 */
export function gatherOccurrences(sketch: Sketch, place: Hash, colours: Float64Array, seen: Float64Array): void {
  if (typeof sketch === "number") return;
  const note = (id: number, occurrence: Hash) => {
    seen[id] = add(seen[id] ?? 0, occurrence);
  };
  switch (sketch.kind) {
    case "text":
      sketch.ids.forEach((id, position) => {
        note(id, mix(mix(place, position), sketch.hash));
      });
      break;
    case "object":
      for (const { name, value } of sketch.fields) gatherOccurrences(value, mix(place, name), colours, seen);
      for (const { id, value } of sketch.records) {
        note(id, mix(mix(place, TAG.record), typeof value === "number" ? value : value.hash));
        gatherOccurrences(value, mix(place, colours[id] ?? 0), colours, seen);
      }
      break;
    case "array":
      for (const { index, value } of sketch.items) {
        const element = sketch.ordered ? index : typeof value === "number" ? value : value.hash;
        gatherOccurrences(value, mix(mix(place, TAG.element), element), colours, seen);
      }
      break;
  }
}
