// The client that the conformance suite tests: a pool of ours with one server at the address that comes last on the command
// line. It lists the tools and calls each once, with a number for every parameter that wants one.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadServers, openPool } from "../../dist/index.js";

const url = process.argv.at(-1);
const folder = mkdtempSync(join(tmpdir(), "tandem-outside-"));
try {
  const file = join(folder, "mcp-servers.json");
  writeFileSync(file, JSON.stringify({ mcpServers: { suite: { url, tools: ["*"] } } }));
  const { servers } = loadServers(file, { env: process.env, defaultFile: file });
  const pool = await openPool({ servers, needed: ["suite"], world: null, role: "tested", env: process.env });
  try {
    for (const { name, inputSchema } of await pool.tools()) {
      const numbers = Object.keys(inputSchema.properties ?? {}).map((parameter, at) => [parameter, at + 2]);
      const { outcome, text } = await pool.call(name, Object.fromEntries(numbers));
      console.log(`${name}: ${outcome}: ${text}`);
      if (outcome !== "ok") process.exitCode = 1;
    }
  } finally {
    await pool.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
