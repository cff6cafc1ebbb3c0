import { type Hash, hashText, mix, TAG } from "./hash.ts";
import { idPrefix, type MintedIds, mintedIds } from "./minted.ts";

/** Encloses an id's name in a text; a character of the private use area, which texts of servers do not use. */
const MARK = "\uE000";

/** How the minted ids of one state are named while its contents are hashed and compared. */
export interface Naming {
  readonly ids: MintedIds;
  /** Equal for ids that are taken for each other. */
  nameOf(id: number): Hash;
  /** False for an id that has no partner yet: its name only says of what kind it is. */
  isKnown(id: number): boolean;
}

/** One end state's minted ids, with their partners in the other end state. */
export interface Side extends Naming {
  /** Partner by id, or -1. */
  readonly partner: Int32Array;
  /** 1 for an id that is the key of some record. */
  readonly keyed: Uint8Array;
  /** A text with its minted ids replaced, so that it can be compared with a text of the other side. */
  read(text: string): string;
}

/** Which minted ids of the two ends name the same thing: a one-to-one relation that only ever grows. */
export interface Identity {
  readonly reference: Side;
  readonly after: Side;
  /** Takes two ids for the same thing. Does nothing if one of them has a partner or they are of different kinds. */
  pair(reference: number, after: number): void;
  /** How many pairs there are. */
  readonly pairs: number;
}

/** The naming of a state without minted ids. */
export const NO_IDS: Naming = { ids: mintedIds([]), nameOf: () => 0, isKnown: () => false };

/** The name that all ids of one kind share while it is open who is who. */
export function kindName(id: string): Hash {
  return mix(TAG.anyId, hashText(idPrefix(id)));
}

/** The same ids without their partners, for a comparison that must not depend on the other end state. */
export function anonymous(ids: MintedIds): Naming {
  const names = ids.ids.map(kindName);
  return { ids, nameOf: (id) => names[id] ?? 0, isKnown: () => false };
}

/**
 * An identity in which no id has a partner.
 * @param nameOf a name for an id of the reference that does not depend on how ids are spelled; needs not be unique
 */
export function createIdentity(reference: MintedIds, after: MintedIds, nameOf: (id: number) => Hash): Identity {
  const kinds = { reference: reference.ids.map(kindName), after: after.ids.map(kindName) };
  const partners = {
    reference: new Int32Array(reference.ids.length).fill(-1),
    after: new Int32Array(after.ids.length).fill(-1),
  };
  const names = new Map<number, Hash>();
  const uses = new Map<Hash, number>();

  const referenceSide: Side = {
    ids: reference,
    partner: partners.reference,
    keyed: new Uint8Array(reference.ids.length),
    isKnown: (id) => partners.reference[id] !== -1,
    nameOf: (id) => names.get(id) ?? kinds.reference[id] ?? 0,
    read: (text) => replaceIds(reference, text, String),
  };
  const afterSide: Side = {
    ids: after,
    partner: partners.after,
    keyed: new Uint8Array(after.ids.length),
    isKnown: (id) => partners.after[id] !== -1,
    nameOf: (id) => names.get(partners.after[id] ?? -1) ?? kinds.after[id] ?? 0,
    read: (text) =>
      replaceIds(after, text, (id) => (partners.after[id] === -1 ? `after ${id}` : String(partners.after[id]))),
  };

  return {
    reference: referenceSide,
    after: afterSide,
    get pairs() {
      return names.size;
    },
    pair(left, right) {
      if (partners.reference[left] !== -1 || partners.after[right] !== -1) return;
      if (kinds.reference[left] !== kinds.after[right]) return;
      partners.reference[left] = right;
      partners.after[right] = left;
      const base = nameOf(left);
      const use = uses.get(base) ?? 0;
      uses.set(base, use + 1);
      names.set(left, mix(mix(TAG.paired, base), use));
    },
  };
}

/** A text of a state without minted ids, as {@link Side.read} gives it. */
export function readPlain(text: string): string {
  // A mark that is part of the text is doubled, so that no text can pass for an id.
  return text.includes(MARK) ? text.replaceAll(MARK, MARK + MARK) : text;
}

function replaceIds(ids: MintedIds, text: string, nameOf: (id: number) => string): string {
  const parts = ids.split(text);
  if (parts === null) return readPlain(text);
  return parts.map((part) => (typeof part === "string" ? readPlain(part) : `${MARK}${nameOf(part)}${MARK}`)).join("");
}
