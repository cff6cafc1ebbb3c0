// A small MCP server over stdio that misbehaves on demand. It speaks plain JSON-RPC, so that it can break every rule.
// Usage: node stdio.mjs [mode] [file for process ids]; the tools misbehave by their own names.
import { spawn } from "node:child_process";
import { appendFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";

const mode = process.argv[2] ?? "plain";
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (value, more = {}) => ({ content: [{ type: "text", text: value }], ...more });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let helper;

if (mode === "exit") {
  console.error("cannot read cfg.yaml, key=very-secret-value");
  process.exit(2);
}
if (mode === "stubborn") {
  process.on("SIGTERM", () => {});
  process.stdin.on("end", () => setInterval(() => {}, 1000));
  const code = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
  helper = spawn(process.execPath, ["-e", code], { stdio: "inherit" });
  if (process.argv[3] !== undefined) appendFileSync(process.argv[3], `${process.pid}\n${helper.pid}\n`);
}
if (mode === "noise") {
  process.stdout.write('Booting v1 ✓\n\n[log] {\n  a: 1\n}\n{"level":"info","id":1}\n42\n"hi"\nnull\n');
  send({ id: 999, result: {} });
}

const object = { type: "object", properties: {} };
const names = [
  "echo",
  "pay",
  "flood",
  "big",
  "progress",
  "forever",
  "hang",
  "late",
  "fail",
  "protocol",
  "surrogate",
  "pids",
];
const plain = names.map((name) => ({ name, description: `Tool ${name}.`, inputSchema: object }));
const odd = [
  { name: "good", inputSchema: object },
  { name: "untyped", inputSchema: { properties: {} } },
  { name: "boolean", inputSchema: { type: "object", properties: { x: true } }, outputSchema: { type: "array" } },
  { name: "ref", inputSchema: object, outputSchema: { type: "object", $ref: "#/$defs/none" } },
  { name: "", inputSchema: object },
  { name: 7 },
  { name: "task", inputSchema: object, execution: { taskSupport: "required" } },
  { name: "good", inputSchema: object, description: "again" },
];

function list(cursor) {
  if (mode === "odd") return { tools: odd };
  if (mode === "loop") return { tools: [plain[0]], nextCursor: cursor === "a" ? "b" : "a" };
  if (mode !== "pages") return { tools: plain };
  const pages = {
    "": [plain.slice(0, 2), "p1"],
    p1: [[], "p2"],
    p2: [plain.slice(2, 4), "p3"],
    p3: [plain.slice(4, 5), ""],
  };
  const [tools, nextCursor] = pages[cursor ?? ""];
  return { tools, nextCursor };
}

async function call(id, { name, arguments: args, _meta }) {
  const progress = (value) =>
    send({ method: "notifications/progress", params: { progressToken: _meta?.progressToken, progress: value } });
  switch (name) {
    case "pay":
      appendFileSync("ledger.txt", "x");
      console.error("out of paper, key=very-secret-value");
      return process.exit(3);
    case "flood":
      for (let i = 0; i < 512; i++) writeSync(2, `${"e".repeat(1023)}\n`);
      return send({ id, result: text("done") });
    case "big":
      return send({ id, result: text("b".repeat(args.bytes ?? 0)) });
    case "progress":
      for (let i = 1; i <= 6; i++) {
        await sleep(100);
        progress(i);
      }
      return send({ id, result: text("done") });
    case "forever":
      for (let i = 1; i < 400; i++) {
        await sleep(50);
        progress(i);
      }
      return undefined;
    case "hang":
      return undefined;
    case "late":
      await sleep(900);
      return send({ id, result: text("late") });
    case "fail":
      return send({ id, result: text("no such thing", { isError: true, structuredContent: { ok: false } }) });
    case "protocol":
      return send({ id, error: { code: -32001, message: "not today" } });
    case "surrogate":
      return process.stdout.write(
        `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"a\\ud83c"}]}}\n`,
      );
    case "pids":
      return send({ id, result: text(JSON.stringify([process.pid, helper?.pid ?? process.pid])) });
    default:
      if (mode === "noise") process.stdout.write("a line between\n");
      return send({ id, result: text(JSON.stringify(args)) });
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (mode === "silent") return undefined;
  if (method === "initialize") {
    if (mode === "refuse") return send({ id, error: { code: -32000, message: "no licence" } });
    const protocolVersion = mode === "old" ? "1999-01-01" : params.protocolVersion;
    return send({
      id,
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "fixture", version: "1.0.0" } },
    });
  }
  if (method === "tools/list") return send({ id, result: list(params?.cursor) });
  if (method === "tools/call") return call(id, params);
  return id === undefined ? undefined : send({ id, result: {} });
});
if (mode === "silent") setInterval(() => {}, 1000);
