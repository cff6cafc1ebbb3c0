import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { TandemError } from "../base/errors.ts";

/**
 * Makes this process the only writer of a run folder. A lock that a dead process left is taken over.
 * @returns a function that gives the folder free again
 * @throws TandemError `record.locked` if another process writes it
 */
export async function lockRun(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, "writer.lock");
  for (let tries = 0; ; tries++) {
    try {
      const handle = await open(file, "wx");
      await handle.writeFile(`${process.pid}\n`);
      await handle.close();
      return () => rm(file, { force: true });
    } catch (thrown) {
      if (!(thrown instanceof Error && "code" in thrown && thrown.code === "EEXIST")) throw thrown;
    }
    const owner = Number((await readFile(file, "utf8").catch(() => "")).trim());
    if (tries > 2 || isAlive(owner)) {
      throw new TandemError("record.locked", `another process (${owner}) writes to ${folder}`, {
        hint: `Wait until it has ended. If it is no tandem, remove ${file}.`,
        details: { file, pid: owner },
      });
    }
    await rm(file, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown && thrown.code === "EPERM";
  }
}
