import { describe, expect, it } from "vitest";
import { stdioEntry, withPool } from "../../test/servers/pools.ts";
import type { FaultRule } from "../config/server-schema.ts";
import { sandboxApps } from "../sandbox/catalog.ts";
import { createWorld } from "../sandbox/sandbox.ts";
import type { CallResult } from "./pool.ts";

const draws = { seed: 1, salt: "" };

/** Outcome and fault of calls of `echo` on a server with rules. */
async function outcomes(
  faults: readonly Partial<FaultRule>[],
  count: number,
  options: { seed?: number; tool?: string } = {},
): Promise<[string, string | null][]> {
  return withPool(
    { Fixture: stdioEntry("plain", { faults }) },
    async (pool) => {
      const results: CallResult[] = [];
      for (let i = 0; i < count; i++) results.push(await pool.call(options.tool ?? "echo", { i: "0123456789" }));
      return results.map(({ outcome, fault }) => [outcome, fault]);
    },
    { faults: { ...draws, seed: options.seed ?? 1 } },
  );
}

describe("faults in front of a server", () => {
  it("hit the calls that a rule names, by tool, and the first rule counts", async () => {
    expect(
      await outcomes(
        [
          { tool: "ec*", kind: "transient", calls: [1] },
          { tool: "echo", kind: "rate-limit", calls: [1, 2] },
          { tool: "pay", kind: "drop", calls: [3] },
          { kind: "cut", calls: [4] },
        ],
        5,
      ),
    ).toEqual([
      ["transient", "transient"],
      ["transient", "rate-limit"],
      ["ok", null],
      ["transient", "cut"],
      ["ok", null],
    ]);
  });

  it("are drawn by seed, so that two sides meet the same", async () => {
    const rules = [{ kind: "drop", rate: 0.3 }] as const;
    const first = await outcomes(rules, 40);
    expect(await outcomes(rules, 40)).toEqual(first);
    expect(await outcomes(rules, 40, { seed: 2 })).not.toEqual(first);
    const hits = first.filter(([, fault]) => fault === "drop").length;
    expect(hits).toBeGreaterThan(3);
    expect(hits).toBeLessThan(25);
  });

  it("keep a call from the server, hold it up, or cut its result, and never stop a signal", async () => {
    const faults = [
      { tool: "pay", kind: "drop", calls: [1] },
      { tool: "echo", kind: "delay", calls: [1], seconds: 0.05 },
      { tool: "echo", kind: "cut", calls: [2] },
      { tool: "late", kind: "delay", calls: [1], seconds: 3600 },
    ];
    await withPool(
      { Fixture: stdioEntry("plain", { faults }) },
      async (pool) => {
        expect((await pool.call("pay", {})).text).toContain("dropped");
        expect(await pool.call("echo", { a: "b" })).toMatchObject({ outcome: "ok", fault: "delay" });
        expect((await pool.call("echo", { a: "0123456789" })).text).toMatch(/^\{"a":"012\n\(the answer ended early/);
        await expect(pool.call("late", {}, AbortSignal.timeout(50))).rejects.toThrow();
        // The dropped call never reached the server, which would have died of it.
        expect((await pool.call("echo", {})).outcome).toBe("ok");
      },
      { faults: draws },
    );
  });

  it("are off unless the pool draws them", async () => {
    await withPool({ Fixture: stdioEntry("plain", { faults: [{ kind: "drop", rate: 1 }] }) }, async (pool) => {
      expect((await pool.call("echo", {})).outcome).toBe("ok");
    });
  });

  it("stand in front of the sandbox as well", async () => {
    const world = createWorld({ seed: 1, apps: sandboxApps, faults: false });
    await withPool(
      { LightTalk: { type: "sandbox", faults: [{ kind: "transient", calls: [1] }] } },
      async (pool) => {
        expect(await pool.call("get_my_uid", {})).toMatchObject({ outcome: "transient", fault: "transient" });
        expect(await pool.call("get_my_uid", {})).toMatchObject({ outcome: "ok", fault: null });
      },
      { faults: draws, world },
    );
  });
});
