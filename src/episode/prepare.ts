import { errorMessage, TandemError } from "../base/errors.ts";
import type { Json, JsonObject } from "../base/json.ts";
import type { World } from "../sandbox/world.ts";
import { instantiate, type QueryInstance } from "../suite/instantiate.ts";
import type { LoadedQuery } from "../suite/load.ts";

/** A query for one seed, with the world that both sides copy. It is the same for every agent and repeat. */
export interface PreparedQuery {
  readonly loaded: LoadedQuery;
  readonly instance: QueryInstance;
  /** The start of all sides: what had to be arranged has been, clock and faults are at their beginning. */
  readonly origin: World;
}

/**
 * Draws the query's values for the world's seed and arranges the start state.
 * @param world the world of the seed; it is not changed
 * @throws TandemError `query.no-candidate`, `query.bad-value` or `query.arrange-failed`
 */
export function prepareQuery(loaded: LoadedQuery, world: World): PreparedQuery {
  const { query } = loaded;
  const arranged = world.fork();
  const instance = instantiate(query, {
    seed: world.seed,
    salt: world.salt,
    start: viewsOf(arranged, query.servers),
    now: arranged.now(),
  });
  for (const [i, call] of instance.arrange.entries()) arrange(arranged, loaded, i, call);
  const faults = query.faults.map(({ tool, kind, calls }) => {
    const dot = tool.indexOf(".");
    return { server: tool.slice(0, dot), tool: tool.slice(dot + 1), kind, ...(calls === undefined ? {} : { calls }) };
  });
  return { loaded, instance, origin: arranged.settled(faults) };
}

function arrange(
  world: World,
  { query, queryFile }: LoadedQuery,
  at: number,
  call: QueryInstance["arrange"][number],
): void {
  const fail = (why: string) =>
    new TandemError(
      "query.arrange-failed",
      `${queryFile}: arrange[${at}]: ${call.server}.${call.tool} failed for seed ${world.seed}: ${why}`,
      {
        hint: "Draw other values in given, or arrange what the call needs before it.",
        details: { query: query.id, field: `arrange[${at}]`, seed: world.seed },
      },
    );
  const tool = world.apps.get(call.server)?.tool(call.tool);
  if (tool === undefined) throw fail("the sandbox has no such tool");
  const input = tool.input.safeParse(call.with);
  if (!input.success) throw fail(errorMessage(input.error));
  const { status, output } = world.invoke(call.server, call.tool, input.data as JsonObject);
  if (status !== "ok") throw fail(typeof output === "string" ? output : JSON.stringify(output));
}

/** What expressions see of the state of `servers` in a world; those outside the sandbox and stateless ones are left out. */
export function viewsOf(world: World, servers: readonly string[]): Record<string, Json> {
  const views: Record<string, Json> = {};
  for (const name of servers) {
    const view = world.apps.has(name) ? world.view(name) : undefined;
    if (view !== undefined) views[name] = view;
  }
  return views;
}
