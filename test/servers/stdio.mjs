// A small MCP server over stdio that misbehaves on demand. It speaks plain JSON-RPC, so that it can break every rule.
// Usage: node stdio.mjs [mode] [file for process ids]; the tools misbehave by their own names.
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import sqlite from "node-sqlite3-wasm";

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
  process.stdout.on("error", () => {});
  process.stdin.on("end", () => setInterval(() => {}, 1000));
  const code = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
  helper = spawn(process.execPath, ["-e", code], { stdio: "inherit" });
  if (process.argv[3]) appendFileSync(process.argv[3], `${process.pid}\n${helper.pid}\n`);
}
if (mode === "noise") {
  process.stdout.write('Booting v1 ✓\n\n[log] {\n  a: 1\n}\n{"level":"info","id":1}\n42\n"hi"\nnull\n');
  send({ id: 999, result: {} });
}

if (mode === "banner") for (let i = 0; i < 100_000; i++) writeSync(1, `noise ${i} ${"~".repeat(40)}\n`);

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
  "media",
  "withdrawn",
  "stray",
  "deaf",
  "leave",
  "store",
  "stored",
  "leak",
  "hostile",
  "bigint",
];
const plain = names.map((name) => ({
  name,
  description: `Tool ${name}.`,
  inputSchema: object,
  ...(name === "store" ? { annotations: { readOnlyHint: false } } : {}),
}));
const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
const schemas = ["text_only", "wrong", "right", "boom"].map((name) => ({
  name,
  inputSchema: object,
  outputSchema: schema,
}));
const twins = ["get.item", "get_item", "get/item", "GET_ITEM", "dup", "dup"].map((name) => ({
  name,
  inputSchema: object,
}));
const long = ["create", "delete"].map((verb) => ({ name: `${"x".repeat(60)}_${verb}`, inputSchema: object }));
let loggedIn = false;
/** Version and tools of mode "file", which may change from start to start. */
const fromFile = () => JSON.parse(readFileSync(process.argv[3], "utf8"));
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
  if (mode === "given") return { tools: [{ name: "echo", inputSchema: JSON.parse(process.env.TOOL_SCHEMA) }] };
  if (mode === "odd") return { tools: odd };
  if (mode === "file") return { tools: fromFile().tools };
  if (mode === "schemas") return { tools: schemas };
  if (mode === "twins") return { tools: twins };
  if (mode === "long") return { tools: long };
  if (mode === "same") return { tools: [plain[0]], nextCursor: "same" };
  if (mode === "changes") {
    const name = loggedIn ? "extra" : "login";
    return { tools: [plain[0], { name, inputSchema: object }] };
  }
  if (mode === "search") return { tools: [{ name: "search", inputSchema: object }] };
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

const hostile =
  "<img src=x onerror=alert(1)> [x](javascript:alert(1)) </script>\u001b[31mred\u202e ../../etc/passwd | a";
const media = [
  { type: "text", text: "saved" },
  { type: "resource", resource: { uri: "f:///a", mimeType: "text/plain", text: "BODY" } },
  { type: "resource", resource: { uri: "f:///b", mimeType: "application/zip", blob: "AAAA" } },
  { type: "image", mimeType: "image/png", data: "A".repeat(600 * 1024) },
  { type: "audio", mimeType: "audio/wav", data: "AAAA" },
  { type: "resource_link", uri: "f:///c", name: "c" },
];

let database;
function openDatabase() {
  const opened = new sqlite.Database("notes.db");
  opened.exec("PRAGMA locking_mode = EXCLUSIVE");
  opened.exec("PRAGMA journal_mode = WAL");
  opened.exec("CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT)");
  return opened;
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
      return send({ id, result: text(mode === "emoji" ? `x${"🎉".repeat(150_000)}` : "b".repeat(args.bytes ?? 0)) });
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
    case "login":
      loggedIn = true;
      for (let i = 0; i < 100; i++) send({ method: "notifications/tools/list_changed" });
      return send({ id, result: text("welcome") });
    case "text_only":
      return send({ id, result: text('{"n":1}') });
    case "wrong":
      return send({ id, result: text("one", { structuredContent: { n: "1" } }) });
    case "right":
      return send({ id, result: { content: [], structuredContent: { n: 1 } } });
    case "boom":
      return send({ id, result: text("boom", { isError: true, structuredContent: { ok: false } }) });
    case "media":
      return send({ id, result: { content: args.content ?? media } });
    case "withdrawn":
      return send({ method: "notifications/cancelled", params: { requestId: id, reason: "changed my mind" } });
    case "stray":
      send({ method: "notifications/progress", params: { progressToken: "unknown", progress: 5 } });
      progress(5);
      progress(1);
      send({ id, result: text("done") });
      return progress(6);
    case "leak": {
      const secret = process.env.GH_TOKEN ?? "";
      console.error(`using ${secret}`);
      const forms = [secret, encodeURIComponent(secret), Buffer.from(`user:${secret}`).toString("base64")];
      return send({ id, result: text(forms.join(" "), { structuredContent: { forms } }) });
    }
    case "hostile":
      return send({ id, result: text(hostile) });
    case "bigint":
      return send({ id, result: text('{"id":1844674407370955297}') });
    case "deaf":
      send({ id, result: text("I stop reading now") });
      setInterval(() => {}, 1000);
      return process.stdin.pause();
    case "store": {
      // Left open, as a running server does: what it wrote is in the write-ahead log.
      database ??= openDatabase();
      database.run("INSERT INTO notes (text) VALUES (?)", [args.text ?? "a note"]);
      return send({ id, result: text("stored") });
    }
    case "stored":
      database ??= openDatabase();
      return send({ id, result: text(JSON.stringify(database.all("SELECT * FROM notes ORDER BY id"))) });
    case "leave":
      send({ id, result: text("bye") });
      process.stdout.end();
      return setTimeout(() => process.exit(1), 50);
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
    const version = mode === "file" ? fromFile().version : "1.0.0";
    return send({
      id,
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "fixture", version } },
    });
  }
  if (method === "tools/list") return send({ id, result: list(params?.cursor) });
  if (method === "tools/call") return call(id, params);
  return id === undefined ? undefined : send({ id, result: {} });
});
if (mode === "silent") setInterval(() => {}, 1000);
