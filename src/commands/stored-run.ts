import { resolve } from "node:path";
import { findRun } from "../record/run-reader.ts";
import type { Host } from "./host.ts";
import type { Invocation } from "./program.ts";

/** The folder of the run that a command's first argument names. @throws TandemError as {@link findRun} */
export function storedRunFolder({ args }: Invocation, results: string, host: Host): Promise<string> {
  return findRun(resolve(host.cwd, results), args[0] ?? "latest", host.cwd);
}
