import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { resolveAgent } from "../agent/resolve.ts";
import { packageRoot } from "../config/paths.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { loadServers } from "../config/servers.ts";
import { runEpisode } from "../episode/episode.ts";
import { prepareQuery } from "../episode/prepare.ts";
import { gradeEpisode } from "../grade/grade.ts";
import { rulesJudge } from "../grade/rules-judge.ts";
import { openEpisodeWriter } from "../record/episode-writer.ts";
import { toolCalls } from "../record/trajectory.ts";
import { recordOf } from "../run/evaluate.ts";
import { sandboxApps } from "../sandbox/catalog.ts";
import { defineApp, type SandboxApp, toolsOf } from "../sandbox/define.ts";
import { createWorld } from "../sandbox/world.ts";
import { loadSuite } from "../suite/load.ts";
import type { BenchResult } from "./state-diff.ts";

const SERVERS = 15;
const TOOLS = 315;
const QUERIES = ["buy-seedless-grapes", "rounds-of-two-circles"];
const ROUNDS = 12;

/**
 * Times whole episodes, grades and record included, against the bare SDK: two sides of 15 in-memory servers with 315 tools that
 * are connected, listed and called as often as the episode calls. `ratio` is episode / bare SDK; `ratioAllCalled` compares with a
 * bare side that calls every tool once instead. Milliseconds, the median of several rounds.
 */
export async function benchEpisodes(): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const id of QUERIES) results.push(await benchEpisode(id));
  return results;
}

async function benchEpisode(id: string): Promise<BenchResult> {
  const apps = fillUp(sandboxApps.filter(({ start, tools }) => start !== undefined || tools.length > 0));
  const { queries } = loadSuite({ queriesDir: join(packageRoot, "queries"), plansDir: join(packageRoot, "plans") });
  const loaded = queries.find(({ query }) => query.id === id);
  if (loaded === undefined) throw new RangeError(`there is no query ${id}`);
  const folder = mkdtempSync(join(tmpdir(), "tandem-bench-"));
  const writer = await openEpisodeWriter(folder, (text) => text);
  const servers = configure(apps);
  const agent = resolveAgent("oracle");
  const episodes: number[] = [];
  const same: number[] = [];
  const all: number[] = [];
  let calls = 0;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      let from = performance.now();
      const prepared = prepareQuery(loaded, createWorld({ seed: round, apps }));
      const output = await runEpisode({
        prepared,
        agent,
        reference: "parallel",
        servers,
        catalogue: new Map(),
        faults: null,
        distractors: null,
        salt: "",
        follower: null,
        env: process.env,
        limits: { rounds: null, timeSeconds: null, tokens: null, costUsd: null },
        seed: round,
        repeat: 0,
        interrupted: new AbortController().signal,
      });
      const grades = await gradeEpisode({ ...output.evidence, trajectories: output.trajectories }, [rulesJudge]);
      const task = { loaded, agent, seed: round, repeat: 0 };
      const record = recordOf(task, { startedAt: "", output, grades, referenceMode: "parallel" });
      await writer.append({ record, trajectories: output.trajectories, evidence: output.evidence });
      episodes.push(performance.now() - from);
      if (grades.outcome !== "pass") throw new Error(`the episode did not pass: ${grades.reason}`);

      calls = toolCalls(output.trajectories.tested).length;
      for (const [times, count] of [
        [same, calls],
        [all, TOOLS],
      ] as const) {
        from = performance.now();
        await Promise.all([bareSide(apps, count), bareSide(apps, count)]);
        times.push(performance.now() - from);
      }
    }
  } finally {
    await writer.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    name: `episode ${id} (${calls} calls a side), 15 servers, 315 tools`,
    figures: {
      episodeMs: median(episodes),
      bareSdkMs: median(same),
      ratio: round(median(episodes) / median(same)),
      bareSdkAllCalledMs: median(all),
      ratioAllCalled: round(median(episodes) / median(all)),
    },
  };
}

/** The servers and small apps beside them, so that there are 15 with 315 tools. */
function fillUp(own: readonly SandboxApp[]): SandboxApp[] {
  const tool = toolsOf<{ notes: Record<string, string> }>();
  const missing = TOOLS - own.reduce((sum, { tools }) => sum + tools.length, 0);
  const count = SERVERS - own.length;
  const fillers = Array.from({ length: count }, (_, at) => {
    const size = Math.floor(missing / count) + (at < missing % count ? 1 : 0);
    return defineApp<{ notes: Record<string, string> }>({
      name: `Filler${at}`,
      title: `Filler ${at}`,
      text: "A small app that fills the pool.",
      start: () => ({ notes: { first: "a note" } }),
      tools: Array.from({ length: size }, (__, number) =>
        tool({
          name: `filler_${at}_${number}`,
          text: "Reads the note of a name.",
          input: {
            name: z.string().describe("name of the note"),
            count: z.int().min(1).describe("how many").optional(),
          },
          output: z.string(),
          run: ({ state }, { name }) => state.notes[name] ?? "",
        }),
      ),
    });
  });
  return [...own, ...fillers];
}

function configure(apps: readonly SandboxApp[]): ServerConfig[] {
  const { servers } = loadServers(undefined, { env: process.env, defaultFile: join(packageRoot, "mcp-servers.json") });
  const [sandbox] = servers.filter((server) => server.type === "sandbox");
  if (sandbox === undefined) throw new RangeError("no server of the sandbox is configured");
  return apps.map(({ name }) => ({ ...sandbox, name }));
}

/** Connects, lists and calls servers of the same tools as a program would that uses nothing but the SDK. */
async function bareSide(apps: readonly SandboxApp[], calls: number): Promise<void> {
  const clients = await Promise.all(apps.map(connect));
  await Promise.all(clients.map((client) => client.listTools()));
  let left = calls;
  for (const [at, { tools }] of apps.entries()) {
    for (const { name } of tools) {
      if (left-- <= 0) break;
      await clients[at]?.callTool({ name, arguments: {} });
    }
  }
  await Promise.all(clients.map((client) => client.close()));
}

async function connect(app: SandboxApp): Promise<Client> {
  const server = new McpServer({ name: app.name, version: "1.0.0" });
  for (const { name, text, input, output } of app.tools) {
    server.registerTool(
      name,
      {
        description: text,
        inputSchema: input.partial().shape,
        outputSchema: { status: z.string(), output: output.optional() },
      },
      async () => ({ content: [{ type: "text", text: "{}" }], structuredContent: { status: "ok" } }),
    );
  }
  const client = new Client({ name: "bench", version: "1.0.0" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await server.connect(there);
  await client.connect(here);
  return client;
}

function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return round(sorted[Math.floor(sorted.length / 2)] ?? 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
