import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { errorMessage, TandemError } from "../base/errors.ts";
import type { AgentFactory } from "./resolve.ts";

/** Whether an agent's name is the path of a module. */
export function isModulePath(name: string): boolean {
  return /^\.{0,2}\//.test(name) || /\.[cm]?[jt]s$/.test(name);
}

/**
 * The agent that a module exports as `agent`, or as its default, under the path that it was named by. A change of the file
 * is a change of the run's configuration.
 * @throws TandemError `usage.bad-agent-module` with the file and the next step
 */
export async function loadAgentModule(name: string, cwd: string): Promise<AgentFactory> {
  const file = resolve(cwd, name);
  const fail = (why: string) =>
    new TandemError("usage.bad-agent-module", `${name}: ${why}`, {
      hint: "Export an agent that defineAgent of mcp-tandem makes, as `agent` (docs/models.md shows one).",
      details: { file },
    });
  let content: Buffer;
  let module: Readonly<Record<string, unknown>>;
  try {
    content = readFileSync(file);
    module = await import(pathToFileURL(file).href);
  } catch (thrown) {
    throw fail(errorMessage(thrown));
  }
  const agent = module.agent ?? module.default;
  if (!isFactory(agent)) throw fail("it exports no agent");
  const hash = createHash("sha256").update(content).digest("hex");
  return { ...agent, name, configuration: { module: hash } };
}

function isFactory(value: unknown): value is AgentFactory {
  return typeof value === "object" && value !== null && "create" in value && typeof value.create === "function";
}
