import { explainServer } from "../config/explain.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { loadServers } from "../config/servers.ts";
import type { Environment } from "../pool/connection.ts";
import { checkServer } from "./preflight.ts";
import type { SetupPaths } from "./setup.ts";

/** A configured server as a list shows it. */
export interface ServerDescription {
  readonly name: string;
  readonly type: ServerConfig["type"] | "unknown";
  /** Number of tools that it offers; null if it could not be started. */
  readonly tools: number | null;
  readonly isolation: "side" | "shared" | "unknown";
  /** Where its state is read from for scoring: `sandbox`, the name of a probe, or `none`. */
  readonly state: string;
  readonly optional: boolean;
  readonly status: "ok" | "down" | "disabled";
  /** Milliseconds from its start until its tools were known. */
  readonly ms: number;
  /** Its name and version, or why it cannot be used. */
  readonly detail: string;
  /** What its entry was read as, by field, see {@link explainServer}; null for an entry that cannot be used. */
  readonly read: Readonly<Record<string, string>> | null;
}

/** Describes all configured servers. Those outside the sandbox are started once, to count their tools. */
export async function describeServers(
  paths: Pick<SetupPaths, "config" | "defaultConfig">,
  env: Environment,
): Promise<{
  readonly file: string;
  readonly servers: readonly ServerDescription[];
  readonly notices: readonly string[];
}> {
  const { file, servers, problems, notices } = loadServers(paths.config, { env, defaultFile: paths.defaultConfig });
  const described = await Promise.all(servers.map((server) => describeServer(server, env)));
  const unusable = problems.map(
    ({ server, error, optional }): ServerDescription => ({
      name: server,
      type: "unknown",
      tools: null,
      isolation: "unknown",
      state: "none",
      optional,
      status: "down",
      ms: 0,
      detail: [error.message, error.hint].filter(Boolean).join(" "),
      read: null,
    }),
  );
  return { file, servers: [...described, ...unusable], notices };
}

async function describeServer(config: ServerConfig, env: Environment): Promise<ServerDescription> {
  const { name, type, isolation, optional, disabled, state } = config;
  const check = disabled
    ? { ok: false, detail: "never started", tools: 0, ms: 0 }
    : await checkServer(config, env, new Map());
  return {
    name,
    type,
    tools: check.ok ? check.tools : null,
    isolation,
    state: type === "sandbox" ? "sandbox" : (state?.probe ?? "none"),
    optional,
    status: disabled ? "disabled" : check.ok ? "ok" : "down",
    ms: check.ms,
    detail: check.detail,
    read: explainServer(config),
  };
}
