import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { TandemError } from "../base/errors.ts";

/** A side's own folder. */
export interface Workdir {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** Removes it if it was made here. Never rejects. */
  remove(): Promise<void>;
}

let root: string | undefined;

/** The folder that holds all workdirs of this process. It is made at the first request and removed when the process exits. */
export function workdirRoot(): string {
  if (root === undefined) {
    // Servers compare real paths, and a temporary folder may be reached by a link.
    const made = mkdtempSync(join(realpathSync(tmpdir()), ROOT_PREFIX));
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
    root = made;
  }
  return root;
}

/** Removes the workdirs that a killed process has left. A path that is no such folder is left alone. */
export function removeWorkdirRoot(path: string): void {
  if (dirname(path) !== realpathSync(tmpdir()) || !basename(path).startsWith(ROOT_PREFIX)) return;
  rmSync(path, { recursive: true, force: true });
}

const ROOT_PREFIX = "tandem-sides-";

/**
 * Makes a folder and fills it.
 * @param path the folder; left out, a new one below {@link workdirRoot}, which `remove` takes away
 * @param files text by path inside of it, with `/`
 * @throws TandemError `query.bad-path` if a path leads out of the folder
 */
export async function makeWorkdir(path: string | undefined, files: Readonly<Record<string, string>>): Promise<Workdir> {
  if (path !== undefined) await mkdir(path, { recursive: true });
  const folder = path === undefined ? await mkdtemp(join(workdirRoot(), "side-")) : await realpath(path);
  const remove = async () => {
    if (path === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  };
  try {
    for (const [name, text] of Object.entries(files)) {
      const file = resolve(folder, name);
      const inside = relative(folder, file);
      if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || resolve(inside) === inside) {
        throw new TandemError("query.bad-path", `the file ${name} is not inside the folder of its side`, {
          details: { file: name },
        });
      }
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  } catch (thrown) {
    await remove();
    throw thrown;
  }
  return { path: folder, remove };
}
