import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sqlite from "node-sqlite3-wasm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { probeFiles } from "./files.ts";
import { probeJson } from "./json.ts";
import { probeSqlite } from "./sqlite.ts";
import { whileStill } from "./stable.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "tandem-probe-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const write = (name: string, content: string | Uint8Array) => writeFileSync(join(root, name), content);

describe("probeFiles", () => {
  it("gives folders, text, binary files and links, in one order", async () => {
    mkdirSync(join(root, "b", "empty"), { recursive: true });
    write("b/text.txt", "\uFEFFgrün\n");
    write("a.bin", new Uint8Array([0, 1, 2]));
    write("latin.txt", new Uint8Array([0xe4, 0x41]));
    write("__proto__", "odd");
    symlinkSync("/etc", join(root, "link"));
    const state = await probeFiles(root);
    expect(JSON.stringify(state)).toBe(JSON.stringify(await probeFiles(root)));
    expect(Object.entries(state as object)).toEqual([
      ["__proto__", "odd"],
      ["a.bin", { sha256: "ae4b3280e56e2faf83f414a6e3dabe9d5fbe18976544c05fed121accb85b53fc", bytes: 3 }],
      ["b", { empty: {}, "text.txt": "\uFEFFgrün\n" }],
      ["latin.txt", { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: 2 }],
      ["link", { symlink: "/etc" }],
    ]);
  });

  it("leaves out files of other probes, and tells no folder from an empty one", async () => {
    write("memory.jsonl", "{}");
    expect(await probeFiles(root, new Set([join(root, "memory.jsonl")]))).toEqual({});
    expect(await probeFiles(join(root, "none"))).toBeNull();
  });

  it("throws beyond its bounds instead of leaving something out", async () => {
    write("a", "12345");
    write("b", "12345");
    const bounds = { entries: 10, bytes: 100, textBytes: 100 };
    await expect(probeFiles(root, new Set(), { ...bounds, entries: 1 })).rejects.toThrow("more than 1 files");
    await expect(probeFiles(root, new Set(), { ...bounds, bytes: 9 })).rejects.toThrow("more than 9 bytes");
    expect(await probeFiles(root, new Set(), { ...bounds, textBytes: 4 })).toMatchObject({ a: { bytes: 5 } });
  });
});

describe("probeJson", () => {
  it("reads JSON, JSON Lines, and a single line by the file's name", async () => {
    write("a.json", '\uFEFF{ "x": [1] }');
    write("b.jsonl", '{"x":1}\n');
    write("c.jsonl", '{"x":"\u2028"}\r\n\n{"x":2}\n');
    write("d.json", '{"x":1}\n{"x":2}');
    write("e.jsonl", "");
    expect(await probeJson(join(root, "a.json"))).toEqual({ x: [1] });
    expect(await probeJson(join(root, "b.jsonl"))).toEqual([{ x: 1 }]);
    expect(await probeJson(join(root, "c.jsonl"))).toEqual([{ x: "\u2028" }, { x: 2 }]);
    expect(await probeJson(join(root, "d.json"))).toEqual([{ x: 1 }, { x: 2 }]);
    expect(await probeJson(join(root, "e.jsonl"))).toEqual([]);
  });

  it("gives null for a file that is not there, and throws for one that cannot be read", async () => {
    expect(await probeJson(join(root, "none.json"))).toBeNull();
    write("bad.jsonl", '{"x":1}\n{"x":');
    write("empty.json", "");
    await expect(probeJson(join(root, "bad.jsonl"))).rejects.toThrow("bad.jsonl:2: not JSON");
    await expect(probeJson(join(root, "empty.json"))).rejects.toThrow("is empty");
    await expect(probeJson(root)).rejects.toThrow();
  });
});

describe("probeSqlite", () => {
  /** A database that is open and has not merged its write-ahead log, as that of a running server. */
  function withDatabase<T>(statements: readonly string[], use: (file: string) => Promise<T>): Promise<T> {
    const file = join(root, "app.db");
    const database = new sqlite.Database(file);
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.exec("PRAGMA journal_mode = WAL");
    for (const statement of statements) database.exec(statement);
    return use(file).finally(() => database.close());
  }

  it("gives tables by primary key, with what is still in the write-ahead log", async () => {
    await withDatabase(
      [
        "CREATE TABLE orders (id INTEGER PRIMARY KEY AUTOINCREMENT, item TEXT, total REAL, big INTEGER, raw BLOB)",
        "CREATE TABLE tags (item TEXT, tag TEXT, PRIMARY KEY (item, tag)) WITHOUT ROWID",
        "CREATE TABLE log (line TEXT)",
        "CREATE VIEW v AS SELECT 1",
        "INSERT INTO orders (item, total, big, raw) VALUES ('fig', 1.5, 9007199254740993, x'00ff'), ('kiwi', NULL, 7, NULL)",
        "INSERT INTO tags VALUES ('fig', 'sweet'), ('fig', 'blue')",
        "INSERT INTO log VALUES ('second'), ('first')",
      ],
      async (file) => {
        const raw = { sha256: "06eb7d6a69ee19e5fbdf749018d3d2abfa04bcbd1365db312eb86dc7169389b8", bytes: 2 };
        expect(await probeSqlite(file, undefined)).toEqual({
          log: { 0: { line: "first" }, 1: { line: "second" } },
          orders: {
            1: { id: 1, item: "fig", total: 1.5, big: "9007199254740993", raw },
            2: { id: 2, item: "kiwi", total: null, big: 7, raw: null },
          },
          tags: { "fig|blue": { item: "fig", tag: "blue" }, "fig|sweet": { item: "fig", tag: "sweet" } },
        });
        expect(Object.keys((await probeSqlite(file, ["t*"])) as object)).toEqual(["tags"]);
      },
    );
  });

  it("tells no database from an empty one, and a file that is none", async () => {
    expect(await probeSqlite(join(root, "none.db"), undefined)).toBeNull();
    write("text.db", "this is no database, and longer than the header of one would be: ".repeat(20));
    await expect(probeSqlite(join(root, "text.db"), undefined)).rejects.toThrow(/not a database/);
  });
});

describe("a file that changes while it is read", () => {
  it("is read again, and is an error if that never ends", async () => {
    write("a", "1");
    const file = join(root, "a");
    let reads = 0;
    const value = await whileStill([file], async () => {
      if (++reads < 3) appendFileSync(file, "x");
      return reads;
    });
    expect(value).toBe(3);
    const code = `const fs = require("fs"); for (;;) fs.appendFileSync(${JSON.stringify(file)}, "x".repeat(20));`;
    const writer = spawn(process.execPath, ["-e", code]);
    try {
      await once(writer, "spawn");
      await expect(
        (async () => {
          for (;;) await probeFiles(root);
        })(),
      ).rejects.toThrow("keeps changing while it is read");
    } finally {
      writer.kill("SIGKILL");
    }
  });
});
