import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { errorMessage, TandemError } from "../base/errors.ts";
import { redactor } from "../base/redact.ts";
import { fillPlaceholders } from "../config/expand.ts";
import type { ToolDefinition } from "../sandbox/catalog.ts";
import { childEnvironment, type Environment, type RemoteServerConfig, type SideValues } from "./connection.ts";
import { describeError } from "./errors.ts";
import type { ListedTools } from "./list-tools.ts";
import { type Member, offeredTools } from "./member.ts";
import type { PoolEvent } from "./pool.ts";
import { type Answer, plainAnswer } from "./results.ts";
import { openSession, type ServerIdentity, type Session, SessionExpired } from "./session.ts";

/** A server that was started once and listed its tools. */
export interface ListedServer extends ListedTools {
  readonly identity: ServerIdentity;
}

/** What is known of servers, by name; of tools all that they list, before their entries' globs cut them. */
export type Catalogue = Map<string, ListedServer>;

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
      return await openSession({
        config,
        values: context.values,
        env: context.env,
        cancelled: cancel.signal,
        report,
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
    // Once, not at a restart: the account keeps what the side did to it.
    if (config.reset !== null && config.isolation === "side") {
      await runReset(config, context).catch((thrown: unknown) => {
        throw notStarted(errorMessage(thrown), thrown);
      });
    }
    const session = await open();
    let oddities: readonly string[] = [];
    try {
      if (!context.catalogue.has(config.name)) {
        const listed = await session.listTools();
        context.catalogue.set(config.name, { ...listed, identity: session.identity });
        oddities = listed.oddities;
      }
    } catch (thrown) {
      await session.close();
      throw notStarted(`it did not list its tools: ${describeError(thrown)}`, thrown);
    }
    const about = identityText(session.identity, config);
    report("started", [`${about}, ${(await tools()).length} tools`, ...oddities].join("; "));
    return session;
  }

  function startOnce(): Promise<Session> {
    opening ??= start();
    return opening;
  }

  async function tools(): Promise<readonly ToolDefinition[]> {
    if (!context.catalogue.has(config.name)) await startOnce();
    return offeredTools(config, context.catalogue.get(config.name)?.tools ?? []);
  }

  async function reopen(session: Session, status: "restarted" | "renewed"): Promise<Session> {
    await session.close();
    opening = open();
    const fresh = await opening;
    report(status, identityText(fresh.identity, config));
    return fresh;
  }

  async function liveSession(): Promise<Session> {
    const session = await startOnce();
    if (session.alive || cancel.signal.aborted || restarts >= MOST_RESTARTS) return session;
    restarts++;
    return reopen(session, "restarted");
  }

  /** The answer to a call; an expired session is renewed once, and the call sent again, as the server never saw it. */
  async function callOver(session: Session, ...[tool, args, signal]: Parameters<Session["call"]>): Promise<Answer> {
    try {
      return await session.call(tool, args, signal);
    } catch (thrown) {
      if (!(thrown instanceof SessionExpired)) throw thrown;
    }
    const fresh = await reopen(session, "renewed");
    try {
      return await fresh.call(tool, args, signal);
    } catch (thrown) {
      if (!(thrown instanceof SessionExpired)) throw thrown;
      return plainAnswer("broken", `${config.name} does not know the session that it has just opened.`);
    }
  }

  return {
    config,
    tools,
    start: async () => {
      await startOnce();
    },
    async call(tool, args, signal) {
      signal?.throwIfAborted();
      try {
        const session = await liveSession();
        signal?.throwIfAborted();
        if (!session.alive) return plainAnswer("broken", `${config.name} is not running any more.`);
        const answer = await callOver(session, tool, args, signal);
        return answer.outcome === "broken" ? plainAnswer("broken", redact(answer.text)) : answer;
      } catch (thrown) {
        signal?.throwIfAborted();
        return plainAnswer("broken", errorMessage(thrown));
      }
    },
    async close() {
      cancel.abort();
      const session = await opening?.catch(() => null);
      await session?.close();
    },
  };
}

/** A server's own name and version, and the transport if it is not the one that the entry asks for. */
function identityText({ name, version, transport }: ServerIdentity, config: RemoteServerConfig): string {
  const own = [name, version].filter(Boolean).join(" ");
  return transport === config.type ? own : `${own} over ${transport.toUpperCase()}`;
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
