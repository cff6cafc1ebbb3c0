// A small MCP server over Streamable HTTP, made with the SDK. It prints its port and ends with its stdin.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

const sessions = new Map();

function newServer(request) {
  const server = new McpServer({ name: "http-fixture", version: "2.0.0" });
  const header = String(request.headers["x-side"] ?? "");
  server.registerTool("get_side", { annotations: { readOnlyHint: true } }, () => ({
    content: [{ type: "text", text: header }],
  }));
  server.registerTool(
    "add",
    { inputSchema: { a: z.number(), b: z.number() }, outputSchema: { sum: z.number() } },
    ({ a, b }) => ({
      content: [],
      structuredContent: { sum: a + b },
    }),
  );
  server.registerTool("die", {}, () => process.exit(1));
  server.registerTool("delete_all", {}, () => ({ content: [] }));
  return server;
}

const http = createServer(async (request, response) => {
  const id = request.headers["mcp-session-id"];
  let transport = sessions.get(id);
  if (id !== undefined && transport === undefined) return response.writeHead(404).end("no such session");
  if (transport === undefined) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => sessions.set(session, transport),
      onsessionclosed: (session) => sessions.delete(session),
    });
    await newServer(request).connect(transport);
  }
  if (request.url === "/forget") {
    sessions.clear();
    return response.end();
  }
  return transport.handleRequest(request, response);
});
http.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => console.log(http.address().port));
process.stdin.resume().on("end", () => process.exit(0));
