import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { main } from "../src/cli.ts";
import { packageRoot } from "../src/config/paths.ts";

/** What a run of the whole program gave. */
export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of {@link runTandem}. */
export interface ProgramOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with each text that the program writes on stderr, and a function that presses Ctrl-C. */
  readonly onStderr?: (text: string, interrupt: () => void) => void;
}

/** Runs the whole program in this process, as the shell would. */
export async function runTandem(argv: readonly string[], options: ProgramOptions): Promise<ProgramResult> {
  let stdout = "";
  let stderr = "";
  let presses = 0;
  let handler: (count: number) => void = () => {};
  let exited: (code: number) => void = () => {};
  const exit = new Promise<number>((resolve) => {
    exited = resolve;
  });
  const running = main(argv, {
    cwd: options.cwd,
    env: { PATH: process.env.PATH ?? "", ...options.env },
    stdout: {
      write: (text) => {
        stdout += text;
      },
    },
    stderr: {
      write: (text) => {
        stderr += text;
        options.onStderr?.(text, () => handler(++presses));
      },
    },
    now: () => new Date(),
    onInterrupt: (given) => {
      handler = given;
      return () => {
        handler = () => {};
      };
    },
    exit: (code) => exited(code),
  });
  return { code: await Promise.race([running, exit]), stdout, stderr };
}

/** The JSON document that a command printed with `--json`. */
export async function runJson<T = Record<string, unknown>>(
  argv: readonly string[],
  options: ProgramOptions,
): Promise<T> {
  const { stdout, stderr, code } = await runTandem([...argv, "--json"], options);
  try {
    return JSON.parse(stdout) as T;
  } catch {
    throw new Error(`exit ${code}, no JSON on stdout: ${stdout.slice(0, 500)}\n${stderr}`);
  }
}

/** A folder of its own for a test, removed when the test ends. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tandem-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Writes files, by path, below a folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** A folder with some of the queries that come with tandem, to be changed. */
export function copyQueries(ids: readonly string[]): string {
  const folder = testFolder();
  for (const id of ids) {
    const [suite = "", name = ""] = id.split("/");
    cpSync(join(packageRoot, "queries", suite, `${name}.yaml`), join(folder, "queries", suite, `${name}.yaml`));
    cpSync(join(packageRoot, "plans", `${name}.yaml`), join(folder, "plans", `${name}.yaml`));
  }
  return folder;
}
