import { errorMessage, TandemError } from "../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { ToolDefinition } from "../sandbox/catalog.ts";
import type { World } from "../sandbox/world.ts";
import { checkArguments } from "./arguments.ts";
import { toResult } from "./call-result.ts";
import type { Environment } from "./connection.ts";
import { type FaultDraws, withFaults } from "./faults.ts";
import type { Member } from "./member.ts";
import { type Found, noSuchTool, offer } from "./offer.ts";
import type { CallResult, Pool, PoolEvent } from "./pool.ts";
import { type Catalogue, type MemberContext, remoteMember } from "./remote-member.ts";
import { plainAnswer } from "./results.ts";
import { sandboxMember } from "./sandbox-member.ts";
import { takeSnapshot } from "./snapshot.ts";
import { makeWorkdir, type Workdir } from "./workdir.ts";

/** What {@link openPool} takes. */
export interface PoolOptions {
  /** In the order of the configuration, on which the tools' names depend. Disabled ones are passed over. */
  readonly servers: readonly ServerConfig[];
  /** Names of the servers that must run before the pool is there. */
  readonly needed: readonly string[];
  /** The side's world; null only if no server is of the sandbox. */
  readonly world: World | null;
  /** Value of `${side}`. */
  readonly role: "reference" | "tested";
  /** Value of `${workdir}`. Left out, one is made and removed again. */
  readonly workdir?: string;
  /** Text files to put into the workdir, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Where `PATH`, `HOME` and the like of child processes come from. */
  readonly env: Environment;
  readonly onEvent?: (event: PoolEvent) => void;
  /**
   * Tools of servers outside the sandbox that were listed before, by server; what is listed here is added. A server that is
   * known and not needed starts when it is first called.
   */
  readonly catalogue?: Catalogue;
  /** What the faults of the servers' configurations are drawn from. Left out or null, there are none. */
  readonly faults?: FaultDraws | null;
}

/**
 * Opens the servers of one side. Those that are needed start side by side; the others start when they are first called, or
 * when all tools are listed.
 * @throws TandemError `config.unknown-server` or `config.disabled-server` for a needed one, `config.no-world`,
 * `server.start-failed`; whatever was started is ended before
 */
export async function openPool(options: PoolOptions): Promise<Pool> {
  checkNeeded(options);
  const servers = options.servers.filter((server) => !server.disabled);
  const workdir = await makeWorkdir(options.workdir, options.files ?? {});
  const context: MemberContext = {
    values: { workdir: workdir.path, side: options.role },
    env: options.env,
    onEvent: options.onEvent ?? (() => {}),
    catalogue: options.catalogue ?? new Map(),
  };
  const members: Member[] = [];
  try {
    for (const server of servers) members.push(makeMember(server, options, context));
    await Promise.all(
      members
        .filter(({ config }) => options.needed.includes(config.name))
        .map((member) => startMember(member, context)),
    );
  } catch (thrown) {
    await closeAll(members, workdir);
    throw thrown;
  }
  return poolOf(members, workdir, options, context);
}

function checkNeeded({ servers, needed }: PoolOptions): void {
  for (const name of needed) {
    const server = servers.find((candidate) => candidate.name === name);
    if (server === undefined) {
      throw new TandemError("config.unknown-server", `no server ${name} is configured`, {
        hint: `Configured: ${servers.map((candidate) => candidate.name).join(", ")}.`,
        details: { server: name },
      });
    }
    if (server.disabled) {
      throw new TandemError("config.disabled-server", `server ${name} is needed but disabled`, {
        details: { server: name },
      });
    }
  }
}

function makeMember(config: ServerConfig, { world, faults }: PoolOptions, context: MemberContext): Member {
  const member = plainMember(config, world, context);
  return config.faults.length === 0 || faults === undefined || faults === null ? member : withFaults(member, faults);
}

function plainMember(config: ServerConfig, world: World | null, context: MemberContext): Member {
  if (config.type !== "sandbox") return remoteMember(config, context);
  const app = world?.apps.get(config.name);
  if (world === null || app === undefined) {
    throw new TandemError("config.no-world", `the sandbox has no server ${config.name}`, {
      details: { server: config.name },
    });
  }
  return sandboxMember(config, world, app);
}

const reported = new WeakSet<Member>();

/** A member's tools; an optional server that does not start has none. */
async function toolsOf(member: Member, context: MemberContext): Promise<readonly ToolDefinition[]> {
  return (await unlessOptional(member, context, member.tools)) ?? [];
}

