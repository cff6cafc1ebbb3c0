import { execFileSync } from "node:child_process";
import { packageRoot } from "../src/config/paths.ts";

/** Tests that start the program as a process want it as the sources have it. */
export function setup(): void {
  execFileSync("npm", ["run", "--silent", "build"], {
    cwd: packageRoot,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
}
