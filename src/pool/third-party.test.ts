import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../config/paths.ts";
import { loadServers } from "../config/servers.ts";
import { openPool } from "./open-pool.ts";
import type { Pool } from "./pool.ts";

/** The third-party servers of the package's own file. */
const servers = loadServers(undefined, { env: {}, defaultFile: join(packageRoot, "mcp-servers.json") }).servers.filter(
  ({ type }) => type === "stdio",
);

async function withServers(needed: string[], use: (pool: Pool) => Promise<void>): Promise<void> {
  const files = { "notes/plan.txt": "buy tea\n" };
  const pool = await openPool({ servers, needed, world: null, role: "tested", env: process.env, files });
  try {
    await use(pool);
  } finally {
    await pool.close();
  }
}

describe("servers of the npm registry", () => {
  it("filesystem works in the side's folder, which is its state", async () => {
    await withServers(["filesystem"], async (pool) => {
      const read = await pool.call("filesystem.read_text_file", { path: join(pool.workdir, "notes", "plan.txt") });
      expect(read).toMatchObject({ outcome: "ok", tool: { effect: "read" } });
      expect(read.text).toContain("buy tea");
      const path = join(pool.workdir, "where.txt");
      const written = await pool.call("filesystem.write_file", { path, content: `in ${pool.workdir}/x` });
      expect(written).toMatchObject({ outcome: "ok", tool: { effect: "write" } });
      expect(await pool.call("filesystem.read_text_file", { path: "/etc/hostname" })).toMatchObject({
        outcome: "refused",
      });
      expect(await pool.snapshot()).toMatchObject({
        servers: {
          filesystem: { notes: { "plan.txt": "buy tea\n" }, "where.txt": "in ${workdir}/x" },
          memory: null,
        },
        minted: [],
        worldTime: null,
      });
    });
  });

  it("memory keeps its graph in a file that counts once, and a broken file is no empty state", async () => {
    await withServers(["memory"], async (pool) => {
      const entities = [{ name: "Ann", entityType: "person", observations: ["likes tea"] }];
      expect((await pool.call("memory.create_entities", { entities })).outcome).toBe("ok");
      expect((await pool.call("memory.read_graph", {})).value).toEqual({ entities, relations: [] });
      const { servers: states } = await pool.snapshot();
      expect(states.memory).toEqual([{ type: "entity", ...entities[0] }]);
      expect(states.filesystem).toEqual({ notes: { "plan.txt": "buy tea\n" } });
      writeFileSync(join(pool.workdir, "memory.jsonl"), "{");
      await expect(pool.snapshot()).rejects.toMatchObject({
        code: "server.no-snapshot",
        details: { server: "memory" },
      });
    });
  });

  it("everything offers what is repeatable, and all three share a pool", async () => {
    await withServers(["everything", "memory", "filesystem"], async (pool) => {
      const names = (await pool.tools()).map(({ name }) => name);
      expect(names).toContain("get-sum");
      expect(names.filter((name) => /env|toggle|long|gzip|simulate/.test(name))).toEqual([]);
      expect((await pool.call("get-sum", { a: 2, b: 3 })).text).toContain("5");
      expect((await pool.call("get-tiny-image", {})).text).toMatch(/\[image, image\/png, \d+ bytes\]/);
      expect((await pool.call("get-structured-content", { location: "New York" })).value).toHaveProperty("temperature");
    });
  });
});
