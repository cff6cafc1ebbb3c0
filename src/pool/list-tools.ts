import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import type { ToolDefinition } from "../sandbox/catalog.ts";

const MOST_PAGES = 1000;

const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.unknown().optional() });
const hint = z.boolean().optional().catch(undefined);
const listed = z.looseObject({
  name: z.string().min(1),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
  annotations: z
    .looseObject({ readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint })
    .optional()
    .catch(undefined),
  execution: z.looseObject({ taskSupport: z.unknown().optional() }).optional().catch(undefined),
});

/** What a server listed. */
export interface ListedTools {
  readonly tools: readonly ToolDefinition[];
  /** What is odd in the list, in words: tools that are left out and why, a list without an end. */
  readonly oddities: readonly string[];
}

/**
 * All tools of a server, over all pages, in its order and each name once. A tool without a usable name, or one that can
 * only be called as a task, is left out; a schema that is no object schema is made one, so that one odd tool does not
 * hide the others. Paging ends at a missing, empty or repeated cursor.
 */
export async function listAllTools(client: Client, timeoutMs: number): Promise<ListedTools> {
  const tools = new Map<string, ToolDefinition>();
  const oddities: string[] = [];
  let listedTools = 0;
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const params = cursor === undefined ? {} : { cursor };
    let answer: z.infer<typeof page>;
    try {
      answer = await client.request({ method: "tools/list", params }, page, { timeout: timeoutMs });
    } catch (thrown) {
      // A server that offers prompts or resources alone need not know the method.
      if (thrown instanceof McpError && thrown.code === ErrorCode.MethodNotFound) return { tools: [], oddities };
      throw thrown;
    }
    for (const item of answer.tools) {
      listedTools++;
      const tool = toDefinition(item);
      if (typeof tool === "string") oddities.push(`tool ${listedTools} is left out: ${tool}`);
      else if (!tools.has(tool.name)) tools.set(tool.name, tool);
      // A list that goes round in circles repeats all its tools, which is told below.
      else if (!seen.has(cursor ?? "")) oddities.push(`tool ${listedTools} is left out: ${tool.name} is listed twice`);
    }
    const next = answer.nextCursor;
    if (typeof next !== "string" || next === "") break;
    if (seen.has(next)) {
      oddities.push("its list of tools goes round in circles");
      break;
    }
    seen.add(next);
    cursor = next;
  }
  return { tools: [...tools.values()], oddities };
}

/** A listed tool as one of ours, or why it cannot be used. */
function toDefinition(item: unknown): ToolDefinition | string {
  const parsed = listed.safeParse(item);
  if (!parsed.success) return "it has no usable name";
  if (parsed.data.execution?.taskSupport === "required") return `${parsed.data.name} can only be called as a task`;
  const { name, title, description, inputSchema, outputSchema, annotations } = parsed.data;
  const output = outputSchema as Json | undefined;
  return {
    name,
    description: description ?? title ?? annotationsTitle(annotations) ?? "",
    inputSchema: objectSchema(inputSchema as Json | undefined),
    ...(output !== undefined && isJsonObject(output) ? { outputSchema: output } : {}),
    ...(annotations === undefined ? {} : { annotations: hintsOf(annotations) }),
  };
}

function objectSchema(schema: Json | undefined): JsonObject {
  if (schema === undefined || !isJsonObject(schema)) return { type: "object" };
  return schema.type === "object" ? schema : { ...schema, type: "object" };
}

type Hints = NonNullable<z.infer<typeof listed>["annotations"]>;

function annotationsTitle(annotations: Hints | undefined): string | undefined {
  return typeof annotations?.title === "string" ? annotations.title : undefined;
}

function hintsOf(annotations: Hints): NonNullable<ToolDefinition["annotations"]> {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return {
    ...(readOnlyHint === undefined ? {} : { readOnlyHint }),
    ...(destructiveHint === undefined ? {} : { destructiveHint }),
    ...(idempotentHint === undefined ? {} : { idempotentHint }),
    ...(openWorldHint === undefined ? {} : { openWorldHint }),
  };
}
