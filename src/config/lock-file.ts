import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { errorMessage, TandemError } from "../base/errors.ts";

const hash = z.string().regex(/^[0-9a-f]{16}$/);

const lockedServerSchema = z.strictObject({
  name: z.string().nullable().describe("the server's own name"),
  version: z.string().nullable(),
  protocol: z.string().nullable().describe("version of the protocol"),
  tools: z
    .record(z.string(), z.strictObject({ schema: hash, words: hash }))
    .describe("in the server's order: hashes of each tool's schemas, and of its description and annotations"),
});
export type LockedServer = z.infer<typeof lockedServerSchema>;

const lockSchema = z.strictObject({
  lockVersion: z.literal(1),
  servers: z.record(z.string(), lockedServerSchema),
});

/** What servers outside the sandbox were when the lock was written, by their name in the configuration. */
export type ServersLock = Readonly<Record<string, LockedServer>>;

/** Path of the lock that belongs to a configuration file. */
export function lockFileOf(configFile: string): string {
  return join(dirname(configFile), "servers.lock.json");
}

/**
 * Reads a lock.
 * @returns null if there is none
 * @throws TandemError `config.bad-lock`, which names file and field
 */
export function readLock(file: string): ServersLock | null {
  const fail = (field: string, why: string) =>
    new TandemError("config.bad-lock", `${file}: ${field}: ${why}`, {
      hint: "tandem doctor --update-lock writes it anew once the file is removed.",
      details: { file, field },
    });
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return null;
    throw fail("the whole", errorMessage(thrown));
  }
  const parsed = lockSchema.safeParse(value);
  if (parsed.success) return parsed.data.servers;
  const [issue] = parsed.error.issues;
  throw fail(issue?.path.map(String).join(".") || "the whole", issue?.message ?? "bad value");
}

/** Replaces a lock in one step. @throws TandemError `config.no-lock` if it cannot be written */
export function writeLock(file: string, servers: ServersLock): void {
  try {
    writeFileSync(`${file}.next`, `${JSON.stringify({ lockVersion: 1, servers }, null, 2)}\n`);
    renameSync(`${file}.next`, file);
  } catch (thrown) {
    throw new TandemError("config.no-lock", `cannot write ${file}: ${errorMessage(thrown)}`, {
      hint: "Give --config a file of your own; its lock is written beside it.",
      details: { file },
    });
  }
}
