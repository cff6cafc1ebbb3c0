import type { JsonObject } from "../../base/json.ts";
import type { SchemaProfile } from "../../config/project-schema.ts";
import type { ChatTool, Embedder } from "../../model/chat.ts";
import { adaptTools } from "../../model/schema/adapt-tools.ts";
import { lenientArguments } from "../../model/schema/lenient-arguments.ts";
import { noSuchToolText } from "../../pool/offer.ts";
import type { OfferedTool } from "../../pool/pool.ts";
import type { AgentTask } from "../agent.ts";
import { bm25Retriever, embeddingRetriever, type Retriever } from "./retrieval.ts";
import type { Strategy } from "./strategy.ts";

/** How a model gets its tools. */
export interface ToolboxSetting {
  readonly strategy: Strategy;
  /** Null retrieves by BM25. */
  readonly embedder: Embedder | null;
  readonly schemas: SchemaProfile;
  readonly maxTools: number;
  /** Whether arguments are mended by the rule of {@link lenientArguments}. */
  readonly lenient: boolean;
}

/** The tools that a model knows at the moment. */
export interface Toolbox {
  /** As the model's endpoint accepts them. */
  tools(): readonly ChatTool[];
  isKnown(name: string): boolean;
  /** Carries out a call of the model and gives what the model is told. @throws Stopped if the side has to end */
  call(name: string, args: JsonObject): Promise<string>;
}

/** Name of the tool that finds tools. */
const RETRIEVE = "retrieve_tools";
const MOST_FOUND = 20;
const LONGEST_SUMMARY = 200;

const RETRIEVE_TOOL = {
  name: RETRIEVE,
  description:
    "Finds the tools that fit a need best. They can be called from then on. Give the need in a sentence, and how many tools you want at most.",
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", description: "what you need a tool for" },
      k: { type: "integer", minimum: 1, maximum: MOST_FOUND, description: "most tools to return" },
    },
    required: ["query", "k"],
  },
} as const;

/** Opens the tools of a task by its strategy. @throws TandemError `config.too-many-tools`, or of the embeddings endpoint */
export async function openToolbox(task: AgentTask, setting: ToolboxSetting): Promise<Toolbox> {
  const { strategy } = setting;
  if (strategy.type === "full-context") return plainToolbox(task, task.tools, setting);
  const retriever = retrieverOf(task.tools, setting.embedder);
  if (strategy.type === "rag") {
    const chosen = new Set(await retriever.retrieve(task.query, strategy.k, task.signal));
    const tools = task.tools.filter((tool) => chosen.has(tool));
    task.record({
      type: "note",
      text: `${tools.length} of ${task.tools.length} tools chosen for the task: ${names(tools)}`,
    });
    return plainToolbox(task, tools, setting);
  }
  return growingToolbox(task, retriever, setting);
}

function retrieverOf(tools: readonly OfferedTool[], embedder: Embedder | null): Retriever {
  return embedder === null ? bm25Retriever(tools) : embeddingRetriever(tools, embedder);
}

function names(tools: readonly OfferedTool[]): string {
  return tools.map(({ name }) => name).join(", ");
}

/** A fixed list of tools. Whatever else is called does not exist for this agent. */
function plainToolbox(task: AgentTask, tools: readonly OfferedTool[], setting: ToolboxSetting): Toolbox {
  const adapted = adaptTools(tools, setting.schemas, setting.maxTools);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    tools: () => adapted.tools,
    isKnown: (name) => adapted.original(name) !== undefined,
    call: async (name, args) => {
      const tool = byName.get(adapted.original(name) ?? name);
      if (tool !== undefined) return (await task.call(tool.name, mend(task, tool, args, setting))).text;
      const known = adapted.tools.map((offered) => offered.name);
      return task.reject(name, args, noSuchToolText(name, known)).text;
    },
  };
}

function mend(task: AgentTask, tool: OfferedTool, args: JsonObject, { lenient }: ToolboxSetting): JsonObject {
  if (!lenient) return args;
  const mended = lenientArguments(tool.inputSchema, args);
  if (mended.changes.length === 0) return args;
  const detail = `${tool.name}: ${mended.changes.join("; ")}; as written: ${JSON.stringify(args)}`;
  task.record({ type: "quirk", kind: "coerced-arguments", detail });
  return mended.args;
}

/** At first one tool, which finds the others. */
function growingToolbox(task: AgentTask, retriever: Retriever, setting: ToolboxSetting): Toolbox {
  const active = new Set<OfferedTool>();
  let current = plainToolbox(task, [], setting);
  const [retrieveTool] = adaptTools([RETRIEVE_TOOL], setting.schemas, 1).tools;

  async function retrieve(args: JsonObject): Promise<string> {
    const { query, k } = args;
    if (typeof query !== "string" || typeof k !== "number" || !(k >= 1)) {
      return task.reject(RETRIEVE, args, "retrieve_tools wants a text query and a whole number k of at least 1.").text;
    }
    const found = await retriever.retrieve(query, Math.min(MOST_FOUND, Math.floor(k)), task.signal);
    for (const tool of found) active.add(tool);
    current = plainToolbox(
      task,
      task.tools.filter((tool) => active.has(tool)),
      setting,
    );
    task.record({ type: "note", text: `${RETRIEVE}(${JSON.stringify(query)}, ${k}): ${names(found) || "nothing"}` });
    if (found.length === 0) return "No tool fits. Describe the need in other words.";
    return found.map(({ name, description }) => `${name}: ${description.slice(0, LONGEST_SUMMARY)}`).join("\n");
  }

  return {
    tools: () => (retrieveTool === undefined ? current.tools() : [retrieveTool, ...current.tools()]),
    isKnown: (name) => name === RETRIEVE || current.isKnown(name),
    call: (name, args) => (name === RETRIEVE ? retrieve(args) : current.call(name, args)),
  };
}
