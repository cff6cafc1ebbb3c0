import { errorMessage, TandemError } from "../base/errors.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { Environment } from "../pool/connection.ts";
import { openPool } from "../pool/open-pool.ts";
import type { PoolEvent } from "../pool/pool.ts";
import type { Catalogue } from "../pool/remote-member.ts";
import { sandboxApp, toolDefinitions } from "../sandbox/catalog.ts";
import { checkCalls, type ToolCatalog } from "../suite/check-calls.ts";
import type { LoadedQuery } from "../suite/load.ts";
import { driftOf, inLockedOrder } from "./drift.ts";
import type { Lock } from "./setup.ts";

/** What starting a server once showed. */
export interface ServerCheck {
  readonly server: string;
  readonly ok: boolean;
  /** Name, version and number of tools; or what went wrong, with the end of stderr. */
  readonly detail: string;
  readonly tools: number;
  readonly ms: number;
}

/** Starts one server by itself and ends it again. Its tools enter `catalogue`. Never rejects. */
export async function checkServer(config: ServerConfig, env: Environment, catalogue: Catalogue): Promise<ServerCheck> {
  const from = performance.now();
  const check = (ok: boolean, detail: string, tools: number): ServerCheck => ({
    server: config.name,
    ok,
    detail,
    tools,
    ms: Math.round(performance.now() - from),
  });
  if (config.type === "sandbox") {
    const app = sandboxApp(config.name);
    if (app === undefined) return check(false, `the sandbox has no server ${config.name}`, 0);
    return check(true, `sandbox, ${app.tools.length} tools`, toolDefinitions(app).length);
  }
  const events: PoolEvent[] = [];
  try {
    const pool = await openPool({
      servers: [{ ...config, optional: false, disabled: false }],
      needed: [config.name],
      world: null,
      role: "tested",
      env,
      catalogue,
      onEvent: (event) => events.push(event),
    });
    try {
      const tools = await pool.tools();
      return check(true, events.find(({ status }) => status === "started")?.detail ?? "started", tools.length);
    } finally {
      await pool.close();
    }
  } catch (thrown) {
    return check(false, errorMessage(thrown), 0);
  }
}

/** What {@link preflight} looks at. */
export interface PreflightInput {
  readonly queries: readonly LoadedQuery[];
  /** The servers of all pools of the run. */
  readonly servers: readonly ServerConfig[];
  readonly env: Environment;
  readonly lock: Lock;
  readonly onServer: (check: ServerCheck) => void;
  /** Gets what differs from the lock and stops nothing. */
  readonly onNotice: (text: string) => void;
}

/**
 * Starts every server outside the sandbox once, all at the same time, and compares the tools that there are with the lock,
 * and queries and plans with them.
 * @returns what those servers list, in the order of the lock, so that episodes need not list it again
 * @throws TandemError `server.preflight` if a server that is not optional is down, `server.drift` if its tools are not those of
 * the lock; the problems of {@link checkCalls}
 */
export async function preflight(input: PreflightInput): Promise<Catalogue> {
  const catalogue: Catalogue = new Map();
  const checks = await Promise.all(
    input.servers
      .filter(({ type, disabled }) => type !== "sandbox" && !disabled)
      .map(async (config) => {
        const check = await checkServer(config, input.env, catalogue);
        input.onServer(check);
        return { config, check };
      }),
  );
  const down = checks.filter(({ config, check }) => !check.ok && !config.optional);
  if (down.length > 0) throw downError(down.map(({ check }) => check));
  compareWithLock(input, catalogue);
  checkCalls(input.queries, toolsByName(input.servers, catalogue));
  return catalogue;
}

/** Puts the servers of `catalogue` into the order of the lock. @throws TandemError `server.drift`, tool by tool */
function compareWithLock({ servers, lock, onNotice }: PreflightInput, catalogue: Catalogue): void {
  const drifted: string[] = [];
  for (const config of servers) {
    const listed = catalogue.get(config.name);
    const locked = lock.servers?.[config.name];
    if (listed === undefined || locked === undefined) continue;
    const { tools, notes } = driftOf(config, locked, listed);
    drifted.push(...tools);
    for (const note of notes) onNotice(note);
    catalogue.set(config.name, inLockedOrder(listed, locked));
  }
  if (drifted.length === 0) return;
  throw new TandemError(
    "server.drift",
    `tools are not those of ${lock.file}:\n${drifted.map((line) => `  ${line}`).join("\n")}`,
    {
      hint: "If the new tools are right, tandem doctor --update-lock keeps them; --no-preflight goes on for once.",
      details: { file: lock.file },
    },
  );
}

function downError(down: readonly ServerCheck[]): TandemError {
  const [first] = down;
  return new TandemError("server.preflight", down.map(({ detail }) => detail).join("\n"), {
    hint: "Mend the server, mark it optional or disabled in the configuration, or go on with --no-preflight.",
    details: { server: first?.server ?? null },
  });
}

/** All known tools by `<Server>.<tool>`. */
function toolsByName(servers: readonly ServerConfig[], catalogue: Catalogue): ToolCatalog {
  const tools = new Map<string, ReturnType<typeof toolDefinitions>[number]>();
  for (const { name, type } of servers) {
    const app = type === "sandbox" ? sandboxApp(name) : undefined;
    for (const tool of app === undefined ? (catalogue.get(name)?.tools ?? []) : toolDefinitions(app)) {
      tools.set(`${name}.${tool.name}`, tool);
    }
  }
  return tools;
}
