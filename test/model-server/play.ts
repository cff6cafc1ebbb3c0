import { join } from "node:path";
import { stringify } from "yaml";
import { parseStrategy } from "../../src/agent/react/strategy.ts";
import { type AgentSources, resolveAgent } from "../../src/agent/resolve.ts";
import { loadProject } from "../../src/config/project.ts";
import { type EpisodeOptions, loadServers, loadSuite, runEpisode, type TrajectoryEvent } from "../../src/index.ts";
import { createModels } from "../../src/model/models.ts";
import { type ToolEvent, toolCalls } from "../../src/record/trajectory.ts";
import { oneCallProject } from "../cases/project.ts";
import { writeFiles } from "../run-tandem.ts";
import { stdioEntry } from "../servers/pools.ts";
import type { ModelServer, ModelServerOptions, Script, WireMessage } from "./model-server.ts";
import { useModelServer } from "./use-model-server.ts";

/** What an episode of a scripted model left. */
export interface Played {
  readonly record: Awaited<ReturnType<typeof runEpisode>>["record"];
  readonly events: readonly TrajectoryEvent[];
  readonly calls: readonly ToolEvent[];
  /** Kinds of the quirks that were recorded, in order. */
  readonly quirks: readonly string[];
  /** What the model was told last, all of its conversation. */
  readonly messages: readonly WireMessage[];
  readonly server: ModelServer;
}

/** How {@link play} differs from the common. */
export interface PlayOptions {
  /** Fields of the model in `tandem.config.yaml`. */
  readonly model?: object;
  /** Fields beside `models`. */
  readonly project?: object;
  readonly strategy?: string;
  readonly embedder?: string;
  readonly server?: ModelServerOptions;
  /** Of the server `Fixture`. */
  readonly entry?: object;
  readonly episode?: Partial<EpisodeOptions>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Lets a scripted model work on one episode with the tools of a real server, whose tool `echo` gives its arguments back. */
export async function play(script: Script, options: PlayOptions = {}): Promise<Played> {
  const server = await useModelServer(script, options.server);
  const model = { endpoint: server.url, ...options.model };
  const cwd = oneCallProject(options.entry ?? stdioEntry("plain"));
  writeFiles(cwd, { "tandem.config.yaml": stringify({ models: { scripted: model }, ...options.project }) });
  const played = await playAgent("react:scripted", cwd, options);
  return {
    ...played,
    quirks: played.events.flatMap((event) => (event.type === "quirk" ? [event.kind] : [])),
    messages: server.requests.at(-1)?.messages ?? [],
    server,
  };
}

/** Lets an agent of the project in a folder work on one episode of its first query. */
export async function playAgent(
  name: string,
  cwd: string,
  options: Pick<PlayOptions, "strategy" | "embedder" | "episode" | "env"> = {},
): Promise<Pick<Played, "record" | "events" | "calls">> {
  const env = { PATH: process.env.PATH ?? "", ...options.env };
  const project = loadProject(null, cwd);
  const models = createModels(project, env);
  const sources: AgentSources = {
    project,
    models,
    env,
    strategy: parseStrategy(options.strategy ?? "full-context"),
    embedder: options.embedder ?? null,
    model: null,
  };
  const { servers } = loadServers(undefined, { env, defaultFile: join(cwd, "mcp-servers.json") });
  const { queries } = loadSuite({ queriesDir: join(cwd, "queries"), plansDir: join(cwd, "plans") });
  const [query] = queries;
  if (query === undefined) throw new Error("no query");
  try {
    const agent = resolveAgent(name, sources);
    const { record, output } = await runEpisode({ query, agent, seed: 1, servers, env, ...options.episode });
    const events = output.trajectories.tested;
    return { record, events, calls: toolCalls(events) };
  } finally {
    await models.close();
  }
}

/** Contents of the tool messages of a conversation, in order. */
export function toolTexts(messages: readonly WireMessage[]): string[] {
  return messages.filter(({ role }) => role === "tool").map(({ content }) => String(content));
}
