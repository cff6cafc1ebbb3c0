import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ServerConfig } from "../../src/config/server-config.ts";
import { loadServers } from "../../src/config/servers.ts";
import { openPool, type PoolOptions } from "../../src/pool/open-pool.ts";
import type { Pool, PoolEvent } from "../../src/pool/pool.ts";

/** Path of a fixture server beside this file. */
export const fixture = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** An entry that starts the stdio fixture in a mode. */
export const stdioEntry = (mode: string, more: object = {}): object => ({
  command: process.execPath,
  args: [fixture("stdio.mjs"), mode],
  ...more,
});

/** Configurations of entries, as they would be read from a file. */
export function configure(entries: Record<string, object>): readonly ServerConfig[] {
  const folder = mkdtempSync(join(tmpdir(), "tandem-test-"));
  try {
    const file = join(folder, "mcp.json");
    writeFileSync(file, JSON.stringify({ mcpServers: entries }));
    const { servers, problems } = loadServers(file, { env: process.env, defaultFile: file });
    for (const { error } of problems) throw error;
    return servers;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Opens a pool of entries, gives it to `use` with the events it reports, and closes it. */
export async function withPool<T>(
  entries: Record<string, object>,
  use: (pool: Pool, events: PoolEvent[]) => Promise<T>,
  options: Partial<PoolOptions> = {},
): Promise<T> {
  const events: PoolEvent[] = [];
  const pool = await openPool({
    servers: configure(entries),
    needed: Object.keys(entries),
    world: null,
    role: "tested",
    env: process.env,
    onEvent: (event) => events.push(event),
    ...options,
  });
  try {
    return await use(pool, events);
  } finally {
    await pool.close();
  }
}

/** True while a process is there; a zombie that nobody has fetched yet is not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = `/proc/${pid}/stat`;
    return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, "utf8"));
  } catch {
    return false;
  }
}
