// An outside agent for tests: connects to the gateway that it is given, and does what its first argument says.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [mode, ...args] = process.argv.slice(2);
const line = (value) => console.log(JSON.stringify(value));

async function connect(url, headers = {}) {
  const client = new Client({ name: "outside", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

async function connectByConfig(file) {
  const [[name, { type, url, headers }]] = Object.entries(JSON.parse(readFileSync(file, "utf8")).mcpServers);
  if (name !== "tandem" || type !== "http") throw new Error(`unexpected entry ${name} ${type}`);
  return connect(url, headers);
}

async function stdin() {
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  return text;
}

const modes = {
  /** args: config file, query. JSON Lines as agents write them, with other lines in between. */
  async solve([config, query]) {
    const client = await connectByConfig(config);
    const { tools } = await client.listTools();
    line({ type: "start", tools: tools.length });
    console.log("working…");
    const first = await client.callTool({ name: "echo", arguments: { query } });
    const unknown = await client.callTool({ name: "no_such_tool", arguments: {} });
    line({ type: "turn", text: "not the last" });
    line({ type: "result", text: `done: true ${first.content[0].text} ${unknown.isError} ${unknown.content[0].text}` });
    line({ type: "end", usage: { in: 100, cached: 40, out: 20, thought: 5 }, cost: 0.25 });
    await client.close();
  },
  /** Two sessions by an address that holds the token, whose calls overlap. */
  async together([url]) {
    const clients = await Promise.all([connect(url), connect(url)]);
    const calls = [0, 1, 2, 3, 4, 5].map((n) => clients[n % 2].callTool({ name: "echo", arguments: { n } }));
    const texts = (await Promise.all(calls)).map(({ content }) => content[0].text);
    console.log(texts.join(" "));
    await Promise.all(clients.map((client) => client.close()));
  },
  async environment([config]) {
    const client = await connectByConfig(config);
    await client.close();
    line({ env: process.env, cwd: process.cwd(), stdin: await stdin(), given: readFileSync("deep/given.txt", "utf8") });
  },
  /** Ends before it has said anything to the gateway. */
  async unborn() {
    console.error("no credentials for the model");
    process.exit(3);
  },
  async crash([config]) {
    await connectByConfig(config);
    console.error("internal bug of the agent");
    process.exit(1);
  },
  /** Answers without ever looking at its tools. */
  async blind() {
    console.log("42");
  },
  /** Leaves a call behind without waiting for it. */
  async hasty([config]) {
    const client = await connectByConfig(config);
    client.callTool({ name: "progress", arguments: {} }).catch(() => {});
    setTimeout(() => {
      console.log("done");
      process.exit(0);
    }, 100);
  },
  /** Starts a child and never ends, whatever it is asked. */
  async stubborn([config, marker]) {
    await connectByConfig(config);
    process.on("SIGTERM", () => {});
    spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", marker], { stdio: "inherit" });
    setInterval(() => {}, 1000);
  },
  /** What it is refused: a wrong token, a foreign page, another path. */
  async intruder([url, token]) {
    const ask = async (to, headers) =>
      (await fetch(to, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: "{}" }))
        .status;
    const bearer = { authorization: `Bearer ${token}` };
    line({
      none: await ask(url, {}),
      wrong: await ask(url, { authorization: "Bearer wrong" }),
      path: await ask(`${url}/wrong`, {}),
      other: await ask(new URL("/other", url), bearer),
      origin: await ask(url, { ...bearer, origin: "https://example.org" }),
      session: await ask(url, { ...bearer, "mcp-session-id": "none" }),
      told: `the token is ${token}`,
    });
  },
};

await modes[mode](args);
