import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { errorMessage, TandemError } from "../base/errors.ts";
import { redactor } from "../base/redact.ts";
import { fillPlaceholders } from "../config/expand.ts";
import type { ToolDefinition } from "../sandbox/catalog.ts";
import { childEnvironment, type Environment, type RemoteServerConfig, type SideValues } from "./connection.ts";
import { describeError } from "./errors.ts";
import { type Member, offeredTools } from "./member.ts";
import type { PoolEvent } from "./pool.ts";
import { plainAnswer } from "./results.ts";
import { openSession, type Session } from "./session.ts";

/** Tools by server, before `tools` globs cut them. */
export type Catalogue = Map<string, readonly ToolDefinition[]>;

/** What a member needs of its pool. */
export interface MemberContext {
  readonly values: SideValues;
  readonly env: Environment;
  readonly onEvent: (event: PoolEvent) => void;
  readonly catalogue: Catalogue;
}

/** How often a server that died is started again. */
const MOST_RESTARTS = 1;

/**
 * A server over stdio or HTTP as a member. It starts when first needed. If it dies, the call that was under way is `broken`
 * and never sent again; the next call starts it again, once.
 */
export function remoteMember(config: RemoteServerConfig, context: MemberContext): Member {
  const redact = redactor(config.secrets);
  const cancel = new AbortController();
  let opening: Promise<Session> | null = null;
  let restarts = 0;

  const report = (status: PoolEvent["status"], detail: string) =>
    context.onEvent({ type: "server", server: config.name, status, detail: redact(detail) });

  async function open(): Promise<Session> {
    try {
      if (config.reset !== null && config.isolation === "side") await runReset(config, context);
      return await openSession({
        config,
        values: context.values,
        env: context.env,
        cancelled: cancel.signal,
        onDeath: (how) => report("died", how),
      });
    } catch (thrown) {
      throw notStarted(errorMessage(thrown), thrown);
    }
  }

  function notStarted(why: string, cause: unknown): TandemError {
    return new TandemError("server.start-failed", redact(`server ${config.name} did not start: ${why}`), {
      hint: "tandem doctor starts every server and shows what goes wrong.",
      details: { server: config.name },
      cause,
    });
  }

  async function start(): Promise<Session> {
    const session = await open();
    try {
      if (!context.catalogue.has(config.name)) context.catalogue.set(config.name, await session.listTools());
    } catch (thrown) {
      await session.close();
      throw notStarted(`it did not list its tools: ${describeError(thrown)}`, thrown);
    }
    report("started", `${session.about}, ${(await tools()).length} tools`);
    return session;
  }

  function startOnce(): Promise<Session> {
    opening ??= start();
    return opening;
  }

  async function tools(): Promise<readonly ToolDefinition[]> {
    if (!context.catalogue.has(config.name)) await startOnce();
    return offeredTools(config, context.catalogue.get(config.name) ?? []);
  }

  async function liveSession(): Promise<Session> {
    const session = await startOnce();
    if (session.alive || cancel.signal.aborted || restarts >= MOST_RESTARTS) return session;
    restarts++;
    await session.close();
    opening = open();
    const fresh = await opening;
    report("restarted", fresh.about);
    return fresh;
  }

  return {
    config,
    tools,
    start: async () => {
      await startOnce();
    },
    async call(tool, args, signal) {
      signal?.throwIfAborted();
      let session: Session;
      try {
        session = await liveSession();
      } catch (thrown) {
        return plainAnswer("broken", errorMessage(thrown));
      }
      signal?.throwIfAborted();
      if (!session.alive) return plainAnswer("broken", `${config.name} is not running any more.`);
      const answer = await session.call(tool, args, signal);
      return answer.outcome === "broken" ? plainAnswer("broken", redact(answer.text)) : answer;
    },
    async close() {
      cancel.abort();
      const session = await opening?.catch(() => null);
      await session?.close();
    },
  };
}

/** @throws Error in words if the command fails */
async function runReset(config: RemoteServerConfig, { values, env }: MemberContext): Promise<void> {
  if (config.reset === null) return;
  const { command, args } = config.reset;
  const fill = (text: string) => fillPlaceholders(text, values);
  try {
    await promisify(execFile)(fill(command), args.map(fill), {
      cwd: values.workdir,
      env: childEnvironment(env, {}),
      timeout: config.startTimeoutMs,
    });
  } catch (thrown) {
    throw new Error(`its reset command failed: ${errorMessage(thrown)}`, { cause: thrown });
  }
}
