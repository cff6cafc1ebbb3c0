import { errorMessage, TandemError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import { fillPlaceholders } from "../config/expand.ts";
import type { ServerConfig } from "../config/servers.ts";
import type { Snapshot } from "../record/snapshot.ts";
import type { World } from "../sandbox/world.ts";
import type { SideValues } from "./connection.ts";
import { probeFiles } from "./probes/files.ts";
import { probeJson } from "./probes/json.ts";

/** What a snapshot is taken of. */
export interface SnapshotInput {
  readonly servers: readonly ServerConfig[];
  /** Names of the sandbox servers to include, beside those that changed. */
  readonly needed: readonly string[];
  readonly world: World | null;
  readonly values: SideValues;
}

/**
 * The state of all state-scored servers now: of the sandbox those that are needed or have changed, of the others those
 * that have a probe. A file that one server's `json` probe reads is left out of another's `files` probe, and the side's
 * folder stands as `${workdir}` in all texts, so that two sides can be compared.
 * @throws TandemError `server.no-snapshot`
 */
export async function takeSnapshot({ servers, needed, world, values }: SnapshotInput): Promise<Snapshot> {
  const sandbox = servers.filter(({ type, name }) => type === "sandbox" && world?.apps.has(name));
  const scored = new Set([
    ...sandbox.filter(({ name }) => needed.includes(name)).map(({ name }) => name),
    ...(world?.changed() ?? []),
  ]);
  const ours = world?.snapshot([...scored].sort()) ?? { servers: {}, minted: [], volatile: [], worldTime: null };
  const fill = (text: string) => fillPlaceholders(text, values);
  const jsonFiles = new Set(
    servers.flatMap(({ state, disabled }) => (state?.probe === "json" && !disabled ? [fill(state.file)] : [])),
  );
  const probed = await Promise.all(
    servers.map(async ({ name, state, disabled }): Promise<[string, Json][]> => {
      if (state === null || disabled) return [];
      try {
        const value = await (state.probe === "files"
          ? probeFiles(fill(state.root), jsonFiles)
          : probeJson(fill(state.file)));
        return [[name, maskText(value, values.workdir)]];
      } catch (thrown) {
        throw new TandemError("server.no-snapshot", `the state of ${name} cannot be read: ${errorMessage(thrown)}`, {
          details: { server: name },
          cause: thrown,
        });
      }
    }),
  );
  return { ...ours, servers: { ...ours.servers, ...Object.fromEntries(probed.flat()) } };
}

function maskText(value: Json, workdir: string): Json {
  if (typeof value === "string") return value.replaceAll(workdir, () => "${workdir}");
  if (Array.isArray(value)) return value.map((item: Json) => maskText(item, workdir));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.replaceAll(workdir, () => "${workdir}"), maskText(item, workdir)]),
  );
}
