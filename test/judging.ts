import { join } from "node:path";
import { expect } from "vitest";
import type { EpisodeRecord } from "../src/record/episode-record.ts";
import type { Verdict } from "../src/record/grades.ts";
import { readEpisodes } from "../src/record/run-reader.ts";
import { oneCallProject } from "./cases/project.ts";
import type { ModelRequest, ModelServer, ModelServerOptions, Script } from "./model-server/model-server.ts";
import { dialogue } from "./model-server/scripts.ts";
import { configureModel, useModelServer } from "./model-server/use-model-server.ts";
import { type ProgramResult, runTandem } from "./run-tandem.ts";
import { stdioEntry } from "./servers/pools.ts";

/** Two scores as a judge's model would give them. */
export const right = { text: '{"reason":"all of it","score":5}' };

/** How {@link judged} differs from the common. */
export interface JudgedOptions {
  /** What the tested agent does; default: it calls the tool and says that it is done. */
  readonly agent?: Script;
  readonly judges?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  /** Fields of the model in `tandem.config.yaml`. */
  readonly model?: object;
  readonly project?: object;
  readonly server?: ModelServerOptions;
  /** The code that the run has to end with. */
  readonly code?: number;
}

/** A run whose one episode was judged. */
export interface Judged {
  readonly record: EpisodeRecord;
  /** Of the first judge. */
  readonly verdict: Verdict;
  readonly server: ModelServer;
  /** What the judge was asked, in order. */
  readonly asked: readonly ModelRequest[];
  readonly cwd: string;
  readonly argv: readonly string[];
  readonly result: ProgramResult;
}

/** Whether a request comes from a judge. */
export function isJudging({ messages }: ModelRequest): boolean {
  return String(messages[0]?.content).startsWith("You judge");
}

/** Whether a request asks for a result's score, not for a trajectory's. */
export function asksForResult({ messages }: ModelRequest): boolean {
  return !String(messages[1]?.content).includes("steps");
}

const worker: Script = dialogue(
  { text: "", calls: [{ name: "echo", arguments: { text: "hi" } }] },
  { text: "It is done." },
);

/**
 * Runs one episode of a scripted agent, with the tool `echo` of a real server, and has it judged by the same endpoint under the
 * prompts that come with tandem.
 */
export async function judged(script: Script, options: JudgedOptions = {}): Promise<Judged> {
  const { agent = worker, judges = ["livemcp@scripted"], files, flags = [], code = 0 } = options;
  const cwd = oneCallProject(stdioEntry("plain"), "echo", files);
  const server = await useModelServer((request) => (isJudging(request) ? script : agent)(request), options.server);
  configureModel(cwd, server, options.model, options.project);
  const argv = ["run", "--agent", "react:scripted", "--out", "run", "--display", "none", "--pool-size", "1"];
  argv.push(...judges.flatMap((judge) => ["--judge", judge]), ...flags);
  const result = await runTandem(argv, { cwd });
  expect(result.code, `${result.stdout}${result.stderr}`).toBe(code);
  const record = await recordIn(cwd);
  const verdict = Object.values(record.judges)[0] as Verdict;
  return { record, verdict, server, asked: server.requests.filter(isJudging), cwd, argv, result };
}

/** The one episode that a run in a folder recorded. */
export async function recordIn(cwd: string): Promise<EpisodeRecord> {
  const { records, problems } = await readEpisodes(join(cwd, "run"));
  expect(problems).toEqual([]);
  expect(records).toHaveLength(1);
  return records[0] as EpisodeRecord;
}
