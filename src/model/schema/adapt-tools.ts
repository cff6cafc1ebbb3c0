import { TandemError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import type { SchemaProfile } from "../../config/project-schema.ts";
import type { ChatTool } from "../chat.ts";
import { adaptSchema } from "./adapt-schema.ts";
import { acceptedNames } from "./tool-names.ts";

/** A tool as a server describes it. */
export interface DescribedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** Tools as an endpoint accepts them. */
export interface AdaptedTools {
  /** In the order given. */
  readonly tools: readonly ChatTool[];
  /** What the model sees otherwise than the server wrote it, one sentence each, with the tool's name in front. */
  readonly notices: readonly string[];
  /** The tool's own name by the one that the model knows; undefined for a name that is none. */
  original(name: string): string | undefined;
}

interface AdaptedTool {
  readonly tool: ChatTool;
  readonly notices: readonly string[];
}

/** Tools are the same objects in each turn and most often in each episode, so each is rewritten once. */
const known: Readonly<Record<SchemaProfile, WeakMap<DescribedTool, AdaptedTool>>> = {
  standard: new WeakMap(),
  strict: new WeakMap(),
  "as-is": new WeakMap(),
};

/**
 * Brings tools into the form that a model's endpoint accepts: names of `^[a-zA-Z0-9_-]{1,64}$` that are all different, and
 * schemas by the profile, see `adaptSchema`. The input is never changed; equal objects give equal objects.
 * @param maxTools most tools that the endpoint takes in one request
 * @throws TandemError `config.too-many-tools`: none is ever left out without a word
 */
export function adaptTools(tools: readonly DescribedTool[], profile: SchemaProfile, maxTools: number): AdaptedTools {
  if (tools.length > maxTools) throw tooManyTools(tools.length, maxTools);
  const names = acceptedNames(tools.map(({ name }) => name));
  const originals = new Map<string, string>();
  const adapted: ChatTool[] = [];
  const notices: string[] = [];
  for (const [index, described] of tools.entries()) {
    const { tool, notices: own } = adaptTool(described, profile);
    const name = names[index] ?? tool.name;
    originals.set(name, described.name);
    adapted.push(name === tool.name ? tool : { ...tool, name });
    if (name !== described.name) notices.push(`${described.name}: offered as ${name}`);
    notices.push(...own.map((notice) => `${described.name}: ${notice}`));
  }
  return { tools: adapted, notices, original: (name) => originals.get(name) };
}

function adaptTool(described: DescribedTool, profile: SchemaProfile): AdaptedTool {
  const before = known[profile].get(described);
  if (before !== undefined) return before;
  const { parameters, rules, notices } = adaptSchema(described.inputSchema, profile);
  const description = [described.description, ...rules].filter((text) => text !== "").join(" ");
  const adapted = { tool: { name: described.name, description, parameters }, notices };
  known[profile].set(described, adapted);
  return adapted;
}

function tooManyTools(count: number, limit: number): TandemError {
  return new TandemError(
    "config.too-many-tools",
    `${count} tools are offered, but the model's endpoint takes ${limit} at most`,
    {
      hint: "Use --distractors N, --strategy rag:K, a smaller --pool-size, `tools` globs in mcp-servers.json, or raise maxTools of the model in tandem.config.yaml.",
      details: { count, limit },
    },
  );
}
