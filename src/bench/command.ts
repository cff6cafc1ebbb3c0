import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { packageRoot } from "../config/paths.ts";
import type { BenchResult } from "./state-diff.ts";

const RUNS = 7;

/** Times commands as a shell would start them, in milliseconds: the median of several starts, beside that of bare Node. */
export function benchCommands(): BenchResult[] {
  const bin = join(packageRoot, "dist", "bin.js");
  const node = medianMs(["-e", "0"]);
  const list = medianMs([bin, "list", "queries"]);
  const help = medianMs([bin, "--help"]);
  return [
    {
      name: "tandem list queries",
      figures: {
        listQueriesMs: list,
        helpMs: help,
        bareNodeMs: node,
        ratioToBareNode: Math.round((list / node) * 100) / 100,
      },
    },
  ];
}

function medianMs(argv: readonly string[]): number {
  const times = Array.from({ length: RUNS }, () => {
    const from = performance.now();
    execFileSync(process.execPath, argv, { cwd: packageRoot, stdio: "ignore" });
    return performance.now() - from;
  }).sort((a, b) => a - b);
  return Math.round(times[Math.floor(RUNS / 2)] ?? 0);
}
