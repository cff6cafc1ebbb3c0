import { errorMessage, TandemError } from "../base/errors.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { fillPlaceholders } from "../config/expand.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { StateProbe } from "../config/server-schema.ts";
import type { Snapshot } from "../record/snapshot.ts";
import type { World } from "../sandbox/world.ts";
import type { SideValues } from "./connection.ts";
import { probeFiles } from "./probes/files.ts";
import { probeJson } from "./probes/json.ts";
import { probeSqlite } from "./probes/sqlite.ts";

/** What a snapshot is taken of. */
export interface SnapshotInput {
  readonly servers: readonly ServerConfig[];
  /** Names of the sandbox servers to include, beside those that changed. */
  readonly needed: readonly string[];
  readonly world: World | null;
  readonly values: SideValues;
  /** Calls a reading tool of a server and gives its value. @throws Error in words if it does not answer with one */
  readonly read: (server: string, tool: string, args: JsonObject) => Promise<Json>;
}

/**
 * The state of all state-scored servers now: of the sandbox those that are needed or have changed, of the others those
 * that have a probe. A file that one server's `json` or `sqlite` probe reads is left out of another's `files` probe, and the
 * side's folder stands as `${workdir}` in all texts, so that two sides can be compared.
 * @throws TandemError `server.no-snapshot`
 */
export async function takeSnapshot(input: SnapshotInput): Promise<Snapshot> {
  const { servers, needed, world, values } = input;
  const sandbox = servers.filter(({ type, name }) => type === "sandbox" && world?.apps.has(name));
  const scored = new Set([
    ...sandbox.filter(({ name }) => needed.includes(name)).map(({ name }) => name),
    ...(world?.changed() ?? []),
  ]);
  const ours = world?.snapshot([...scored].sort()) ?? { servers: {}, minted: [], volatile: [], worldTime: null };
  const probes = servers.flatMap(({ name, state, disabled }) => (state === null || disabled ? [] : [{ name, state }]));
  const owned = new Set(probes.flatMap(({ state }) => filesOf(state, values)));
  const probed = await Promise.all(
    probes.map(async ({ name, state }): Promise<[string, Json]> => {
      try {
        return [name, maskText(await probe(name, state, input, owned), values.workdir)];
      } catch (thrown) {
        throw new TandemError("server.no-snapshot", `the state of ${name} cannot be read: ${errorMessage(thrown)}`, {
          details: { server: name },
          cause: thrown,
        });
      }
    }),
  );
  return { ...ours, servers: { ...ours.servers, ...Object.fromEntries(probed) } };
}

/** The files that belong to a probe alone. */
function filesOf(state: StateProbe, values: SideValues): string[] {
  if (state.probe !== "json" && state.probe !== "sqlite") return [];
  const file = fillPlaceholders(state.file, values);
  return state.probe === "json" ? [file] : ["", "-wal", "-shm", "-journal"].map((part) => file + part);
}

async function probe(
  server: string,
  state: StateProbe,
  { values, read }: SnapshotInput,
  owned: ReadonlySet<string>,
): Promise<Json> {
  const fill = (text: string) => fillPlaceholders(text, values);
  switch (state.probe) {
    case "files":
      return probeFiles(fill(state.root), owned);
    case "json":
      return probeJson(fill(state.file));
    case "sqlite":
      return probeSqlite(fill(state.file), state.tables);
    case "calls": {
      const results: [string, Json][] = [];
      for (const [name, call] of Object.entries(state.calls)) {
        const args = mapTexts(call.with as JsonObject, fill);
        results.push([name, await read(server, call.tool, args as JsonObject)]);
      }
      return Object.fromEntries(results);
    }
  }
}

function maskText(value: Json, workdir: string): Json {
  return mapTexts(value, (text) => text.replaceAll(workdir, () => "${workdir}"));
}

/** The value with `map` applied to all its texts, keys included. */
function mapTexts(value: Json, map: (text: string) => string): Json {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [map(key), mapTexts(item, map)]));
}
