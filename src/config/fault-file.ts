import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { errorMessage, TandemError } from "../base/errors.ts";
import { matchesGlobs } from "../base/globs.ts";
import type { ServerConfig } from "./server-config.ts";
import { type FaultRule, faultRuleSchema } from "./server-schema.ts";

const fileSchema = z.record(z.string(), z.array(faultRuleSchema));

/** Fault rules by name or glob of their servers. */
export type FaultRules = Readonly<Record<string, readonly FaultRule[]>>;

/**
 * Reads a file of faults, YAML or JSON: lists of rules by name or glob of the servers in front of which they stand.
 * @throws TandemError `config.no-faults` if it cannot be read, `config.bad-faults` with file and field
 */
export function readFaults(file: string): FaultRules {
  let value: unknown;
  try {
    value = parse(readFileSync(file, "utf8"));
  } catch (thrown) {
    throw new TandemError("config.no-faults", `cannot read ${file}: ${errorMessage(thrown)}`, {
      hint: "Give --faults on, off, or a YAML file of rules (docs/servers.md shows one).",
      details: { file },
    });
  }
  const parsed = fileSchema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join(".") ?? "";
  throw new TandemError("config.bad-faults", `${file}: ${field || "the whole"}: ${issue?.message ?? "bad value"}`, {
    hint: 'A rule looks like { tool: "get_*", kind: transient, calls: [1] } below the name of its server.',
    details: { file, field },
  });
}

/**
 * The servers with the rules of a file behind those of their own entries.
 * @throws TandemError `config.bad-faults` if a rule is for no server
 */
export function addFaults(servers: readonly ServerConfig[], rules: FaultRules, file: string): readonly ServerConfig[] {
  for (const glob of Object.keys(rules)) {
    if (servers.some(({ name }) => matchesGlobs(name, [glob]))) continue;
    throw new TandemError("config.bad-faults", `${file}: no server is called ${glob}`, {
      hint: `Configured: ${servers.map(({ name }) => name).join(", ")}.`,
      details: { file, field: glob },
    });
  }
  return servers.map((server) => {
    const added = Object.entries(rules).flatMap(([glob, list]) => (matchesGlobs(server.name, [glob]) ? list : []));
    return added.length === 0 ? server : { ...server, faults: [...server.faults, ...added] };
  });
}
