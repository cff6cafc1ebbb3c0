import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TandemError } from "../../base/errors.ts";
import type { Json } from "../../base/json.ts";
import { REDACTED } from "../../base/redact.ts";
import { packageVersion } from "../../config/paths.ts";
import type { ExecEntry } from "../../config/project-schema.ts";
import { estimateTokens } from "../../model/usage.ts";
import type { Environment } from "../../pool/connection.ts";
import { type Gateway, openGateway } from "../../pool/gateway.ts";
import { makeWorkdir, type Workdir } from "../../pool/workdir.ts";
import { type Agent, type AgentAnswer, type AgentTask, Stopped } from "../agent.ts";
import type { AgentFactory } from "../resolve.ts";
import { fillExec, type LoadedExec, loadExec, type Placeholder } from "./entry.ts";
import { readOutput } from "./output.ts";
import { type ProcessOutput, runProcess } from "./process.ts";

/** Name of the server under which an outside agent sees the tools. */
const SERVER = "tandem";
const CONFIG_FILE = "mcp.json";

/**
 * An agent that runs as a process of its own, once for each episode, and reaches the tools through a gateway. What it calls
 * there is the trajectory.
 * @throws TandemError `config.unset-variable`, `config.exec-not-found`
 */
export function execAgent(
  name: string,
  entry: ExecEntry,
  { env, folder }: { readonly env: Environment; readonly folder: string },
): AgentFactory {
  const loaded = loadExec(name, entry, env, folder);
  const agent: Agent = { name: `exec:${name}`, run: (task) => work(task, loaded) };
  return {
    name: agent.name,
    help: `the command ${entry.command}, with its tools behind a gateway`,
    configuration: loaded.configuration,
    secrets: loaded.secrets,
    create: () => agent,
  };
}

async function work(task: AgentTask, loaded: LoadedExec): Promise<AgentAnswer> {
  const pending = new Set<Promise<unknown>>();
  const call = (name: string, args: Json) => {
    const result = task.call(name, args);
    const done = result.catch(() => {}).finally(() => pending.delete(done));
    pending.add(done);
    return result;
  };
  const gateway = await openGateway({ name: SERVER, version: packageVersion(), tools: task.tools, call });
  let folder: Workdir | undefined;
  try {
    folder = await makeWorkdir(undefined, {});
    const values = valuesOf(task, gateway, folder);
    await makeWorkdir(folder.path, filesOf(loaded, gateway, values));
    return await runOnce(task, loaded, gateway, values);
  } finally {
    // A call that its program did not wait for was made all the same, and enters the record before the side ends.
    await Promise.race([Promise.all(pending), aborted(task.signal)]);
    await gateway.close();
    await folder?.remove();
  }
}

async function runOnce(
  task: AgentTask,
  loaded: LoadedExec,
  gateway: Gateway,
  values: Readonly<Record<Placeholder, string>>,
): Promise<AgentAnswer> {
  const { name, entry } = loaded;
  const hide = (text: string) => text.replaceAll(gateway.token, REDACTED);
  const limit = timeLimit(entry.timeLimit, task.signal);
  const from = performance.now();
  task.beginTurn();
  try {
    const [command = "", ...args] = loaded.argv.map((text) => fillExec(text, values));
    const output = await runProcess({
      command,
      args,
      env: Object.fromEntries(Object.entries(loaded.env).map(([key, text]) => [key, fillExec(text, values)])),
      cwd: values.folder,
      stdin: loaded.stdin === null ? null : fillExec(loaded.stdin, values),
      signal: limit.signal,
    });
    if (output.failure !== null) throw failureOf(name, output, gateway, hide);
    if (gateway.sessions() === 0) {
      task.record({ type: "note", text: "the agent never opened a session with the gateway: it saw no tools" });
    }
    const { answer, usage, costUsd } = readOutput(name, hide(output.stdout), entry);
    const known = usage.prompt !== null && usage.output !== null;
    task.record({
      type: "model",
      ms: Math.round((performance.now() - from) * 100) / 100,
      model: `exec:${name}`,
      text: answer,
      calls: 0,
      finish: "stop",
      usage,
      ...(known ? {} : { estimated: estimateTokens(task.query) + estimateTokens(answer) }),
      costUsd,
    });
    return { text: answer };
  } finally {
    limit.close();
  }
}

/**
 * A program that fails and never asked for its tools did not begin: nobody knows how the agent would have done, so it is no
 * crash of the agent but a fault of the set-up.
 */
function failureOf(name: string, output: ProcessOutput, gateway: Gateway, hide: (text: string) => string): Error {
  const said = hide(output.stderrEnd || output.stdout.trim().slice(-2048));
  const words = `exec:${name} ended with ${output.failure}${said === "" ? "" : `; its output ends with:\n${said}`}`;
  if (gateway.sessions() > 0) return new Error(words);
  return new TandemError("agent.not-started", `${words}\nIt had never opened a session with the gateway.`, {
    hint: `Try the command of agents.${name} by hand; docs/outside-agents.md tells what it gets.`,
  });
}

function valuesOf(task: AgentTask, gateway: Gateway, folder: Workdir): Record<Placeholder, string> {
  return {
    query: task.query,
    mcpUrl: gateway.url,
    mcpUrlWithToken: gateway.urlWithToken,
    mcpToken: gateway.token,
    mcpConfig: join(folder.path, CONFIG_FILE),
    folder: folder.path,
  };
}

function filesOf(
  loaded: LoadedExec,
  { url, token }: Gateway,
  values: Readonly<Record<Placeholder, string>>,
): Record<string, string> {
  const server = { type: "http", url, headers: { Authorization: `Bearer ${token}` } };
  const config = JSON.stringify({ mcpServers: { [SERVER]: server } }, null, 2);
  const given = Object.entries(loaded.files).map(([path, text]) => [path, fillExec(text, values)]);
  return { [CONFIG_FILE]: config, ...Object.fromEntries(given) };
}

/** The side's signal with a time limit of the entry's own. */
function timeLimit(seconds: number | undefined, outer: AbortSignal): { signal: AbortSignal; close(): void } {
  if (seconds === undefined) return { signal: outer, close: () => {} };
  const own = new AbortController();
  const timer = setTimeout(
    () => own.abort(new Stopped("time", `the agent's own limit of ${seconds} s was reached`)),
    seconds * 1000,
  );
  return { signal: AbortSignal.any([outer, own.signal]), close: () => clearTimeout(timer) };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return sleep(0);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
