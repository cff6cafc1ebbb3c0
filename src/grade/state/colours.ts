import type { Json } from "../../base/json.ts";
import type { ContentHasher } from "./content.ts";
import { type Hash, mix, TAG } from "./hash.ts";
import { createIdentity, type Identity, kindName } from "./identity.ts";
import type { MintedIds } from "./minted.ts";
import type { RuleNode } from "./rules.ts";
import { gatherOccurrences, hashSketch, type Sketch, sketchState } from "./sketch.ts";

/** Rounds of one refinement; a chain of records that is longer keeps ties, which are then broken one by one. */
const MAX_ROUNDS = 64;
/** Ties that are tried before the rest is paired as it comes. */
const MAX_TRIALS = 100;

/** What {@link identifyMinted} compares. */
export interface IdentifyInput {
  readonly before: Json | undefined;
  readonly reference: Json | undefined;
  readonly after: Json | undefined;
  readonly rules: RuleNode | null;
  readonly ids: { readonly reference: MintedIds; readonly after: MintedIds };
  readonly hasher: ContentHasher;
}

/** The identity as far as equal contents tell, and what the pairing of the rest may need. */
export interface Identified {
  readonly identity: Identity;
  /** Colours of all ids after each round, the finest last: ids of one colour are alike as far as that round saw. */
  readonly rounds: readonly Colouring[];
  /** True if some ties were not tried out. */
  readonly approximate: boolean;
}

/** A colour for each id of both sides. */
export interface Colouring {
  readonly reference: Float64Array;
  readonly after: Float64Array;
}

/**
 * Finds out which minted ids of the two ends name the same thing, by colour refinement (the one-dimensional
 * Weisfeiler-Leman method): an id's colour is a hash of all places where it occurs, with the ids that occur beside it
 * given by their colours, until no round tells more ids apart. Ids that alone have a colour on either side are pairs.
 * Where several share a colour, they are paired as they come if that contradicts nothing, else fewer of them, in the end
 * one pair, and the colours are refined again. Ids whose surroundings differ stay without a partner here.
 */
export function identifyMinted(input: IdentifyInput): Identified {
  const { ids, hasher, rules, before } = input;
  const colours = { reference: startColours(ids.reference), after: startColours(ids.after) };
  const keyed = {
    reference: new Uint8Array(ids.reference.ids.length),
    after: new Uint8Array(ids.after.ids.length),
  };
  const none = ids.reference.ids.length === 0 && ids.after.ids.length === 0;
  const sketches: Sketches = none
    ? { reference: 0, after: 0 }
    : {
        reference: sketchState({
          state: input.reference,
          before,
          rules,
          ids: ids.reference,
          keyed: keyed.reference,
          hasher,
        }),
        after: sketchState({ state: input.after, before, rules, ids: ids.after, keyed: keyed.after, hasher }),
      };
  const rounds: Colouring[] = [];
  const both = ids.reference.ids.length > 0 && ids.after.ids.length > 0;
  const settled = both
    ? breakTies(sketches, refine(sketches, colours, rounds))
    : { colouring: colours, complete: true };

  const names = settled.colouring.reference;
  const identity = createIdentity(ids.reference, ids.after, (id) => names[id] ?? 0);
  identity.reference.keyed.set(keyed.reference);
  identity.after.keyed.set(keyed.after);
  if (both) {
    for (const { reference, after } of classesOf(settled.colouring)) {
      for (let i = 0; i < Math.min(reference.length, after.length); i++) {
        identity.pair(reference[i] as number, after[i] as number);
      }
    }
  }
  return { identity, rounds, approximate: !settled.complete };
}

interface Sketches {
  readonly reference: Sketch;
  readonly after: Sketch;
}

/** Ids of one colour. */
interface ColourClass {
  readonly colour: Hash;
  readonly reference: number[];
  readonly after: number[];
}

function startColours(ids: MintedIds): Float64Array {
  return Float64Array.from(ids.ids, kindName);
}

/** Refines until a round tells no more ids apart. Both sides take the same number of rounds, so colours stay comparable. */
function refine(sketches: Sketches, start: Colouring, rounds?: Colouring[]): Colouring {
  let current = start;
  let distinct = countColours(current);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = {
      reference: nextColours(sketches.reference, current.reference),
      after: nextColours(sketches.after, current.after),
    };
    rounds?.push(next);
    const count = countColours(next);
    current = next;
    // The first round alone looks at the contents, so it never ends the refinement.
    if (round > 0 && count === distinct) break;
    distinct = count;
  }
  return current;
}

function nextColours(sketch: Sketch, colours: Float64Array): Float64Array {
  hashSketch(sketch, colours);
  const seen = new Float64Array(colours.length);
  gatherOccurrences(sketch, TAG.object, colours, seen);
  return colours.map((colour, id) => mix(colour, seen[id] ?? 0));
}

function countColours(colouring: Colouring): number {
  return new Set([...colouring.reference, ...colouring.after]).size;
}

function classesOf(colouring: Colouring): ColourClass[] {
  const classes = new Map<Hash, ColourClass>();
  for (const side of ["reference", "after"] as const) {
    colouring[side].forEach((colour, id) => {
      let found = classes.get(colour);
      if (found === undefined) {
        found = { colour, reference: [], after: [] };
        classes.set(colour, found);
      }
      found[side].push(id);
    });
  }
  return [...classes.values()];
}

/** How many ids have no counterpart of their colour. */
function imbalance(colouring: Colouring): number {
  let sum = 0;
  for (const { reference, after } of classesOf(colouring)) sum += Math.abs(reference.length - after.length);
  return sum;
}

function breakTies(sketches: Sketches, start: Colouring): { colouring: Colouring; complete: boolean } {
  let current = start;
  let fresh = 0;

  /** Gives the first `most` pairs of each class colours of their own and lets the others take note of it. */
  function fix(ties: readonly ColourClass[], most: number): Colouring {
    const next = { reference: current.reference.slice(), after: current.after.slice() };
    for (const { colour, reference, after } of ties) {
      for (let i = 0; i < Math.min(reference.length, after.length, most); i++) {
        const own = mix(mix(TAG.fresh, colour), fresh++);
        next.reference[reference[i] as number] = own;
        next.after[after[i] as number] = own;
      }
    }
    return refine(sketches, next);
  }

  for (let trial = 0; trial < MAX_TRIALS; trial++) {
    const ties = tiesOf(current);
    const smallest = ties[0];
    if (smallest === undefined) return { colouring: current, complete: true };
    const odd = imbalance(current);
    const attempts = [() => fix(ties, Number.POSITIVE_INFINITY), () => fix([smallest], Number.POSITIVE_INFINITY)];
    current = firstThat(attempts, (tried) => imbalance(tried) <= odd) ?? fix([smallest], 1);
  }
  return { colouring: current, complete: tiesOf(current).length === 0 };
}

function firstThat<T>(attempts: readonly (() => T)[], holds: (result: T) => boolean): T | undefined {
  for (const attempt of attempts) {
    const result = attempt();
    if (holds(result)) return result;
  }
  return undefined;
}

/** Classes of more than one pair, small ones first: they are the carts and chats, and what lies in these follows them. */
function tiesOf(colouring: Colouring): ColourClass[] {
  const size = (tie: ColourClass) => tie.reference.length + tie.after.length;
  return classesOf(colouring)
    .filter((tie) => tie.reference.length > 0 && tie.after.length > 0 && size(tie) > 2)
    .sort((a, b) => size(a) - size(b) || a.colour - b.colour);
}
