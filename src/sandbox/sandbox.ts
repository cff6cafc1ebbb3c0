import { sandboxApps } from "./catalog.ts";
import { createWorld as createWorldOf, type World, type WorldOptions } from "./world.ts";

/** Makes the world of a seed with all servers of the sandbox, or with those that `apps` names. */
export function createWorld(options: Omit<WorldOptions, "apps"> & Partial<Pick<WorldOptions, "apps">>): World {
  return createWorldOf({ apps: sandboxApps, ...options });
}
