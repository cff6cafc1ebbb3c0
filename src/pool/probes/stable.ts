import { readFile, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const TRIES = 5;
const PAUSE_MS = 20;

/** What tells that a file has changed. */
async function mark(file: string): Promise<string> {
  const { ino, size, mtimeNs } = await stat(file, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}

/**
 * Does `read`, and does it again if one of `files` was written meanwhile: half of an old and half of a new file is no state.
 * @param files absolute paths; those that are missing count as such
 * @throws Error if they keep changing; what `read` throws
 */
export async function whileStill<T>(files: readonly string[], read: () => Promise<T>): Promise<T> {
  const marks = () => Promise.all(files.map((file) => mark(file).catch(() => "missing")));
  for (let tries = 1; ; tries++) {
    const before = await marks();
    const value = await read();
    if ((await marks()).join() === before.join()) return value;
    if (tries === TRIES) throw new Error(`${files[0] ?? "a file"} keeps changing while it is read`);
    await sleep(PAUSE_MS * tries);
  }
}

/** The content of a file that nobody wrote meanwhile. @throws what reading throws, or Error if it keeps changing */
export function readStill(file: string): Promise<Buffer> {
  return whileStill([file], () => readFile(file));
}
