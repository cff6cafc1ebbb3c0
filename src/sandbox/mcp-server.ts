import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import type { Json, JsonObject } from "../base/json.ts";
import { packageVersion } from "../config/paths.ts";
import { toolDefinitions } from "./catalog.ts";
import type { SandboxApp } from "./define.ts";
import type { ToolAnswer, World } from "./world.ts";

/** Key under `_meta` of a result: the state paths that the call changed. */
export const WRITES_META_KEY = "tandem/writes";

/**
 * An MCP server for one app of a world, ready to be connected to a transport. A result has the envelope
 * `{ status, output }` as structured content and as compact JSON text; `isError` is set unless the status is `ok`.
 *
 * The server neither moves the clock nor draws faults: whoever routes the calls does, once per call.
 */
export function sandboxServer(world: World, app: SandboxApp): Server {
  const server = new Server(
    { name: app.name, title: app.title, version: ownVersion() },
    { capabilities: { tools: {} }, instructions: app.text, jsonSchemaValidator: noValidator },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolDefinitions(app) as unknown as Tool[] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = app.tool(params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `${app.name} has no tool ${params.name}`);
    const input = tool.input.safeParse(params.arguments ?? {});
    if (!input.success) {
      return toResult({ status: "failed", output: `Invalid input. ${inputProblem(input.error)}`, writes: [] });
    }
    return toResult(world.invoke(app.name, tool.name, input.data as JsonObject));
  });
  return server;
}

/** The envelope of an answer, as an agent reads it. */
export function envelopeText(status: ToolAnswer["status"], output: Json): string {
  return JSON.stringify({ status, output });
}

function toResult({ status, output, writes }: ToolAnswer): CallToolResult {
  return {
    content: [{ type: "text", text: envelopeText(status, output) }],
    structuredContent: { status, output },
    isError: status !== "ok",
    _meta: { [WRITES_META_KEY]: writes },
  };
}

function inputProblem(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`))
    .join("; ");
}

let version: string | undefined;
function ownVersion(): string {
  version ??= packageVersion();
  return version;
}

/** In place of the SDK's validator, which takes long to build and checks what is not used here, or checked elsewhere. */
export const noValidator = {
  getValidator: () => (input: unknown) => ({ valid: true as const, data: input as never, errorMessage: undefined }),
};
