import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRun } from "../src/record/run-reader.ts";
import { oneCallProject } from "./cases/project.ts";
import { runTandem, writeFiles } from "./run-tandem.ts";
import { stdioEntry } from "./servers/pools.ts";

const run = ["run", "--display", "none", "--agent", "oracle"];

describe("faults of a file in front of any server", () => {
  it("meet both sides alike, are told apart from errors, and belong to the configuration", async () => {
    const cwd = oneCallProject(stdioEntry("plain"));
    writeFiles(cwd, { "faults.yaml": 'Fix*:\n  - { tool: "e*", kind: rate-limit, calls: [1, 2], seconds: 9 }\n' });
    expect((await runTandem([...run, "--faults", "faults.yaml", "--out", "run"], { cwd })).code).toBe(0);
    const { info, records, trajectories } = await readRun(join(cwd, "run"));
    const [record] = records;
    if (record === undefined) throw new Error("no record");
    expect(record.outcome).toBe("pass");
    expect(record.tested?.calls).toMatchObject({ total: 3, valid: 1, failed: 2, faultsMet: 2, faultsRecovered: 2 });
    expect(info.configuration.faultRules).toMatchObject({ Fixture: [{ kind: "rate-limit", seconds: 9 }] });
    const { reference, tested } = await trajectories(record);
    for (const side of [reference, tested]) {
      const calls = side.flatMap((event) => (event.type === "tool" ? [[event.outcome, event.fault]] : []));
      expect(calls).toEqual([
        ["transient", "rate-limit"],
        ["transient", "rate-limit"],
        ["ok", null],
      ]);
    }
    const other = await runTandem([...run, "--faults", "off", "--out", "run"], { cwd });
    expect(other.stderr).toContain("faultRules");
    expect(other.code).toBe(2);
  });

  it("that are written wrongly are told with file and field", async () => {
    const cwd = oneCallProject(stdioEntry("plain"));
    writeFiles(cwd, {
      "bad.yaml": "Fixture:\n  - { kind: explode, calls: [1] }\n",
      "both.yaml": "Fixture:\n  - { kind: drop }\n",
      "nobody.yaml": "Nobody:\n  - { kind: drop, rate: 0.5 }\n",
      "torn.yaml": "Fixture: [",
    });
    for (const [file, words] of [
      ["bad.yaml", "Fixture.0.kind"],
      ["both.yaml", "needs either calls or rate"],
      ["nobody.yaml", "no server is called Nobody"],
      ["torn.yaml", "torn.yaml:1 "],
      ["none.yaml", "cannot read"],
    ] as const) {
      const { code, stderr } = await runTandem([...run, "--faults", file], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
      expect(stderr).toContain(file);
    }
  });
});
