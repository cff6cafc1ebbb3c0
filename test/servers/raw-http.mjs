// A small MCP server over HTTP that misbehaves on demand, without the SDK, so that it can break every rule. It prints its port
// and ends with its stdin. The path says how it begins, the tools misbehave by their own names:
//   /mcp            Streamable HTTP with sessions
//   /get-<what>     the same; GET is answered with a status, or with "json"
//   /old-<status>   POST is answered with that status; GET opens a stream of the old SSE transport
//   /lost           a session is known only until it is initialised
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

const sessions = new Set();
const counts = { GET: 0, POST: 0, initialize: 0, calls: 0 };
let stream;

const names = ["echo", "forget", "vanish", "cut", "html", "limit", "unavailable", "away", "moved", "code", "counts"];
const tools = names.map((name) => ({ name, inputSchema: { type: "object" } }));
const text = (value) => ({ content: [{ type: "text", text: value }] });

function answer({ id, method, params }) {
  if (method === "initialize") {
    const { protocolVersion } = params;
    return {
      id,
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "raw", version: "1.0.0" } },
    };
  }
  if (method === "tools/list") return { id, result: { tools } };
  if (method === "tools/call") {
    if (params.name === "counts") return { id, result: text(JSON.stringify(counts)) };
    if (params.name === "code") return { id, error: { code: 404, message: "no such page" } };
    if (params.name === "forget") sessions.clear();
    return { id, result: text(JSON.stringify(params.arguments ?? {})) };
  }
  return { id, result: {} };
}

function json(response, message, headers = {}) {
  response.writeHead(200, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ jsonrpc: "2.0", ...message }));
}

/** What an address that is not careful writes into its error page. */
const echo = ({ url, headers }) => `${url} ${headers.authorization ?? ""} ${headers["x-api-key"] ?? ""}`;

/** The ways in which a call goes wrong before it is looked at. */
const failures = {
  limit: (response) => response.writeHead(429, { "retry-after": "1" }).end("slow down"),
  unavailable: (response) => response.writeHead(503).end("later"),
  html: (response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in</h1>"),
  away: (response) => response.writeHead(301, { location: "http://elsewhere.test/mcp" }).end(),
  moved: (response, path) => response.writeHead(307, { location: `${path}/` }).end(),
  vanish: (response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(": nothing\n\n"),
  cut: (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": nothing\n\n", () => response.destroy());
  },
};

function streamable(request, response, message, path) {
  const id = request.headers["mcp-session-id"];
  if (message.method === "initialize") {
    counts.initialize++;
    const session = randomUUID();
    sessions.add(session);
    return json(response, answer(message), { "mcp-session-id": session });
  }
  if (!sessions.has(id)) return response.writeHead(404).end('{"error":{"code":-32001}}');
  if (message.id === undefined) return response.writeHead(202).end();
  if (message.method === "tools/call") {
    counts.calls++;
    if (path === "/lost") return response.writeHead(404).end();
    const fail = failures[message.params.name];
    if (fail !== undefined && !request.url.endsWith("/")) return fail(response, path);
  }
  return json(response, answer(message));
}

const http = createServer(async (request, response) => {
  const path = new URL(request.url, "http://here").pathname.replace(/\/$/, "");
  const [, kind, what] = /^\/(\w+)-?(\w*)/.exec(path) ?? [];
  counts[request.method] = (counts[request.method] ?? 0) + 1;
  if (request.method === "GET") {
    if (kind === "old") {
      stream = response.writeHead(200, { "content-type": "text/event-stream" });
      return stream.write("event: endpoint\ndata: /messages\n\n");
    }
    if (what === "json") return json(response, { id: 1, result: {} });
    return response.writeHead(Number(what) || 405).end();
  }
  if (request.method === "DELETE") return response.writeHead(200).end();
  let body = "";
  for await (const chunk of request) body += chunk;
  const message = JSON.parse(body);
  if (kind === "old") return response.writeHead(Number(what)).end(`not here: ${echo(request)}`);
  if (kind === "messages") {
    if (message.id !== undefined) {
      stream.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...answer(message) })}\n\n`);
    }
    return response.writeHead(202).end();
  }
  return streamable(request, response, message, path);
});
http.listen(0, "127.0.0.1", () => console.log(http.address().port));
process.stdin.resume().on("end", () => process.exit(0));
