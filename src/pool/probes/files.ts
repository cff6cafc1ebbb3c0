import { createHash } from "node:crypto";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { Json } from "../../base/json.ts";
import { readStill } from "./stable.ts";

/** What a probe reads at most; beyond it there is no snapshot, never a part of one. */
export interface FileBounds {
  readonly entries: number;
  /** Bytes of all files together. */
  readonly bytes: number;
  /** Larger text files are told by their hash, like binary ones. */
  readonly textBytes: number;
}

const BOUNDS: FileBounds = { entries: 10_000, bytes: 256 * 2 ** 20, textBytes: 2 ** 20 };
const TRIES = 3;

/**
 * The files below a folder as a nested object, keys sorted: folders are objects, text files are strings, binary and very
 * large files are `{ sha256, bytes }`, symbolic links are `{ symlink }` and not followed, anything else is `{ special: true }`.
 * @param excluded absolute paths of files that belong to another probe
 * @returns null if there is no such folder
 * @throws RangeError beyond the bounds, and what reading throws
 */
export async function probeFiles(
  root: string,
  excluded: ReadonlySet<string> = new Set(),
  bounds: FileBounds = BOUNDS,
): Promise<Json> {
  let entries = 0;
  let bytes = 0;

  async function readFolder(folder: string): Promise<Json> {
    const found: [string, Json][] = [];
    for (const name of (await readdir(folder)).sort()) {
      const path = join(folder, name);
      if (excluded.has(path)) continue;
      if (++entries > bounds.entries) throw new RangeError(`more than ${bounds.entries} files and folders in ${root}`);
      found.push([name, await readEntry(path)]);
    }
    return Object.fromEntries(found);
  }

  async function readEntry(path: string): Promise<Json> {
    const stats = await lstat(path);
    if (stats.isDirectory()) return readFolder(path);
    if (stats.isSymbolicLink()) return { symlink: await readlink(path) };
    if (!stats.isFile()) return { special: true };
    bytes += stats.size;
    if (bytes > bounds.bytes) throw new RangeError(`more than ${bounds.bytes} bytes in ${root}`);
    return fileValue(await readStill(path), bounds.textBytes);
  }

  const stats = await lstat(root).catch(() => null);
  if (stats === null) return null;
  for (let tries = 1; ; tries++) {
    entries = 0;
    bytes = 0;
    try {
      return await readFolder(root);
    } catch (thrown) {
      // What a folder named may be gone when it is its turn.
      const gone = thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT";
      if (!gone || tries === TRIES) throw thrown;
    }
  }
}

function fileValue(content: Buffer, mostText: number): Json {
  if (content.length <= mostText && !content.includes(0)) {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    } catch {
      // Not UTF-8, so it is told by its hash.
    }
  }
  return { sha256: createHash("sha256").update(content).digest("hex"), bytes: content.length };
}
