import { TandemError } from "../base/errors.ts";
import { lockFileOf, readLock, type ServersLock } from "../config/lock-file.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { type LoadedServers, loadServers } from "../config/servers.ts";
import type { Environment } from "../pool/connection.ts";
import { type LoadedQuery, loadSuite } from "../suite/load.ts";
import { type Selection, selectQueries } from "../suite/select.ts";

/** Where servers, queries and plans are read from. */
export interface SetupPaths {
  /** The configuration that was asked for; undefined reads `defaultConfig`. */
  readonly config: string | undefined;
  readonly defaultConfig: string;
  readonly queriesDir: string;
  readonly plansDir: string;
}

/** What a run works with. */
export interface Setup {
  readonly queries: readonly LoadedQuery[];
  /** The servers that can be used, in the order of the file. */
  readonly servers: readonly ServerConfig[];
  /** Things worth knowing that stop nothing. */
  readonly notices: readonly string[];
  /** The lock beside the configuration, and where it is. */
  readonly lock: Lock;
}

/** What servers were, and the file that says so; `servers` is null if there is no such file. */
export interface Lock {
  readonly file: string;
  readonly servers: ServersLock | null;
}

/**
 * Reads servers, queries and plans, and picks the queries. A server whose entry cannot be used stops only those who need it.
 * @throws TandemError of `config`, `query` or `usage`
 */
export function loadSetup(paths: SetupPaths, env: Environment, selection: Selection): Setup {
  const loaded = loadServers(paths.config, { env, defaultFile: paths.defaultConfig });
  const known = [...loaded.servers.map(({ name }) => name), ...loaded.problems.map(({ server }) => server)];
  const { queries } = loadSuite({ queriesDir: paths.queriesDir, plansDir: paths.plansDir, servers: known });
  const selected = selectQueries(queries, selection);
  requireServers(selected, loaded);
  const notices = [
    ...loaded.notices,
    ...loaded.problems.map(({ server, error }) => `server ${server} is left out: ${error.message}`),
  ];
  const lockFile = lockFileOf(loaded.file);
  return { queries: selected, servers: loaded.servers, notices, lock: { file: lockFile, servers: readLock(lockFile) } };
}

/** @throws TandemError the problem of the first server that a query needs and that cannot be used */
function requireServers(queries: readonly LoadedQuery[], { servers, problems, file }: LoadedServers): void {
  for (const { query } of queries) {
    for (const name of query.servers) {
      const problem = problems.find(({ server }) => server === name);
      if (problem !== undefined) throw problem.error;
      if (servers.find((server) => server.name === name)?.disabled) {
        throw new TandemError("config.disabled-server", `${query.id} needs the server ${name}, which is disabled`, {
          hint: `Enable it in ${file}, or leave the query out.`,
          details: { server: name, query: query.id },
        });
      }
    }
  }
}
