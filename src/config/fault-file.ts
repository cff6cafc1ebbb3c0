import { z } from "zod";
import { errorMessage, TandemError } from "../base/errors.ts";
import { matchesGlobs } from "../base/globs.ts";
import type { ServerConfig } from "./server-config.ts";
import { type FaultRule, faultRuleSchema } from "./server-schema.ts";
import { faultText, readYamlFile, type YamlErrors } from "./yaml-file.ts";

const fileSchema = z.record(z.string(), z.array(faultRuleSchema));

/** Fault rules by name or glob of their servers. */
export type FaultRules = Readonly<Record<string, readonly FaultRule[]>>;

/**
 * Reads a file of faults, YAML or JSON: lists of rules by name or glob of the servers in front of which they stand.
 * @throws TandemError `config.no-faults` if it cannot be read, `config.bad-faults` with file, line and field
 */
export function readFaults(file: string): FaultRules {
  return readYamlFile(file, fileSchema, ERRORS).value;
}

const ERRORS: YamlErrors = {
  unreadable: (file, cause) =>
    new TandemError("config.no-faults", `cannot read ${file}: ${errorMessage(cause)}`, {
      hint: "Give --faults on, off, or a YAML file of rules (docs/servers.md shows one).",
      details: { file },
    }),
  bad: (fault) =>
    new TandemError("config.bad-faults", faultText(fault), {
      hint: 'A rule looks like { tool: "get_*", kind: transient, calls: [1] } below the name of its server.',
      details: { file: fault.file, line: fault.line, field: fault.field },
    }),
};

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
