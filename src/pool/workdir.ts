import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { TandemError } from "../base/errors.ts";

/** A side's own folder. */
export interface Workdir {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** Removes it if it was made here. Never rejects. */
  remove(): Promise<void>;
}

/**
 * Makes a folder and fills it.
 * @param path the folder; left out, a new one below the system's folder for temporary files, which `remove` takes away
 * @param files text by path inside of it, with `/`
 * @throws TandemError `query.bad-path` if a path leads out of the folder
 */
export async function makeWorkdir(path: string | undefined, files: Readonly<Record<string, string>>): Promise<Workdir> {
  if (path !== undefined) await mkdir(path, { recursive: true });
  // Servers compare real paths, and a temporary folder may be reached by a link.
  const root = await realpath(path ?? (await mkdtemp(join(tmpdir(), "tandem-"))));
  const remove = async () => {
    if (path === undefined) await rm(root, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  };
  try {
    for (const [name, text] of Object.entries(files)) {
      const file = resolve(root, name);
      const inside = relative(root, file);
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
  return { path: root, remove };
}
