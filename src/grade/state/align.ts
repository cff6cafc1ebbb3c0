import type { Json, JsonObject } from "../../base/json.ts";
import { withoutShared } from "./arrays.ts";
import type { Colouring } from "./colours.ts";
import { type ContentHasher, childOf } from "./content.ts";
import { type Hash, mix } from "./hash.ts";
import { anonymous, type Identity, type Naming, NO_IDS } from "./identity.ts";
import { cancelEqual, type Item, matchNumbers, matchRecords, type Unmatched } from "./match.ts";
import type { RuleNode } from "./rules.ts";

/** The elements of an unordered array that are one: their index in each state, or null where a state has none. */
export interface Slot {
  before: number | null;
  reference: number | null;
  after: number | null;
}

/** The three values of one path; undefined where a state has none. */
export interface Three<T> {
  readonly before: T | undefined;
  readonly reference: T | undefined;
  readonly after: T | undefined;
}

/** Finds out which elements of arrays and which records under minted ids belong together. */
export interface Aligner {
  /** The slots of an unordered array, in order of the reference's index. Elements that all three share may be left out. */
  slots(arrays: Three<readonly Json[]>, node: RuleNode | null, depth: number): Slot[];
  /** Pairs the ids of records that two objects hold under minted keys without a partner. */
  pairRecords(reference: JsonObject, after: JsonObject, node: RuleNode | null, depth: number): void;
  /** True if some matching so far may not have been the best. */
  readonly approximate: boolean;
}

/** Makes an aligner over one identity, which it extends. */
export function createAligner(
  identity: Identity,
  rounds: readonly Colouring[],
  hasher: ContentHasher,
  tolerance: number,
): Aligner {
  const nameless = anonymous(identity.reference.ids);
  let approximate = false;

  function item(at: number, value: Json, node: RuleNode | null, naming: Naming, kinds: Naming, depth: number): Item {
    const hash = hasher.hash(value, node, naming, depth);
    // The order must not depend on how ids are spelled or on what was paired before.
    const order = kinds === naming ? hash : hasher.hash(value, node, kinds, depth);
    return { at, value, node, naming, hash, order };
  }

  function itemsOf(
    list: readonly Json[],
    among: readonly number[],
    node: RuleNode | null,
    naming: Naming,
    depth: number,
  ) {
    const kinds = naming === identity.after ? namelessAfter : naming.ids.ids.length === 0 ? naming : nameless;
    return among.map((at) => item(at, list[at] as Json, childOf(node, at), naming, kinds, depth + 1));
  }
  const namelessAfter = identity.after.ids.ids.length === 0 ? identity.after : anonymous(identity.after.ids);

  function pairEnds(items: Unmatched, onPair: (left: Item, right: Item) => void): void {
    const byHash = cancelEqual(items, (one) => one.hash, onPair);
    const rest = matchNumbers(byHash, tolerance, onPair);
    if (matchRecords(rest, hasher, onPair)) approximate = true;
  }

  /** Old and reference, without a look at the tested end, so that what is required is the same for every agent. */
  function requiredSlots(
    { before = [], reference = [] }: Pick<Three<readonly Json[]>, "before" | "reference">,
    among: { readonly before: readonly number[]; readonly reference: readonly number[] },
    node: RuleNode | null,
    depth: number,
  ): Slot[] {
    if (before === reference) return among.before.map((at) => ({ before: at, reference: at, after: null }));
    const partner = new Map<number, number>();
    if (among.before.length > 0 && among.reference.length > 0) {
      const left = itemsOf(before, among.before, node, NO_IDS, depth);
      const right = itemsOf(reference, among.reference, node, nameless, depth);
      pairEnds({ left, right }, (a, b) => partner.set(b.at, a.at));
    }
    const used = new Set(partner.values());
    const slots: Slot[] = among.reference.map((at) => ({
      before: partner.get(at) ?? null,
      reference: at,
      after: null,
    }));
    for (const at of among.before) if (!used.has(at)) slots.push({ before: at, reference: null, after: null });
    return slots;
  }

  /** Puts the tested end's elements into the slots. */
  function fillSlots(
    slots: Slot[],
    arrays: Three<readonly Json[]>,
    among: readonly number[],
    node: RuleNode | null,
    depth: number,
  ) {
    const { before = [], reference = [], after = [] } = arrays;
    const bySlot = (at: number) => slots[at] as Slot;
    const each = slots.map((_, at) => at);
    const itemFor = (at: number, index: number, list: readonly Json[], naming: Naming) => ({
      ...(itemsOf(list, [index], node, naming, depth)[0] as Item),
      at,
    });
    const ends = new Map<number, Item>();
    const starts = new Map<number, Item>();
    for (const at of each) {
      const slot = bySlot(at);
      if (slot.reference !== null) ends.set(at, itemFor(at, slot.reference, reference, identity.reference));
      if (slot.before !== null) starts.set(at, itemFor(at, slot.before, before, NO_IDS));
    }
    let free = itemsOf(after, among, node, identity.after, depth);
    const onPair = (left: Item, right: Item) => {
      bySlot(left.at).after = right.at;
    };
    const open = (items: Iterable<Item>) => [...items].filter((one) => bySlot(one.at).after === null);
    // Elements that were to stay come first: an equal copy that was to be added is the one that is missing, then.
    const stayed = [...ends.values()].filter((one) => starts.get(one.at)?.hash === one.hash);
    for (const left of [stayed, [...ends.values()], [...starts.values()]]) {
      free = [...cancelEqual({ left: open(left), right: free }, (one) => one.hash, onPair).right];
    }
    const rest = open(each.map((at) => (ends.get(at) ?? starts.get(at)) as Item));
    pairEnds({ left: rest, right: free }, onPair);
  }

  function slots(arrays: Three<readonly Json[]>, node: RuleNode | null, depth: number): Slot[] {
    const { before = [], reference = [], after = [] } = arrays;
    const among = withoutShared(before, reference, after, depth);
    const found = requiredSlots(arrays, among, node, depth);
    if (found.length > 0 && among.after.length > 0) fillSlots(found, arrays, among.after, node, depth);
    const used = new Set(found.map((slot) => slot.after));
    for (const at of among.after) if (!used.has(at)) found.push({ before: null, reference: null, after: at });
    return found;
  }

  function pairRecords(reference: JsonObject, after: JsonObject, node: RuleNode | null, depth: number): void {
    const left = recordsOf(reference, identity.reference, nameless, node, depth);
    if (left.length === 0) return;
    const right = recordsOf(after, identity.after, namelessAfter, node, depth);
    const onPair = (a: Item, b: Item) => identity.pair(a.at, b.at);
    let rest: Unmatched = { left, right };
    // Equal records that others refer to differently are told apart by the finest colours that they have in common.
    for (const round of rounds.toReversed()) {
      const colourOf = (one: Item): Hash =>
        (one.naming === identity.reference ? round.reference : round.after)[one.at] ?? 0;
      rest = cancelEqual(rest, (one) => mix(one.hash, colourOf(one)), onPair);
    }
    pairEnds(rest, onPair);
  }

  function recordsOf(object: JsonObject, naming: Naming, kinds: Naming, node: RuleNode | null, depth: number): Item[] {
    const items: Item[] = [];
    for (const key of Object.keys(object)) {
      const id = naming.ids.indexOf(key);
      const value = object[key];
      if (id === undefined || value === undefined || naming.isKnown(id)) continue;
      items.push(item(id, value, childOf(node, key), naming, kinds, depth + 1));
    }
    return items;
  }

  return {
    slots,
    pairRecords,
    get approximate() {
      return approximate;
    },
  };
}
