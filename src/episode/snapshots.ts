import type { Json } from "../base/json.ts";
import type { Snapshot } from "../record/snapshot.ts";
import type { World } from "../sandbox/world.ts";

/**
 * A snapshot with the state of more sandbox servers in it. All snapshots of an episode must hold the same servers, and which
 * ones changed on some side is known only when all sides have ended.
 * @param world the world that the snapshot is of, unchanged since
 */
export function completeSnapshot(snapshot: Snapshot, world: World, servers: readonly string[]): Snapshot {
  const missing = servers.filter((name) => world.apps.has(name) && !Object.hasOwn(snapshot.servers, name));
  const rest = world.snapshot(missing);
  return {
    ...snapshot,
    servers: { ...snapshot.servers, ...rest.servers },
    volatile: [...snapshot.volatile, ...rest.volatile],
  };
}

/** What expressions see of a snapshot: views of the sandbox's servers, other states as they are. */
export function viewsIn(snapshot: Snapshot, world: World): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(snapshot.servers).map(([name, state]) => {
      const app = world.apps.get(name);
      return [name, app === undefined ? state : (app.view(state) as Json)];
    }),
  );
}
