import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { startHttp } from "../../test/servers/http-servers.ts";
import { withPool } from "../../test/servers/pools.ts";

const entry = (port: number, more: object = {}) => ({
  remote: {
    url: `http://127.0.0.1:${port}/mcp`,
    headers: { "x-side": "${side}" },
    tools: ["get_*", "add", "die"],
    ...more,
  },
});

describe("a server over Streamable HTTP", () => {
  it("offers what its globs name, and answers", async () => {
    const { port } = await startHttp("http.mjs");
    await withPool(entry(port), async (pool, events) => {
      expect((await pool.tools()).map(({ name, effect }) => [name, effect])).toEqual([
        ["get_side", "read"],
        ["add", null],
        ["die", null],
      ]);
      expect((await pool.call("get_side", {})).text).toBe("tested");
      expect(await pool.call("add", { a: 1, b: 2 })).toMatchObject({ text: '{"sum":3}', value: { sum: 3 } });
      expect((await pool.call("add", { a: "1" })).outcome).toBe("syntactic");
      expect((await pool.call("delete_all", {})).outcome).toBe("syntactic");
      expect(await pool.snapshot()).toMatchObject({ servers: {}, worldTime: null });
      expect(events).toEqual([
        { type: "server", server: "remote", status: "started", detail: "http-fixture 2.0.0, 3 tools" },
      ]);
    });
  });

  it("is broken when it dies in a call, long before the time-out", async () => {
    const { port } = await startHttp("http.mjs");
    await withPool(entry(port), async (pool, events) => {
      expect(await pool.call("die", {})).toMatchObject({ outcome: "broken" });
      expect(events.map(({ status }) => status)).toEqual(["started", "died"]);
      expect((await pool.call("add", { a: 1, b: 2 })).outcome).toBe("broken");
    });
  });

  it("gets one new session when it has come back", async () => {
    const { child, port } = await startHttp("http.mjs");
    await withPool(entry(port), async (pool, events) => {
      child.kill("SIGKILL");
      await once(child, "exit");
      expect((await pool.call("add", { a: 1, b: 2 })).outcome).toBe("broken");
      await startHttp("http.mjs", port);
      expect((await pool.call("add", { a: 1, b: 2 })).value).toEqual({ sum: 3 });
      expect(events.map(({ status }) => status)).toEqual(["started", "died", "restarted"]);
    });
  });

  it("runs its reset command for each side that has an account of its own", async () => {
    const { port } = await startHttp("http.mjs");
    const reset = { command: "sh", args: ["-c", 'test "$0" = tested && touch reset-was-here', "${side}"] };
    await withPool(entry(port, { reset }), async (pool) => {
      expect((await pool.call("get_side", {})).text).toBe("tested");
    });
    const failing = withPool(entry(port, { reset }), async () => {}, { role: "reference" });
    await expect(failing).rejects.toThrow("its reset command failed");
  });
});
