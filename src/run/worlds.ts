import { type PreparedQuery, prepareQuery } from "../episode/prepare.ts";
import { sandboxApps } from "../sandbox/catalog.ts";
import { createWorld, type World } from "../sandbox/world.ts";
import type { LoadedQuery } from "../suite/load.ts";

/** Worlds and prepared queries of a run, each made once and copied by every episode that needs it. */
export interface Worlds {
  /** @throws TandemError as {@link prepareQuery} */
  prepare(loaded: LoadedQuery, seed: number): PreparedQuery;
}

/** Episodes come in order of seeds and queries, so a few of the last ones are enough. */
const MOST_WORLDS = 8;
const MOST_PREPARED = 64;

/** @param of what all worlds of a run share */
export function createWorlds(of: { readonly salt: string; readonly faults: boolean }): Worlds {
  const worlds = new Map<number, World>();
  const prepared = new Map<string, PreparedQuery>();
  return {
    prepare: (loaded, seed) =>
      remember(prepared, `${seed}/${loaded.query.id}`, MOST_PREPARED, () =>
        prepareQuery(
          loaded,
          remember(worlds, seed, MOST_WORLDS, () => createWorld({ seed, apps: sandboxApps, ...of })),
        ),
      ),
  };
}

/** The value of a key, made if it is not known. At most `size` are kept; the oldest goes first. */
function remember<K, V>(known: Map<K, V>, key: K, size: number, make: () => V): V {
  const value = known.get(key) ?? make();
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > size && oldest !== undefined) known.delete(oldest);
  return value;
}
