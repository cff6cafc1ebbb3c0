import { createHash } from "node:crypto";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";

/** A stream of draws. Each stream is a pure function of the seed, the salt and its name. */
export interface Random {
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number;
  /** A number from 0 (included) to 1 (excluded). */
  float(): number;
  /** True with probability `p`. */
  chance(p: number): boolean;
  /** One element. @throws RangeError if `items` is empty */
  pick<T>(items: readonly T[]): T;
  /** `count` different elements in drawn order; all of them, shuffled, if there are fewer. */
  sample<T>(items: readonly T[], count: number): T[];
  /** One key of `weights`, with probability in proportion to its value. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
}

/**
 * The stream that belongs to (`seed`, `name`, `salt`). Names are paths such as `LightShop/stock`, so that a new draw in
 * one place never moves the draws of another.
 * @param seed any whole number
 * @param salt text of a sealed run's salt file, or the empty text
 */
export function random(seed: number, name: string, salt = ""): Random {
  const digest = createHash("sha256").update(`${salt}\0${seed}\0${name}`).digest();
  const state = [0, 4, 8, 12].map((offset) => digest.readInt32LE(offset));
  const generator = xoroshiro128plusFromState(state);
  const self: Random = {
    int: (low, high) => uniformInt(generator, low, high),
    float: () => uniformFloat64(generator),
    chance: (p) => uniformFloat64(generator) < p,
    pick(items) {
      if (items.length === 0) throw new RangeError(`nothing to pick from for ${name}`);
      return items[uniformInt(generator, 0, items.length - 1)] as (typeof items)[number];
    },
    sample(items, count) {
      const pool = [...items];
      const taken = Math.min(count, pool.length);
      for (let i = 0; i < taken; i++) {
        const j = uniformInt(generator, i, pool.length - 1);
        [pool[i], pool[j]] = [pool[j] as (typeof pool)[number], pool[i] as (typeof pool)[number]];
      }
      return pool.slice(0, taken);
    },
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][];
      let left = uniformFloat64(generator) * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [key, weight] of entries) {
        left -= weight;
        if (left < 0) return key;
      }
      return (entries.at(-1) as (typeof entries)[number])[0];
    },
  };
  return self;
}

const ID_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Matches every id of the sandbox: a lower-case prefix, an underscore and 22 characters of the alphabet. */
export const ID_PATTERN = /\b[a-z]+_[23456789A-HJ-NP-Za-km-z]{22}\b/g;

/** An id of the sandbox form: `prefix`, an underscore and 22 characters drawn from `source`. */
export function drawId(source: Random, prefix: string): string {
  let suffix = "";
  for (let i = 0; i < 22; i++) suffix += ID_ALPHABET[source.int(0, ID_ALPHABET.length - 1)];
  return `${prefix}_${suffix}`;
}
