import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { notesApp } from "../../test/servers/notes-app.ts";
import { configure, stdioEntry, withPool } from "../../test/servers/pools.ts";
import { createWorld, type WorldOptions } from "../sandbox/world.ts";
import { openPool } from "./open-pool.ts";
import type { Catalogue } from "./remote-member.ts";

const notes = { Notes: { type: "sandbox" } };
const world = (more: Partial<WorldOptions> = {}) => createWorld({ seed: 7, apps: [notesApp], ...more });

describe("a pool of sandbox servers", () => {
  it("lists tools without a connection, with what they do", async () => {
    await withPool(notes, async (pool) => expect(await pool.tools()).toHaveLength(5), { world: world() });
    await withPool(
      notes,
      async (pool) => {
        const tools = await pool.tools();
        expect(tools.map(({ name, effect }) => [name, effect])).toEqual([
          ["list_notes", "read"],
          ["add_note", "write"],
          ["delete_note", "write"],
          ["break_down", "read"],
          ["go_online", "write"],
        ]);
      },
      { world: world() },
    );
  });

  it("calls by both names, moves the clock once per call and tells what was written", async () => {
    const own = world();
    const start = own.timeMs;
    await withPool(
      notes,
      async (pool) => {
        const added = await pool.call("Notes.add_note", { title: "Tea" });
        expect(added).toMatchObject({
          outcome: "ok",
          value: { id: expect.stringMatching(/^note_/) },
          writes: [expect.stringMatching(/^\/Notes\/notes\/note_/)],
          tool: { name: "add_note", server: "Notes", tool: "add_note" },
          fault: null,
          worldTime: own.now(),
        });
        expect(JSON.parse(added.text)).toEqual({ status: "ok", output: added.value });
        const listed = await pool.call("list_notes", {});
        expect(listed.value).toContainEqual({ id: expect.any(String), title: "Tea", stars: 0 });
        expect(own.timeMs).toBe(start + 2000);
        const snapshot = await pool.snapshot();
        expect(Object.keys((snapshot.servers.Notes as { notes: object }).notes)).toHaveLength(2);
        expect(snapshot).toMatchObject({ minted: [expect.any(String)], volatile: ["/Notes/offline"] });
      },
      { world: own },
    );
  });

  it("tells refusals, defects, unknown tools and bad arguments apart; the last two cost no time", async () => {
    const own = world();
    const start = own.timeMs;
    await withPool(
      notes,
      async (pool) => {
        await pool.tools();
        expect(await pool.call("add_notes", {})).toMatchObject({
          outcome: "syntactic",
          tool: null,
          text: expect.stringContaining("Did you mean add_note"),
        });
        expect((await pool.call("Notes.nothing", {})).outcome).toBe("syntactic");
        expect((await pool.call("Other.list_notes", {})).outcome).toBe("syntactic");
        expect(await pool.call("add_note", { title: 5, colour: "red" })).toMatchObject({
          outcome: "syntactic",
          tool: { tool: "add_note" },
          text: expect.stringContaining('"colour" is no parameter'),
        });
        expect((await pool.call("add_note", "title")).outcome).toBe("syntactic");
        expect(own.timeMs).toBe(start);
        expect(await pool.call("delete_note", { id: "x" })).toMatchObject({
          outcome: "refused",
          value: "There is no note x.",
        });
        expect((await pool.call("break_down", {})).outcome).toBe("transient");
      },
      { world: own },
    );
  });

  it("lets planned faults hit calls, in the words of the server, until they are repaired", async () => {
    const plannedFaults = [
      { server: "Notes", tool: "list_notes", kind: "network" },
      { server: "Notes", tool: "add_note", kind: "rate-limit", calls: [1] },
    ] as const;
    await withPool(
      notes,
      async (pool) => {
        const hit = await pool.call("list_notes", {});
        expect(hit).toMatchObject({ outcome: "transient", fault: "network", writes: [] });
        expect(JSON.parse(hit.text)).toEqual({ status: "internal error", output: hit.value });
        expect(await pool.call("add_note", { title: "a" })).toMatchObject({
          outcome: "transient",
          fault: "rate-limit",
        });
        expect((await pool.call("add_note", { title: "a" })).outcome).toBe("ok");
        await pool.call("go_online", {});
        expect(await pool.call("list_notes", {})).toMatchObject({ outcome: "ok", fault: null });
      },
      { world: world({ plannedFaults }) },
    );
  });

  it("runs calls one after the other and ends them with the signal's reason", async () => {
    await withPool(
      notes,
      async (pool) => {
        const results = await Promise.all(["a", "b", "c"].map((title) => pool.call("add_note", { title })));
        expect(new Set(results.map(({ worldTime }) => worldTime)).size).toBe(3);
        const reason = new Error("stop");
        await expect(pool.call("list_notes", {}, AbortSignal.abort(reason))).rejects.toBe(reason);
        await pool.close();
        expect((await pool.call("list_notes", {})).outcome).toBe("broken");
      },
      { world: world() },
    );
  });
});

