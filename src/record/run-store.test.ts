import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sampleEntry } from "../../test/samples/episode-entry.ts";
import { redactor } from "../base/redact.ts";
import { findRun, listRuns, readRun } from "./run-reader.ts";
import { type OpenedRun, openRun, type RunRequest } from "./run-store.ts";

let resultsDir: string;
beforeEach(() => {
  resultsDir = mkdtempSync(join(tmpdir(), "tandem-test-"));
});
afterEach(() => rmSync(resultsDir, { recursive: true, force: true }));

function request(change: Partial<RunRequest> = {}, seed = 1): RunRequest {
  return {
    resultsDir,
    out: undefined,
    info: {
      configuration: { seeds: [seed], agents: ["oracle"] },
      sealed: false,
      versions: {},
      servers: {},
      gitRevision: null,
    },
    now: () => new Date("2026-07-14T10:00:00Z"),
    redact: redactor(["top-secret-value"]),
    ...change,
  };
}

async function record(run: OpenedRun, repeats: readonly number[], complete = false): Promise<void> {
  await Promise.all(repeats.map((repeat) => run.store.append(sampleEntry(repeat))));
  await run.close(complete);
}

const episodesFile = (run: OpenedRun) => join(run.folder, "episodes.jsonl");

describe("a run folder", () => {
  it("gives back what was recorded, in order, ends and trajectories included", async () => {
    const run = await openRun(request());
    await record(run, [0, 1, 2], true);
    const stored = await readRun(run.folder);
    expect(stored.info).toMatchObject({ complete: true, endedAt: "2026-07-14T10:00:00.000Z" });
    expect(stored.records.map(({ repeat }) => repeat)).toEqual([0, 1, 2]);
    expect(stored.problems).toEqual([]);
    for (const found of stored.records) {
      const entry = sampleEntry(found.repeat);
      expect(await stored.evidence(found)).toEqual(entry.evidence);
      expect(await stored.trajectories(found)).toMatchObject(entry.trajectories);
    }
  });

  it("keeps a start state once", async () => {
    const run = await openRun(request());
    await record(run, [0, 1, 2]);
    const lines = readFileSync(join(run.folder, "states.jsonl"), "utf8").trimEnd().split("\n");
    expect(lines.filter((line) => line.startsWith('{"type":"state"'))).toHaveLength(1);
    expect(lines).toHaveLength(4);
  });

  it("writes no secret, and keeps line separators of Unicode inside a line", async () => {
    const run = await openRun(request());
    await run.store.append(sampleEntry(0, "a\u2028b top-secret-value"));
    await run.close(true);
    const [found] = (await readRun(run.folder)).records;
    expect(found).toBeDefined();
    for (const name of readdirSync(run.folder)) {
      expect(readFileSync(join(run.folder, name), "utf8")).not.toContain("top-secret-value");
    }
    if (found !== undefined) {
      const { tested } = await (await readRun(run.folder)).evidence(found);
      expect(tested.answer).toBe("a\u2028b [redacted]");
    }
  });
});

describe("resuming", () => {
  it("goes on with an unfinished run of the same configuration, and begins a new one after that", async () => {
    const first = await openRun(request());
    await record(first, [0]);
    const other = await openRun(request({}, 2));
    expect(other.folder).not.toBe(first.folder);
    await other.close(true);
    const second = await openRun(request());
    expect(second.folder).toBe(first.folder);
    expect(second.done.size).toBe(1);
    await record(second, [1], true);
    const third = await openRun(request());
    expect(third.folder).not.toBe(first.folder);
    expect(third.done.size).toBe(0);
    await third.close(true);
    expect(await listRuns(resultsDir)).toHaveLength(3);
  });

  it("refuses another configuration and says what differs", async () => {
    const out = join(resultsDir, "mine");
    await (await openRun(request({ out }))).close(true);
    await expect(openRun(request({ out }, 2))).rejects.toMatchObject({
      code: "record.other-configuration",
      message: expect.stringContaining("seeds: [1] → [2]"),
    });
  });

  it("refuses a folder that is no run, and one that another process writes to", async () => {
    const out = join(resultsDir, "mine");
    const run = await openRun(request({ out }));
    await expect(openRun(request({ out }))).rejects.toMatchObject({ code: "record.locked" });
    await run.close(true);
    writeFileSync(join(resultsDir, "notes.txt"), "hello");
    await expect(openRun(request({ out: resultsDir }))).rejects.toMatchObject({ code: "record.not-a-run" });
  });

  it("takes over the lock of a dead process", async () => {
    const run = await openRun(request({ out: join(resultsDir, "mine") }));
    await run.close(false);
    writeFileSync(join(run.folder, "writer.lock"), "999999999\n");
    await (await openRun(request({ out: run.folder }))).close(true);
  });

  it.each([
    ["cut inside a line", (file: string) => truncateSync(file, readFileSync(file).length - 40), 1],
    ["cut inside a character", (file: string) => appendFileSync(file, Buffer.from('{"key":"ä').subarray(0, 9)), 2],
    ["filled with zeros", (file: string) => appendFileSync(file, Buffer.alloc(300)), 2],
    ["without its last line end", (file: string) => truncateSync(file, readFileSync(file).length - 1), 2],
  ])("loses no whole line of a file that is %s", async (_, damage, left) => {
    const run = await openRun(request());
    await record(run, [0, 1]);
    damage(episodesFile(run));
    const again = await openRun(request());
    expect(again.done.size).toBe(left);
    await record(again, [2], true);
    const stored = await readRun(run.folder);
    expect(stored.problems).toEqual([]);
    expect(stored.records).toHaveLength(left + 1);
  });

  it("runs an episode again whose trajectories are gone, and counts one that is there twice once", async () => {
    const run = await openRun(request());
    await record(run, [0, 1]);
    const lines = readFileSync(episodesFile(run), "utf8");
    appendFileSync(episodesFile(run), `${lines.split("\n")[0]}\nnot json\n`);
    truncateSync(join(run.folder, "trajectories.jsonl"), 300);
    const { records, problems } = await readRun(run.folder);
    expect(records.map(({ repeat }) => repeat)).toEqual([0]);
    expect(problems).toEqual([
      expect.stringContaining("episodes.jsonl:2: the trajectories or states of"),
      expect.stringContaining("there twice"),
      "episodes.jsonl:4: the line is no JSON",
    ]);
  });
});

describe("finding a run", () => {
  it("takes a path, a name, the beginning of one, and latest", async () => {
    const run = await openRun(request());
    await run.close(true);
    for (const name of [run.folder, run.info.run, run.info.run.slice(0, 8), "latest"]) {
      expect(await findRun(resultsDir, name, resultsDir)).toBe(run.folder);
    }
    await expect(findRun(resultsDir, "2027", resultsDir)).rejects.toMatchObject({ code: "record.no-run" });
    await (await openRun(request({}, 2))).close(true);
    await expect(findRun(resultsDir, "2026", resultsDir)).rejects.toMatchObject({ code: "record.ambiguous-run" });
  });
});
