import { errorMessage, TandemError } from "../base/errors.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { Environment } from "../pool/connection.ts";
import { openPool } from "../pool/open-pool.ts";
import type { PoolEvent } from "../pool/pool.ts";
import type { Catalogue } from "../pool/remote-member.ts";
import { sandboxApp, toolDefinitions } from "../sandbox/catalog.ts";
import { checkCalls, type ToolCatalog } from "../suite/check-calls.ts";
import type { LoadedQuery } from "../suite/load.ts";

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
  readonly onServer: (check: ServerCheck) => void;
}

/**
 * Starts every server outside the sandbox once, all at the same time, and compares queries and plans with the tools that
 * there are.
 * @returns the tools of those servers, so that episodes need not list them again
 * @throws TandemError `server.preflight` if a server that is not optional is down; the problems of {@link checkCalls}
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
  checkCalls(input.queries, toolsByName(input.servers, catalogue));
  return catalogue;
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
    for (const tool of app === undefined ? (catalogue.get(name) ?? []) : toolDefinitions(app)) {
      tools.set(`${name}.${tool.name}`, tool);
    }
  }
  return tools;
}
