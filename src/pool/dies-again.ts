import type { Json } from "../base/json.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { openPool, type PoolOptions } from "./open-pool.ts";

/**
 * Repeats one call on a fresh copy of a server, with a workdir of its own that is filled like the first. It tells a call that
 * kills its server, which is the agent's failure, from a server that died by itself, which is an error.
 *
 * A shared server is never asked again: the call would be done twice to a real account.
 * @param options as the pool was opened with; `needed`, `workdir` and `onEvent` do not matter
 * @returns true if the connection breaks again; false if it holds, or if the server does not even start
 */
export async function diesAgain(
  config: ServerConfig,
  options: Omit<PoolOptions, "needed" | "workdir" | "onEvent">,
  lastCall: { readonly tool: string; readonly args: Json },
): Promise<boolean> {
  if (config.type === "sandbox" || config.isolation === "shared") return false;
  const { role, env, files } = options;
  let pool: Awaited<ReturnType<typeof openPool>>;
  try {
    pool = await openPool({
      servers: [{ ...config, optional: false }],
      needed: [config.name],
      world: null,
      role,
      env,
      ...(files === undefined ? {} : { files }),
    });
  } catch {
    return false;
  }
  try {
    return (await pool.call(`${config.name}.${lastCall.tool}`, lastCall.args)).outcome === "broken";
  } finally {
    await pool.close();
  }
}
