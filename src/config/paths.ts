import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package: it holds the queries, plans and the default mcp-servers.json that come with it. */
export const packageRoot = fileURLToPath(new URL("../../", import.meta.url));

/** `name` in the working folder if it is there, else the one that comes with the package. */
export function ownOrPackaged(cwd: string, name: string): string {
  const own = join(cwd, name);
  return existsSync(own) ? own : join(packageRoot, name);
}

let version: string | undefined;

/** This package's version. */
export function packageVersion(): string {
  version ??= readVersion();
  return version;
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
  if (typeof manifest === "object" && manifest !== null && "version" in manifest) return String(manifest.version);
  return "unknown";
}
