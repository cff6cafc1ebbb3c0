import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { oneCallProject } from "../../test/cases/project.ts";
import { runTandem } from "../../test/run-tandem.ts";
import { stdioEntry, withPool } from "../../test/servers/pools.ts";
import { readRun } from "../record/run-reader.ts";

const sqlite = { probe: "sqlite", file: "${workdir}/notes.db" };
const calls = (tool: string) => ({ probe: "calls", calls: { notes: { tool, with: { of: "${side}" } } } });
const row = (id: number, text: string) => ({ id, text });

describe("the state of a server outside the sandbox", () => {
  it("is read from its database while it runs, and its files are no other server's", async () => {
    const entries = {
      a: stdioEntry("plain", { state: sqlite }),
      b: stdioEntry("plain", { state: { probe: "files", root: "${workdir}" } }),
    };
    await withPool(entries, async (pool) => {
      expect((await pool.snapshot()).servers).toEqual({ a: null, b: {} });
      await pool.call("a.store", { text: "buy figs" });
      await pool.call("a.store", { text: "eat figs" });
      const { servers } = await pool.snapshot();
      expect(servers.a).toEqual({ notes: { 1: row(1, "buy figs"), 2: row(2, "eat figs") } });
      expect(servers.b).not.toHaveProperty("notes.db");
    });
  });

  it("is read by calls of its own tools, past the faults, and only of those that read", async () => {
    const faults = [{ tool: "stored", kind: "drop", rate: 1 }];
    await withPool(
      { a: stdioEntry("plain", { state: calls("stored"), faults }) },
      async (pool) => {
        expect((await pool.snapshot()).servers).toEqual({ a: { notes: [] } });
        await pool.call("store", {});
        expect((await pool.snapshot()).servers).toEqual({ a: { notes: [row(1, "a note")] } });
      },
      { faults: { seed: 1, salt: "" } },
    );
    for (const [tool, words] of [
      ["store", "its tool store says that it writes"],
      ["nowhere", "it offers no tool nowhere"],
      ["fail", "its tool fail ended with refused: no such thing"],
    ] as const) {
      await withPool({ a: stdioEntry("plain", { state: calls(tool) }) }, async (pool) => {
        await expect(pool.snapshot()).rejects.toMatchObject({
          code: "server.no-snapshot",
          message: `the state of a cannot be read: ${words}`,
        });
      });
    }
  });

  it("that cannot be read makes an episode an error, and one that can is scored", async () => {
    const outcomeOf = async (state: object, tool: string) => {
      const cwd = oneCallProject(stdioEntry("plain", { state }), tool);
      await runTandem(["run", "--display", "none", "--out", "run", "--agent", "oracle,noop"], { cwd });
      const { records } = await readRun(join(cwd, "run"));
      return records
        .map(({ agent, outcome, error, state: grade }) => [agent, outcome, error?.code, grade?.required])
        .sort(([a], [b]) => (String(a) < String(b) ? 1 : -1));
    };
    expect(await outcomeOf(calls("fail"), "echo")).toEqual([
      ["oracle", "error", "server.no-snapshot", undefined],
      ["noop", "error", "server.no-snapshot", undefined],
    ]);
    for (const state of [sqlite, calls("stored")]) {
      const [oracle, noop] = await outcomeOf(state, "store");
      expect(oracle?.slice(0, 3)).toEqual(["oracle", "pass", undefined]);
      expect(oracle?.[3]).toBeGreaterThan(0);
      expect(noop?.slice(0, 3)).toEqual(["noop", "fail", undefined]);
    }
  });
});
