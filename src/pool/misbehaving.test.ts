import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configure, fixture, isRunning, stdioEntry, withPool } from "../../test/servers/pools.ts";
import type { TandemError } from "../base/errors.ts";
import { diesAgain } from "./dies-again.ts";
import { openPool, type PoolOptions } from "./open-pool.ts";
import type { Pool } from "./pool.ts";

const base: Omit<PoolOptions, "servers" | "needed"> = { world: null, role: "tested", env: process.env };

async function failedStart(entries: Record<string, object>): Promise<TandemError> {
  try {
    const pool = await openPool({ ...base, servers: configure(entries), needed: Object.keys(entries) });
    await pool.close();
  } catch (thrown) {
    return thrown as TandemError;
  }
  throw new Error("the server started");
}

const pidsOf = async (pool: Pool, tool = "a.pids"): Promise<number[]> => (await pool.call(tool, {})).value as number[];

describe.concurrent("a start that fails names the server and what went wrong", () => {
  it.each<[string, object, string]>([
    [
      "ends at once",
      stdioEntry("exit", { env: { API_KEY: "very-secret-value" } }),
      "it ended (exit code 2) before it answered",
    ],
    ["never answers", stdioEntry("silent", { startTimeout: 0.4 }), "it did not answer initialize within 0.4 s"],
    ["answers with an error", stdioEntry("refuse"), "it answered initialize with an error: no licence"],
    ["speaks an unknown version", stdioEntry("old"), "protocol version is not supported: 1999-01-01"],
    ["has no such command", { command: "no-such-command-here" }, "the command no-such-command-here was not found"],
    ["has no such folder", stdioEntry("plain", { cwd: "/no/such/folder" }), "its working folder does not exist"],
    ["has nobody at its address", { url: "http://127.0.0.1:9/mcp", tools: ["*"] }, "fetch failed"],
    ["writes something else to stdout", { command: "sh", args: ["-c", "echo hello"] }, "no JSON-RPC, such as: hello"],
  ])("%s", async (_, entry, words) => {
    const error = await failedStart({ broken: entry });
    expect(error).toMatchObject({ code: "server.start-failed", details: { server: "broken" } });
    expect(error.message).toContain(`server broken did not start: `);
    expect(error.message).toContain(words);
    expect(error.message).not.toContain("very-secret-value");
    if (words.includes("exit code 2")) expect(error.message).toContain("cannot read cfg.yaml, key=[redacted]");
  });

  it("ends the servers that were started beside it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tandem-pids-"));
    const file = join(folder, "pids");
    const entry = { command: process.execPath, args: [fixture("stdio.mjs"), "stubborn", file] };
    const bad = { command: "sh", args: ["-c", `while [ ! -s "${file}" ]; do sleep 0.05; done; exit 7`] };
    const error = await failedStart({ good: entry, bad });
    const pids = readFileSync(file, "utf8").trim().split("\n").map(Number);
    rmSync(folder, { recursive: true });
    expect(error).toMatchObject({ details: { server: "bad" }, message: expect.stringContaining("exit code 7") });
    expect(pids).toHaveLength(2);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it("is an event and no more for an optional server", async () => {
    await withPool({ gone: stdioEntry("exit", { optional: true }), a: stdioEntry("plain") }, async (pool, events) => {
      expect((await pool.tools()).map(({ server }) => server)).not.toContain("gone");
      expect((await pool.call("gone.echo", {})).outcome).toBe("syntactic");
      expect(events.filter(({ server }) => server === "gone")).toEqual([
        { type: "server", server: "gone", status: "died", detail: expect.stringContaining("exit code 2") },
      ]);
    });
  });
});

describe.concurrent("a running server", () => {
  it("that dies in a call is broken, is not asked twice, and is started again once", async () => {
    const pids: number[] = [];
    await withPool({ a: stdioEntry("plain", { env: { API_KEY: "very-secret-value" } }) }, async (pool, events) => {
      const ledger = () => readFileSync(join(pool.workdir, "ledger.txt"), "utf8");
      pids.push(...(await pidsOf(pool)));
      const died = await pool.call("pay", {});
      expect(died).toMatchObject({
        outcome: "broken",
        tool: { tool: "pay" },
        text: expect.stringContaining("exit code 3"),
      });
      expect(ledger()).toBe("x");
      pids.push(...(await pidsOf(pool)));
      expect((await pool.call("pay", {})).outcome).toBe("broken");
      expect((await pool.call("echo", {})).outcome).toBe("broken");
      expect(ledger()).toBe("xx");
      expect(events.map(({ status }) => status)).toEqual(["started", "died", "restarted", "died"]);
      expect(events[1]?.detail).toContain("the server ended (exit code 3)");
      expect(events[1]?.detail).toContain("out of paper, key=[redacted]");
    });
    expect(pids.map(isRunning)).toEqual(pids.map(() => false));
  });

  it("that dies again when its call is repeated is told from one that does not", async () => {
    const [config] = configure({ a: stdioEntry("plain") });
    if (config === undefined) throw new Error("no configuration");
    const options = { ...base, servers: [config] };
    expect(await diesAgain(config, options, { tool: "pay", args: {} })).toBe(true);
    expect(await diesAgain(config, options, { tool: "echo", args: {} })).toBe(false);
    expect(await diesAgain({ ...config, isolation: "shared" }, options, { tool: "pay", args: {} })).toBe(false);
  });

  it("that answers with an error, a JSON-RPC error or half a character keeps its words", async () => {
    await withPool({ a: stdioEntry("plain") }, async (pool) => {
      expect(await pool.call("fail", {})).toMatchObject({ outcome: "refused", text: "no such thing" });
      expect(await pool.call("protocol", {})).toMatchObject({
        outcome: "protocol",
        text: expect.stringContaining("not today"),
      });
      expect((await pool.call("surrogate", {})).text).toBe("a\uFFFD");
    });
  });
});

describe.concurrent("close", () => {
  it("leaves no process of the group, in bounded time, also behind a shell", async () => {
    const entry = stdioEntry("stubborn") as { command: string; args: string[] };
    const behind = { command: "sh", args: ["-c", `"${entry.command}" "${fixture("stdio.mjs")}" stubborn; true`] };
    const pids: number[] = [];
    let before = 0;
    await withPool({ a: entry, b: behind }, async (pool) => {
      pids.push(...(await pidsOf(pool)), ...(await pidsOf(pool, "b.pids")));
      expect(new Set(pids).size).toBe(4);
      expect(pids.every(isRunning)).toBe(true);
      before = Date.now();
    });
    expect(Date.now() - before).toBeLessThan(10_000);
    expect(pids.filter(isRunning)).toEqual([]);
  });
});
