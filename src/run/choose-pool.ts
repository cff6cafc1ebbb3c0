import { random } from "../base/random.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { Query } from "../suite/schema.ts";

/**
 * The servers that both sides of an episode may use: those that the query needs, and distractors drawn by query and seed up
 * to `size` servers.
 * @returns in the order of `servers`, which tool names depend on; more than `size` if the query needs more
 */
export function choosePool(
  query: Pick<Query, "id" | "servers">,
  servers: readonly ServerConfig[],
  of: { readonly size: number; readonly seed: number; readonly salt: string },
): ServerConfig[] {
  const others = servers.filter((server) => !server.disabled && !query.servers.includes(server.name));
  const distractors = random(of.seed, `pool/${query.id}`, of.salt).sample(
    others.map(({ name }) => name),
    Math.max(0, of.size - query.servers.length),
  );
  const chosen = new Set([...query.servers, ...distractors]);
  return servers.filter(({ name }) => chosen.has(name));
}
