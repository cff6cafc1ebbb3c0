import { createHash } from "node:crypto";
import { copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { matchesGlobs } from "../../base/globs.ts";
import type { Json } from "../../base/json.ts";
import { whileStill } from "./stable.ts";

/** What a probe reads at most; beyond it there is no snapshot, never a part of one. */
const MOST_BYTES = 256 * 2 ** 20;
const MOST_ROWS = 100_000;

/** The files that a database consists of while its server runs. */
const PARTS = ["", "-wal", "-journal"];

type Row = Readonly<Record<string, unknown>>;
type Query = (sql: string) => readonly Row[];

/**
 * The tables of an SQLite database as a nested object: by table, then by primary key (by row number in the order of their
 * content for a table without one), then by column. Integers beyond 2^53 are texts, blobs are `{ sha256, bytes }`. A copy is
 * read, with what the server has not yet merged into it, so that the server is never held up.
 * @param tables globs of the tables to read; undefined reads all
 * @returns null if there is no such file
 * @throws RangeError beyond the bounds, Error if it is no database or keeps changing
 */
export async function probeSqlite(file: string, tables: readonly string[] | undefined): Promise<Json> {
  const stats = await stat(file).catch(() => null);
  if (stats === null) return null;
  if (stats.size > MOST_BYTES) throw new RangeError(`${file} has more than ${MOST_BYTES} bytes`);
  // Loaded here because it takes a while and few runs need it.
  const { Database } = (await import("node-sqlite3-wasm")).default;
  const folder = await mkdtemp(join(tmpdir(), "tandem-sqlite-"));
  try {
    const copy = join(folder, "copy.db");
    await whileStill(
      PARTS.map((part) => `${file}${part}`),
      () => copyParts(file, copy),
    );
    const database = new Database(copy);
    try {
      // Without it a write-ahead log needs memory that is shared with other processes, which WebAssembly has not.
      database.exec("PRAGMA locking_mode = EXCLUSIVE");
      return readTables((sql) => database.all(sql) as Row[], tables, file);
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyParts(file: string, copy: string): Promise<void> {
  for (const part of PARTS) {
    await rm(`${copy}${part}`, { force: true });
    await copyFile(`${file}${part}`, `${copy}${part}`).catch((thrown: unknown) => {
      if (part === "" || !(thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT")) throw thrown;
    });
  }
}

function readTables(query: Query, globs: readonly string[] | undefined, file: string): Json {
  const tables = query("PRAGMA main.table_list")
    .filter(({ type, name }) => type === "table" && !String(name).startsWith("sqlite_"))
    .map(({ name }) => String(name))
    .filter((name) => globs === undefined || matchesGlobs(name, globs))
    .sort();
  let rows = 0;
  return Object.fromEntries(
    tables.map((table) => {
      const read = readTable(query, table, MOST_ROWS - rows);
      rows += Object.keys(read).length;
      if (rows >= MOST_ROWS) throw new RangeError(`${file} has more than ${MOST_ROWS} rows; name the tables to read`);
      return [table, read];
    }),
  );
}

function readTable(query: Query, table: string, most: number): Readonly<Record<string, Json>> {
  const columns = query(`PRAGMA main.table_info(${quoted(table)})`);
  const key = columns
    .filter(({ pk }) => Number(pk) > 0)
    .sort((a, b) => Number(a.pk) - Number(b.pk))
    .map(({ name }) => String(name));
  const order = (key.length > 0 ? key : columns.map(({ name }) => String(name))).map(quoted).join(", ");
  const rows = query(`SELECT * FROM main.${quoted(table)} ORDER BY ${order} LIMIT ${most}`);
  return Object.fromEntries(
    rows.map((row, at) => {
      const cells = Object.fromEntries(Object.entries(row).map(([column, value]) => [column, cell(value)]));
      return [key.length === 0 ? String(at) : key.map((column) => keyText(cells[column] ?? null)).join("|"), cells];
    }),
  );
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function keyText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function cell(value: unknown): Json {
  if (value instanceof Uint8Array) {
    return { sha256: createHash("sha256").update(value).digest("hex"), bytes: value.length };
  }
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return typeof value === "string" ? value : null;
}
