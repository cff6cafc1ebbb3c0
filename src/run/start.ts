import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { hashJson } from "../base/canonical-json.ts";
import { redactor } from "../base/redact.ts";
import { packageVersion } from "../config/paths.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { Environment } from "../pool/connection.ts";
import { endStale, logGroups } from "../pool/process-group.ts";
import type { Catalogue } from "../pool/remote-member.ts";
import type { EpisodeRecord } from "../record/episode-record.ts";
import type { RunInfo } from "../record/run-info.ts";
import { readEpisodes } from "../record/run-reader.ts";
import { openRun } from "../record/run-store.ts";
import type { ReportHeader } from "../report/header.ts";
import type { ProgressEvent } from "../report/progress.ts";
import { sandboxApp, toolDefinitions } from "../sandbox/catalog.ts";
import { choosePool } from "./choose-pool.ts";
import { preflight } from "./preflight.ts";
import { executeRun } from "./run.ts";
import { configurationOf, type RunSettings } from "./settings.ts";
import type { Lock } from "./setup.ts";
import { createWorlds } from "./worlds.ts";

/** What {@link startRun} needs. */
export interface StartInput {
  readonly settings: RunSettings;
  /** Values beside those of servers and agents that must not show in anything that is written. */
  readonly secrets: readonly string[];
  readonly lock: Lock;
  /** Folder of all runs. */
  readonly resultsDir: string;
  /** The run's own folder, or undefined. */
  readonly out: string | undefined;
  readonly env: Environment;
  readonly now: () => Date;
  readonly concurrency: number;
  /** False skips the preflight. */
  readonly preflight: boolean;
  /** Fires when no new episode is to start. */
  readonly stop: AbortSignal;
  /** Fires when what runs is to end at once. */
  readonly interrupted: AbortSignal;
  readonly onProgress: (event: ProgressEvent) => void;
  readonly onNotice: (text: string) => void;
}

/** What a run left behind. */
export interface FinishedRun {
  readonly header: ReportHeader;
  readonly records: readonly EpisodeRecord[];
  /** True if every planned episode is recorded, with a verdict of each judge. */
  readonly complete: boolean;
}

/**
 * Runs a configuration from preflight to the last record, or goes on with a run of it that was cut short.
 * @throws TandemError of `server` or `query` from the preflight, of `record` for the folder
 */
export async function startRun(input: StartInput): Promise<FinishedRun> {
  const { settings, env, onProgress } = input;
  const servers = serversOf(settings);
  const catalogue: Catalogue = input.preflight
    ? await preflight({
        queries: settings.queries,
        servers,
        env,
        lock: input.lock,
        onNotice: input.onNotice,
        onServer: ({ server, ok, detail }) => onProgress({ type: "preflight", server, ok, detail }),
      })
    : new Map();
  const opened = await openRun({
    resultsDir: input.resultsDir,
    out: input.out,
    info: {
      configuration: configurationOf(settings),
      sealed: settings.salt !== null,
      versions: { tandem: packageVersion(), node: process.version, platform: `${process.platform} ${process.arch}` },
      servers: describe(servers, catalogue),
      gitRevision: await gitRevision(),
    },
    now: input.now,
    redact: redactor([
      ...settings.servers.flatMap(({ secrets }) => secrets),
      ...settings.agents.flatMap(({ secrets = [] }) => secrets),
      ...input.secrets,
    ]),
  });
  for (const problem of opened.problems) input.onNotice(problem);
  const groupFile = join(opened.folder, "processes.jsonl");
  const stale = endStale(groupFile);
  if (stale > 0) input.onNotice(`ended ${stale} servers that a killed call of this run had left behind`);
  const endLog = logGroups(groupFile);
  let complete = false;
  try {
    complete = await executeRun({
      context: {
        settings,
        catalogue,
        env,
        worlds: createWorlds({ salt: settings.salt ?? "", faults: settings.faults }),
        interrupted: input.interrupted,
      },
      opened,
      concurrency: input.concurrency,
      stop: input.stop,
      onProgress,
    });
  } finally {
    endLog();
    await opened.close(complete);
  }
  const { records } = await readEpisodes(opened.folder);
  return { header: headerOf(opened.folder, { ...opened.info, complete }), records, complete };
}

/** What reports say of a run beside its episodes. */
export function headerOf(folder: string, info: RunInfo): ReportHeader {
  const { run, createdAt, configuration, complete } = info;
  return { run, folder, startedAt: createdAt, configuration, planned: plannedIn(configuration), complete };
}

/** How many episodes a stored configuration asks for. */
function plannedIn({ queries, agents, seeds, repeats }: RunInfo["configuration"]): number {
  const sizes = [queries, agents, seeds].map((list) => (typeof list === "object" ? Object.keys(list ?? {}).length : 0));
  return sizes.reduce((product, size) => product * size, Number(repeats));
}

/** The servers of all pools of a run, in the order of the file. */
function serversOf(settings: RunSettings): ServerConfig[] {
  const names = new Set<string>();
  for (const { query } of settings.queries) {
    for (const seed of settings.seeds) {
      const of = { size: settings.poolSize, seed, salt: settings.salt ?? "" };
      for (const { name } of choosePool(query, settings.servers, of)) names.add(name);
    }
  }
  return settings.servers.filter(({ name }) => names.has(name));
}

function describe(servers: readonly ServerConfig[], catalogue: Catalogue): RunInfo["servers"] {
  return Object.fromEntries(
    servers.flatMap(({ name, type }) => {
      const app = type === "sandbox" ? sandboxApp(name) : undefined;
      const tools = app === undefined ? catalogue.get(name)?.tools : toolDefinitions(app);
      if (tools === undefined) return [];
      const { identity } = catalogue.get(name) ?? { identity: null };
      return [
        [
          name,
          {
            type: identity?.transport ?? type,
            name: identity?.name ?? null,
            version: identity?.version ?? null,
            protocol: identity?.protocol ?? null,
            tools: tools.length,
            hash: hashJson(tools),
          },
        ],
      ];
    }),
  );
}

async function gitRevision(): Promise<string | null> {
  try {
    return (await promisify(execFile)("git", ["rev-parse", "HEAD"])).stdout.trim();
  } catch {
    return null;
  }
}
