import { explainServer } from "../config/explain.ts";
import { lockFileOf, readLock, type ServersLock } from "../config/lock-file.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { loadServers } from "../config/servers.ts";
import type { Environment } from "../pool/connection.ts";
import type { Catalogue } from "../pool/remote-member.ts";
import { driftOf, lockedOf } from "./drift.ts";
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
  /** `drift`: its tools are not those of the lock. */
  readonly status: "ok" | "down" | "drift" | "disabled";
  /** Milliseconds from its start until its tools were known. */
  readonly ms: number;
  /** Its name and version, or why it cannot be used. */
  readonly detail: string;
  /** What its entry was read as, by field, see {@link explainServer}; null for an entry that cannot be used. */
  readonly read: Readonly<Record<string, string>> | null;
}

/** What {@link describeServers} found. */
export interface DescribedServers {
  readonly file: string;
  readonly servers: readonly ServerDescription[];
  readonly notices: readonly string[];
  readonly lockFile: string;
  /** What a lock of the servers as they are now would hold; a server that is down stays as it was locked. */
  readonly lock: ServersLock;
}

/**
 * Describes all configured servers. Those outside the sandbox are started once, to count their tools and to compare them with
 * the lock.
 * @param withoutLock true leaves the lock out of it
 */
export async function describeServers(
  paths: Pick<SetupPaths, "config" | "defaultConfig">,
  env: Environment,
  withoutLock = false,
): Promise<DescribedServers> {
  const { file, servers, problems, notices } = loadServers(paths.config, { env, defaultFile: paths.defaultConfig });
  const lockFile = lockFileOf(file);
  const locked = readLock(lockFile) ?? {};
  const catalogue: Catalogue = new Map();
  const described = await Promise.all(
    servers.map(async (server) => {
      const description = await describeServer(server, env, catalogue);
      const listed = catalogue.get(server.name);
      const was = locked[server.name];
      if (withoutLock || listed === undefined || was === undefined) return description;
      const { tools, notes } = driftOf(server, was, listed);
      const detail = [description.detail, ...tools, ...notes].join("; ");
      return { ...description, detail, status: tools.length === 0 ? description.status : ("drift" as const) };
    }),
  );
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
  const lock = Object.fromEntries(
    servers.flatMap(({ name }) => {
      const listed = catalogue.get(name);
      const entry = listed === undefined ? locked[name] : lockedOf(listed);
      return entry === undefined ? [] : [[name, entry]];
    }),
  );
  return { file, servers: [...described, ...unusable], notices, lockFile, lock };
}

async function describeServer(
  config: ServerConfig,
  env: Environment,
  catalogue: Catalogue,
): Promise<ServerDescription> {
  const { name, type, isolation, optional, disabled, state } = config;
  const check = disabled
    ? { ok: false, detail: "never started", tools: 0, ms: 0 }
    : await checkServer(config, env, catalogue);
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
