import { z } from "zod";
import { EXIT } from "../base/errors.ts";
import { writeLock } from "../config/lock-file.ts";
import { textTable } from "../report/text-table.ts";
import { describeServers, type ServerDescription } from "../run/describe-servers.ts";
import { printJson, setupPaths, typedFlags } from "./flags.ts";
import type { CommandFunction } from "./program.ts";

const flagsSchema = z.object({
  config: z.string().optional(),
  updateLock: z.boolean().default(false),
  json: z.boolean().default(false),
});

/**
 * `tandem doctor`: starts every server at once and shows its version, tools and start time, or what went wrong; of a file that
 * was named also what its entries were read as. `--update-lock` keeps what the servers are now. Ends with 4 if a server that is
 * not optional is down, or is not what the lock says.
 */
export const doctor: CommandFunction = async (invocation, host) => {
  const flags = typedFlags(flagsSchema, invocation);
  const described = await describeServers(setupPaths(flags, host), host.env, flags.updateLock);
  const { file, servers, notices, lockFile, lock } = described;
  const down = servers.filter(({ status, optional }) => status === "drift" || (status === "down" && !optional));
  if (flags.updateLock) writeLock(lockFile, lock);
  if (flags.json) {
    printJson(host, { file, servers, notices });
  } else {
    const rows = servers.map(({ name, type, status, tools, ms, detail }) => {
      const count = tools === null ? "" : String(tools);
      return [name, type, status, count, status === "ok" ? `${ms} ms` : "", detail];
    });
    host.stdout.write(textTable(["server", "type", "status", "tools", "start", "what it says"], rows, host.stdout));
    if (flags.config !== undefined) host.stdout.write(servers.map(explanation).join(""));
    for (const notice of notices) host.stderr.write(`note: ${notice}\n`);
    if (flags.updateLock) host.stderr.write(`${lockFile} holds ${Object.keys(lock).length} servers.\n`);
    host.stderr.write(`${servers.length - down.length} of ${servers.length} servers of ${file} are fit for use.\n`);
  }
  return down.length === 0 ? EXIT.ok : EXIT.setup;
};

/** How one entry of the configuration was read. */
function explanation({ name, read }: ServerDescription): string {
  if (read === null) return "";
  const width = Math.max(...Object.keys(read).map((field) => field.length));
  const lines = Object.entries(read).map(([field, text]) => `  ${field.padEnd(width)}  ${text}\n`);
  return `\n${name}\n${lines.join("")}`;
}
