import type { Agent } from "../agent/agent.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { Environment } from "../pool/connection.ts";
import type { FaultDraws } from "../pool/faults.ts";
import { openPool } from "../pool/open-pool.ts";
import type { OfferedTool, Pool } from "../pool/pool.ts";
import type { Catalogue } from "../pool/remote-member.ts";
import type { World } from "../sandbox/world.ts";
import type { Limits } from "./limits.ts";
import type { PreparedQuery } from "./prepare.ts";
import { poolEvents, runSide, type SideOutput } from "./side.ts";

/** What all sides of an episode share. */
export interface SideSetting {
  readonly prepared: PreparedQuery;
  /** The pool, in the order of the configuration. */
  readonly servers: readonly ServerConfig[];
  /** Tools of third-party servers that were listed before, see {@link openPool}. */
  readonly catalogue: Catalogue;
  readonly env: Environment;
  readonly limits: Limits;
  /** Tools that the query does not need, beside those that it does; null for all of the pool. */
  readonly distractors: number | null;
  /** Text that enters every draw of a sealed run. */
  readonly salt: string;
  /** What the faults of the servers' configurations are drawn from; null for none. */
  readonly faults: FaultDraws | null;
  readonly seed: number;
  readonly repeat: number;
  readonly interrupted: AbortSignal;
}

/** The tools that an agent is told of. */
export interface SideOffer {
  readonly tools: readonly OfferedTool[];
  /** See `SideInput.restricted`. */
  readonly restricted: boolean;
}

/** For an agent that knows what to call. */
export const NO_OFFER: SideOffer = { tools: [], restricted: false };

/** A side that is ready: its servers run, its agent has not begun. */
export interface OpenSide {
  readonly pool: Pool;
  readonly world: World;
  /** Lets the agent work. @param barrier `performance.now()` when the sides were let go */
  run(agent: Agent, offer: SideOffer, barrier: number): Promise<SideOutput>;
  close(): Promise<void>;
}

/**
 * Copies the world and starts the needed servers of one side.
 * @param scope enters the ids that the side mints; two sides never mint the same
 * @throws TandemError `server.start-failed` and what else {@link openPool} throws
 */
export async function openSide(
  setting: SideSetting,
  role: "reference" | "tested",
  scope: string = role,
): Promise<OpenSide> {
  const { prepared, servers, catalogue, env } = setting;
  const world = prepared.origin.fork(scope);
  const events = poolEvents();
  const pool = await openPool({
    servers,
    needed: prepared.loaded.query.servers,
    world: servers.some(({ type }) => type === "sandbox") ? world : null,
    role,
    files: prepared.instance.files,
    env,
    catalogue,
    faults: setting.faults,
    onEvent: events.onEvent,
  });
  return {
    pool,
    world,
    run: (agent, { tools, restricted }, barrier) =>
      runSide({
        agent,
        pool,
        offered: tools,
        restricted,
        barrier,
        text: prepared.instance.text,
        seed: setting.seed,
        repeat: setting.repeat,
        limits: setting.limits,
        interrupted: setting.interrupted,
        onRecorder: events.attach,
      }),
    close: () => pool.close(),
  };
}
