import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../src/config/paths.ts";
import { readRun } from "../src/record/run-reader.ts";
import { testFolder } from "./run-tandem.ts";

const argv = [
  "run",
  "--suite",
  "sandbox",
  "--agent",
  "oracle",
  "--agent",
  "noop",
  "--seeds",
  "6",
  "--display",
  "plain",
];
const EPISODES = 8 * 2 * 6;

function start(cwd: string): ChildProcess {
  return spawn(process.execPath, [join(packageRoot, "dist", "bin.js"), ...argv], {
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** Kills the program as soon as it has told of so many episodes. */
async function killAfter(cwd: string, episodes: number): Promise<void> {
  const child = start(cwd);
  let seen = 0;
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on("line", (line) => {
      if (/^\[\d+\/\d+\]/.test(line) && ++seen === episodes) child.kill("SIGKILL");
    });
  }
  await once(child, "exit");
  expect(child.signalCode).toBe("SIGKILL");
}

describe("a run that is killed in the middle", () => {
  it("is gone on with by the same command, and loses or doubles no episode", async () => {
    const cwd = testFolder();
    for (const episodes of [1, 7, 20]) await killAfter(cwd, episodes);
    const [folder = "", ...others] = readdirSync(join(cwd, "results"));
    expect(others).toEqual([]);
    const before = await readRun(join(cwd, "results", folder));
    expect(before.records.length).toBeGreaterThanOrEqual(28);
    expect(before.info.complete).toBe(false);

    const [code] = (await once(start(cwd), "exit")) as [number];
    expect(code).toBe(0);
    expect(readdirSync(join(cwd, "results"))).toEqual([folder]);
    const after = await readRun(join(cwd, "results", folder));
    expect(after.info.complete).toBe(true);
    expect(after.problems).toEqual([]);
    expect(after.records).toHaveLength(EPISODES);
    const lines = readFileSync(join(cwd, "results", folder, "episodes.jsonl"), "utf8")
      .trim()
      .split("\n");
    expect(new Set(lines.map((line) => (JSON.parse(line) as { key: string }).key)).size).toBe(lines.length);
    expect(lines).toHaveLength(EPISODES);
    // What was recorded before the kill is still the same.
    expect(after.records.slice(0, before.records.length)).toEqual(before.records);
  });
});
