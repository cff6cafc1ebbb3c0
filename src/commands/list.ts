import { resolve } from "node:path";
import { z } from "zod";
import { EXIT, TandemError } from "../base/errors.ts";
import { suites, tiers } from "../suite/schema.ts";
import { printJson, setupPaths, typedFlags } from "./flags.ts";
import type { Host } from "./host.ts";
import type { CommandFunction } from "./program.ts";

const flagsSchema = z.object({
  suite: z.enum(suites).optional(),
  tier: z.enum(tiers).optional(),
  config: z.string().optional(),
  queries: z.string().optional(),
  plans: z.string().optional(),
  results: z.string(),
  json: z.boolean().default(false),
});
type Flags = z.output<typeof flagsSchema>;

/** What can be listed. Each loads only what it shows. */
const lists: Readonly<Record<string, (flags: Flags, host: Host) => Promise<void>>> = {
  queries: listQueries,
  servers: listServers,
  agents: listAgents,
  judges: listJudges,
  runs: listRuns,
};

/** `tandem list queries|servers|agents|judges|runs`. */
export const list: CommandFunction = async (invocation, host) => {
  const [what = ""] = invocation.args;
  const print = Object.hasOwn(lists, what) ? lists[what] : undefined;
  if (print === undefined) {
    throw new TandemError("usage.unknown-list", `there is no list of ${what}`, {
      hint: `Choose one of ${Object.keys(lists).join(", ")}.`,
    });
  }
  await print(typedFlags(flagsSchema, invocation), host);
  return EXIT.ok;
};

async function printRows(host: Host, head: readonly string[], rows: readonly (readonly string[])[]): Promise<void> {
  const { textTable } = await import("../report/text-table.ts");
  host.stdout.write(textTable(head, rows, host.stdout));
}

async function listQueries(flags: Flags, host: Host): Promise<void> {
  const { loadQueries } = await import("../suite/load-queries.ts");
  const { queriesDir } = setupPaths(flags, host);
  const queries = loadQueries({ queriesDir }).queries.filter(
    ({ suite, tier }) => (flags.suite ?? suite) === suite && (flags.tier ?? tier) === tier,
  );
  if (flags.json) {
    printJson(host, {
      queries: queries.map(({ id, suite, tier, servers, tags, text }) => ({ id, suite, tier, servers, tags, text })),
    });
    return;
  }
  const rows = queries.map(({ id, suite, tier, servers }) => [id, suite, tier, servers.join(", ")]);
  await printRows(host, ["query", "suite", "tier", "servers"], rows);
}

async function listServers(flags: Flags, host: Host): Promise<void> {
  const { describeServers } = await import("../run/describe-servers.ts");
  const { servers } = await describeServers(setupPaths(flags, host), host.env);
  if (flags.json) {
    printJson(host, { servers });
    return;
  }
  const rows = servers.map(({ name, type, tools, isolation, state, detail }) => [
    name,
    type,
    tools === null ? "?" : String(tools),
    isolation,
    state,
    detail,
  ]);
  await printRows(host, ["server", "type", "tools", "isolation", "state", "what it says"], rows);
}

async function listAgents(flags: Flags, host: Host): Promise<void> {
  const { builtInAgents } = await import("../agent/resolve.ts");
  if (flags.json) {
    printJson(host, { agents: builtInAgents.map(({ name, help }) => ({ name, help })) });
    return;
  }
  await printRows(
    host,
    ["agent", "what it does"],
    builtInAgents.map(({ name, help }) => [name, help]),
  );
}

async function listJudges(flags: Flags, host: Host): Promise<void> {
  const { listJudges: all } = await import("./judges.ts");
  const judges = all(host.cwd);
  if (flags.json) {
    printJson(host, { judges });
    return;
  }
  const rows = judges.map(({ name, model, about }) => [name, model ?? "", about]);
  await printRows(host, ["judge", "model", "what it does"], rows);
}

async function listRuns(flags: Flags, host: Host): Promise<void> {
  const { listRuns: read } = await import("../record/run-reader.ts");
  const runs = await read(resolve(host.cwd, flags.results));
  if (flags.json) {
    printJson(host, { runs });
    return;
  }
  const rows = runs.map(({ run, createdAt, complete, episodes }) => [
    run,
    createdAt,
    complete ? "complete" : "unfinished",
    String(episodes),
  ]);
  await printRows(host, ["run", "started", "state", "episodes"], rows);
}