async function startMember(member: Member, context: MemberContext): Promise<void> {
  await unlessOptional(member, context, member.start);
}

/** What `work` gives; if an optional server fails in it, undefined, which is reported once. */
async function unlessOptional<T>(
  member: Member,
  context: MemberContext,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (thrown) {
    if (!member.config.optional) throw thrown;
    if (!reported.has(member)) {
      reported.add(member);
      context.onEvent({ type: "server", server: member.config.name, status: "died", detail: errorMessage(thrown) });
    }
    return undefined;
  }
}

/** Ends all servers side by side, then takes the folder away. */
async function closeAll(members: readonly Member[], workdir: Workdir): Promise<void> {
  await Promise.allSettled(members.map((member) => member.close()));
  await workdir.remove();
}

function poolOf(members: readonly Member[], workdir: Workdir, options: PoolOptions, context: MemberContext): Pool {
  const { world } = options;
  let listing: Promise<readonly Found[]> | null = null;
  let listed: readonly Found[] = [];
  /** What is known of single servers before all are listed. */
  const alone = new Map<Member, readonly Found[]>();
  let queue: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | null = null;

  /** Runs `work` after all that came before it. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(work);
    queue = turn.catch(() => {});
    return turn;
  }

  function list(): Promise<readonly Found[]> {
    listing ??= Promise.all(members.map((member) => toolsOf(member, context))).then((tools) => {
      listed = offer(members, tools);
      return listed;
    });
    return listing;
  }

  async function find(name: string): Promise<Found | null> {
    // Exposed names have no dot. A server's name may have one, so the longest that fits is tried first.
    const candidates = members
      .filter(({ config }) => name.startsWith(`${config.name}.`))
      .sort((a, b) => b.config.name.length - a.config.name.length);
    if (candidates.length === 0) return (await list()).find(({ offered }) => offered.name === name) ?? null;
    for (const member of candidates) {
      const tool = name.slice(member.config.name.length + 1);
      const found = (await toolsAlone(member)).find(({ offered }) => offered.tool === tool);
      if (found !== undefined) return found;
    }
    return null;
  }

  /** One server's tools, without starting the others. */
  async function toolsAlone(member: Member): Promise<readonly Found[]> {
    if (listed.length > 0) return listed.filter((found) => found.member === member);
    let known = alone.get(member);
    if (known === undefined) {
      known = offer([member], [await toolsOf(member, context)]);
      alone.set(member, known);
    }
    return known;
  }

  /** One of the calls that a server's state is read with. */
  async function readState(server: string, tool: string, args: JsonObject): Promise<Json> {
    const found = await find(`${server}.${tool}`);
    if (found === null) throw new Error(`it offers no tool ${tool}`);
    if (found.offered.effect === "write") throw new Error(`its tool ${tool} says that it writes`);
    const { outcome, text, value } = await (found.member.behindFaults ?? found.member).call(tool, args, undefined);
    if (outcome !== "ok") throw new Error(`its tool ${tool} ended with ${outcome}: ${text}`);
    return value;
  }

  async function callNow(name: string, args: Json, signal: AbortSignal | undefined): Promise<CallResult> {
    signal?.throwIfAborted();
    if (closing !== null) return toResult(plainAnswer("broken", "The servers are closed."), null, world);
    let found: Found | null;
    try {
      found = await find(name);
    } catch (thrown) {
      return toResult(plainAnswer("broken", errorMessage(thrown)), null, world);
    }
    if (found === null) return toResult(plainAnswer("syntactic", noSuchTool(name, members, listed)), null, world);
    const { member, offered } = found;
    const problem = checkArguments(offered.inputSchema, args);
    if (problem !== null || !isJsonObject(args)) {
      return toResult(plainAnswer("syntactic", problem ?? "The arguments must be a JSON object."), offered, world);
    }
    world?.tick();
    return toResult(await member.call(offered.tool, args, signal), offered, world);
  }

  return {
    workdir: workdir.path,
    tools: async () => (await list()).map(({ offered }) => offered),
    call: (name, args, signal) => inTurn(() => callNow(name, args, signal)),
    snapshot: () =>
      inTurn(() =>
        takeSnapshot({
          servers: members.map(({ config }) => config),
          needed: options.needed,
          world,
          values: context.values,
          read: readState,
        }),
      ),
    close: () => {
      closing ??= closeAll(members, workdir);
      return closing;
    },
  };
}
