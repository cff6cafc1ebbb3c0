import { createReadStream } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { type Json, tryParseJson } from "../base/json.ts";
import type { Location } from "./episode-record.ts";

const NEWLINE = 10;

/** A line of a JSON Lines file, parsed. */
export interface JsonLine {
  readonly value: Json;
  /** Counted from 1. */
  readonly line: number;
  readonly location: Location;
}

/** A line that is no JSON. `torn` is one that was cut off while it was written: the last of the file, without its end. */
export interface BadLine {
  readonly line: number;
  readonly kind: "broken" | "torn";
  readonly location: Location;
}

/**
 * Reads a JSON Lines file from front to back, one line in memory at a time. Lines end at "\n" and nowhere else. A bad line is
 * reported and passed over. A file that is not there has no lines.
 */
export async function* readJsonLines(
  file: string,
  onBadLine: (bad: BadLine) => void = () => {},
): AsyncGenerator<JsonLine> {
  let line = 0;
  for await (const { bytes, offset, ended } of rawLines(file)) {
    line++;
    const location = { offset, length: bytes.length };
    const value = parseLine(bytes);
    if (value !== undefined) yield { value, line, location };
    else if (bytes.length > 0) onBadLine({ line, kind: ended ? "broken" : "torn", location });
  }
}

/** A line without its end, as bytes. `ended` is false for a last line that has none. */
interface RawLine {
  readonly bytes: Buffer;
  readonly offset: number;
  readonly ended: boolean;
}

async function* rawLines(file: string): AsyncGenerator<RawLine> {
  let parts: Buffer[] = [];
  let offset = 0;
  const take = (last: Buffer): Buffer => {
    const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    parts = [];
    return bytes;
  };
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE, from); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        const bytes = take(chunk.subarray(from, end));
        yield { bytes, offset, ended: true };
        offset += bytes.length + 1;
        from = end + 1;
      }
      if (from < chunk.length) parts.push(chunk.subarray(from));
    }
  } catch (thrown) {
    if (isMissing(thrown)) return;
    throw thrown;
  }
  if (parts.length > 0) yield { bytes: take(Buffer.alloc(0)), offset, ended: false };
}

function parseLine(bytes: Buffer): Json | undefined {
  return bytes.length === 0 ? undefined : tryParseJson(bytes.toString("utf8"));
}

/**
 * Makes a file fit for appending: a torn last line is moved into `<file>.torn-<n>`, a complete one gets its missing end.
 * @returns the file that the torn line was moved to, or null
 */
export async function mendTail(file: string): Promise<string | null> {
  const size = (await stat(file).catch(() => null))?.size ?? 0;
  if (size === 0) return null;
  const handle = await open(file, "r+");
  try {
    const start = await lastLineStart(handle, size);
    if (start === size) return null;
    const bytes = await readExactly(handle, { offset: start, length: size - start });
    if (parseLine(bytes) !== undefined) {
      await handle.write("\n", size);
      await handle.sync();
      return null;
    }
    const kept = await keepTorn(file, bytes);
    await handle.truncate(start);
    await handle.sync();
    return kept;
  } finally {
    await handle.close();
  }
}

/** Where the bytes after the last line end begin; the size if there are none. */
async function lastLineStart(handle: FileHandle, size: number): Promise<number> {
  const step = 1 << 16;
  for (let end = size; end > 0; end -= step) {
    const offset = Math.max(0, end - step);
    const bytes = await readExactly(handle, { offset, length: end - offset });
    const at = bytes.lastIndexOf(NEWLINE);
    if (at >= 0) return offset + at + 1;
  }
  return 0;
}

async function keepTorn(file: string, bytes: Buffer): Promise<string> {
  for (let n = 1; ; n++) {
    const name = `${file}.torn-${n}`;
    try {
      const handle = await open(name, "wx");
      await handle.writeFile(bytes);
      await handle.close();
      return name;
    } catch (thrown) {
      if (!(thrown instanceof Error && "code" in thrown && thrown.code === "EEXIST")) throw thrown;
    }
  }
}

/** Reads one line by its place. @throws RangeError if the file is shorter, SyntaxError if the bytes are no JSON */
export async function readLineAt(file: string, location: Location): Promise<Json> {
  const handle = await open(file, "r");
  try {
    return JSON.parse((await readExactly(handle, location)).toString("utf8")) as Json;
  } finally {
    await handle.close();
  }
}

async function readExactly(handle: FileHandle, { offset, length }: Location): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  for (let read = 0; read < length; ) {
    const { bytesRead } = await handle.read(bytes, read, length - read, offset + read);
    if (bytesRead === 0) throw new RangeError(`the file ends ${length - read} bytes too early`);
    read += bytesRead;
  }
  return bytes;
}

/** Appends lines to one file. There must be no other writer. */
export interface LineWriter {
  /** Writes lines and gives each one's place. They are durable after {@link sync}. */
  append(lines: readonly string[]): Promise<Location[]>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a file for appending, after {@link mendTail}. */
export async function openLineWriter(file: string): Promise<LineWriter> {
  const handle = await open(file, "a");
  let { size } = await handle.stat();
  return {
    async append(lines) {
      const bytes = lines.map((line) => Buffer.from(`${line}\n`));
      await handle.appendFile(Buffer.concat(bytes));
      return bytes.map(({ length }) => {
        const location = { offset: size, length: length - 1 };
        size += length;
        return location;
      });
    },
    sync: () => handle.datasync(),
    close: () => handle.close(),
  };
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT";
}