describe("opening", () => {
  it("refuses servers that are needed but unknown, disabled or without a world", async () => {
    const open = (entries: Record<string, object>, needed: string[]) =>
      openPool({ servers: configure(entries), needed, world: null, role: "tested", env: {} });
    await expect(open(notes, ["Other"])).rejects.toMatchObject({ code: "config.unknown-server" });
    await expect(open({ a: { command: "x", disabled: true } }, ["a"])).rejects.toMatchObject({
      code: "config.disabled-server",
    });
    await expect(open(notes, [])).rejects.toMatchObject({ code: "config.no-world" });
    const open2 = openPool({ servers: [], needed: [], world: null, role: "tested", env: {}, files: { "../x": "" } });
    await expect(open2).rejects.toMatchObject({ code: "query.bad-path" });
  });

  it("fills the workdir and takes it away, and leaves a given one", async () => {
    const { path, given } = await withPool(
      {},
      async (pool) => {
        expect(readFileSync(join(pool.workdir, "in", "a.txt"), "utf8")).toBe("text");
        const kept = join(pool.workdir, "given");
        const other = await openPool({ servers: [], needed: [], world: null, role: "tested", env: {}, workdir: kept });
        await other.close();
        await other.close();
        return { path: pool.workdir, given: existsSync(kept) };
      },
      { files: { "in/a.txt": "text" } },
    );
    expect(given).toBe(true);
    expect(existsSync(path)).toBe(false);
  });

  it("never starts a disabled server, and one that is not needed only when it is used", async () => {
    await withPool(
      { off: stdioEntry("plain", { disabled: true }), later: stdioEntry("plain"), Notes: { type: "sandbox" } },
      async (pool, events) => {
        await pool.call("Notes.list_notes", {});
        expect(events).toEqual([]);
        expect((await pool.call("later.echo", { a: 1 })).value).toEqual({ a: 1 });
        expect(events).toEqual([
          {
            type: "server",
            server: "later",
            status: "started",
            detail: expect.stringMatching(/^fixture 1\.0\.0, \d+ tools$/),
          },
        ]);
        expect((await pool.tools()).map(({ server }) => server)).not.toContain("off");
      },
      { needed: ["Notes"], world: world() },
    );
  });

  it("gives the later of two equal names its server's, whichever starts first, and routes by it", async () => {
    const entries = {
      one: stdioEntry("plain", { tools: ["echo"] }),
      "two.x": stdioEntry("plain", { tools: ["e*", "pids"] }),
    };
    const expected = ["echo", "two_x_echo", "pids"];
    for (const needed of [["one"], ["two.x"]]) {
      await withPool(
        entries,
        async (pool) => {
          expect((await pool.tools()).map(({ name }) => name)).toEqual(expected);
          expect((await pool.call("two_x_echo", {})).tool).toMatchObject({ server: "two.x", tool: "echo" });
          expect((await pool.call("two.x.echo", {})).tool?.name).toBe("two_x_echo");
          expect((await pool.call("one.pids", {})).outcome).toBe("syntactic");
          expect((await pool.call("two.echo", {})).outcome).toBe("syntactic");
        },
        { needed },
      );
    }
  });
});

describe("a catalogue", () => {
  it("spares the start of a server that only lists its tools, and is filled by the first listing", async () => {
    const catalogue: Catalogue = new Map();
    const entries = { stdio: stdioEntry("plain") };
    const first = await withPool(entries, (pool) => pool.tools(), { catalogue, needed: [] });
    expect(catalogue.has("stdio")).toBe(true);
    await withPool(
      entries,
      async (pool, events) => {
        expect(await pool.tools()).toEqual(first);
        expect(events).toEqual([]);
        await pool.call("stdio.pids", {});
        expect(events).toMatchObject([{ type: "server", status: "started" }]);
      },
      { catalogue, needed: [] },
    );
  });
});
