/**
 * Hashes of 52 bits, kept in plain numbers so that two of them can be added exactly. They only steer which records are
 * compared with each other; whether two values are equal is always decided on the values, so a collision can cost
 * precision but never let a wrong state pass.
 */
export type Hash = number;

const SPAN = 2 ** 52;
const LANE = 2 ** 32;

/** Spreads the bits of a 32-bit number (the finaliser of MurmurHash3). */
function spread(bits: number): number {
  let h = bits ^ (bits >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** The hash of an ordered pair. `b` may be any whole number from 0 up to 2^52. */
export function mix(a: Hash, b: Hash): Hash {
  const low = spread((a >>> 0) ^ Math.imul(b >>> 0, 0x9e3779b1));
  const high = spread(((a / LANE) >>> 0) ^ Math.imul((b / LANE) >>> 0, 0x27d4eb2f) ^ low);
  return (high & 0xfffff) * LANE + (spread(low + Math.imul(high, 5)) >>> 0);
}

/** Adds a hash to the hash of an unordered collection. The order of additions does not matter. */
export function add(sum: Hash, item: Hash): Hash {
  const next = sum + item;
  return next >= SPAN ? next - SPAN : next;
}

/** The hash of a text. */
export function hashText(text: string): Hash {
  let low = text.length | 0;
  let high = 0x1b873593;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x5bd1e995) ^ (high >>> 15);
  }
  return mix((spread(high) & 0xfffff) * LANE + (spread(low) >>> 0), 1);
}

/** Keys repeat in every record, so their hashes are kept; the number that is kept is bounded. */
const keyHashes = new Map<string, Hash>();

/** The hash of an object key. */
export function hashKey(key: string): Hash {
  let hash = keyHashes.get(key);
  if (hash === undefined) {
    hash = hashText(key);
    if (keyHashes.size > 10_000) keyHashes.clear();
    keyHashes.set(key, hash);
  }
  return hash;
}

/** Tags that keep hashes of different kinds of values apart. */
export const TAG = {
  missing: 11,
  null: 12,
  true: 13,
  false: 14,
  number: 15,
  text: 16,
  object: 17,
  array: 18,
  emptyObject: 19,
  emptyArray: 20,
  element: 21,
  record: 22,
  anyId: 23,
  paired: 24,
  fresh: 25,
  satisfied: 26,
} as const;

/**
 * The hash of a number, equal for numbers that differ in rounding only: six decimals below a million, else nine
 * significant digits.
 */
export function hashNumber(value: number): Hash {
  if (!Number.isFinite(value)) return mix(TAG.number, hashText(String(value)));
  const size = Math.abs(value);
  if (size < 1e6) {
    const millionths = Math.round(size * 1e6);
    return mix(mix(TAG.number, value < 0 && millionths > 0 ? 1 : 0), millionths);
  }
  return mix(TAG.number, hashText(value.toPrecision(9)));
}
