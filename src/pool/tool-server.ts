import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { errorMessage } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import type { CallResult, OfferedTool } from "./pool.ts";

/** Tools that are offered to a client outside this process, and how they are called. */
export interface OfferedTools {
  /** What the client sees as the server's name. */
  readonly name: string;
  readonly version: string;
  readonly tools: readonly OfferedTool[];
  call(name: string, args: Json): Promise<Pick<CallResult, "outcome" | "text">>;
}

/**
 * An MCP server for one session over offered tools. Its results are texts: whatever is no `ok` is a result with `isError`, also
 * an unknown tool, so that the client's model can go on. Output schemas are left out, because clients refuse results that
 * break them, and what a server really answered is what an agent has to deal with.
 */
export function toolServer(offered: OfferedTools): Server {
  const tools = offered.tools.map(toTool);
  const server = new Server(
    { name: offered.name, version: offered.version },
    { capabilities: { tools: { listChanged: false } } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    try {
      const { outcome, text } = await offered.call(params.name, (params.arguments ?? {}) as Json);
      return { content: [{ type: "text", text }], ...(outcome === "ok" ? {} : { isError: true }) };
    } catch (thrown) {
      return { content: [{ type: "text", text: errorMessage(thrown) }], isError: true };
    }
  });
  return server;
}

function toTool({ name, description, inputSchema, effect }: OfferedTool): Tool {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: "object" } as Tool["inputSchema"],
    ...(effect === null ? {} : { annotations: { readOnlyHint: effect === "read" } }),
  };
}
