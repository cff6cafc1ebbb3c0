import { resolve } from "node:path";
import type { z } from "zod";
import { ownOrPackaged } from "../config/paths.ts";
import type { SetupPaths } from "../run/setup.ts";
import type { Host } from "./host.ts";
import type { Invocation } from "./program.ts";

/**
 * The flags of a command with their types. Their values were checked by the option table, so that a value which does not fit
 * the schema is a defect of ours.
 */
export function typedFlags<T extends z.ZodType>(schema: T, { flags }: Invocation): z.output<T> {
  return schema.parse(flags);
}

/** Where a command reads servers, queries and plans: as its flags say, else in the working folder, else what comes with us. */
export function setupPaths(
  flags: {
    readonly config?: string | undefined;
    readonly queries?: string | undefined;
    readonly plans?: string | undefined;
  },
  host: Host,
): SetupPaths {
  const folder = (given: string | undefined, name: string) =>
    given === undefined ? ownOrPackaged(host.cwd, name) : resolve(host.cwd, given);
  return {
    config: flags.config === undefined ? undefined : resolve(host.cwd, flags.config),
    defaultConfig: ownOrPackaged(host.cwd, "mcp-servers.json"),
    queriesDir: folder(flags.queries, "queries"),
    plansDir: folder(flags.plans, "plans"),
  };
}

/** Writes a result as one JSON document. */
export function printJson(host: Host, value: unknown): void {
  host.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
