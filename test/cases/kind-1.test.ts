// Kind 1: configurations as people have them. One test per case, named by its id.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { type LoadedServers, loadServers } from "../../src/config/servers.ts";
import { readRun } from "../../src/record/run-reader.ts";
import { runJson, runTandem, testFolder, writeFiles } from "../run-tandem.ts";
import { fixture, stdioEntry, withPool } from "../servers/pools.ts";
import { oneCallProject } from "./project.ts";

function load(text: string, env: Record<string, string> = {}, folder = testFolder()): LoadedServers {
  const file = join(folder, "mcp.json");
  writeFileSync(file, text);
  return loadServers(file, { env, defaultFile: "unused" });
}

const names = ({ servers }: LoadedServers) => servers.map(({ name }) => name);

describe("kind 1: configuration files", () => {
  it("C01 comments are passed over, and what looks like one in a text stays", () => {
    const loaded = load(`{
      // local only
      "mcpServers": {
        "a": { "url": "https://h.test/mcp", "tools": ["*"] }, /* "b": {"command":"x"} */
        "c": { "command": "node", "args": ["--note=//keep", "s.js"] }
      }
    }`);
    expect(names(loaded)).toEqual(["a", "c"]);
    expect(loaded.servers).toMatchObject([{ url: "https://h.test/mcp" }, { args: ["--note=//keep", "s.js"] }]);
    expect(loaded.notices).toEqual([]);
  });

  it("C02 trailing commas make no hole and no error", () => {
    const loaded = load('{"mcpServers":{"a":{"command":"node","args":["s.js","x,]",],},},}');
    expect(loaded.servers).toMatchObject([{ args: ["s.js", "x,]"] }]);
  });

  it("C04 variables are filled in everywhere, and only their names are kept with the run", async () => {
    const env = { TOKEN: "t1-secret-value", HOSTN: "h.test", HOME: "/h" };
    const loaded = load(
      `{"mcpServers":{"a":{"url":"https://\${HOSTN}/mcp","headers":{"Authorization":"Bearer \${TOKEN}"}},
        "b":{"command":"\${HOME}/bin/s","args":["--k=\${TOKEN}"],"cwd":"\${HOME}","env":{"K":"\${TOKEN}"},"timeout":7}}}`,
      env,
    );
    expect(loaded.servers).toMatchObject([
      { url: "https://h.test/mcp", headers: { Authorization: "Bearer t1-secret-value" } },
      { command: "/h/bin/s", args: ["--k=t1-secret-value"], cwd: "/h", env: { K: "t1-secret-value" }, timeoutMs: 7000 },
    ]);
    const cwd = oneCallProject({ ...stdioEntry("plain"), env: { K: "${TOKEN}" } });
    await runTandem(["run", "--display", "none", "--out", "run"], { cwd, env });
    const { info } = await readRun(join(cwd, "run"));
    expect(info.configuration).toMatchObject({ servers: { Fixture: { env: { K: "${TOKEN}" } } } });
  });

  it("C05 three dialects of variables, and an unset one stops its server alone", () => {
    const args = '["${A}","${env:A}","${U:-d}","${E:-d}","${U:-http://x:1/y}","$A","${}","100%","{env:A}"]';
    const loaded = load(
      `{"mcpServers":{"a":{"command":"x","args":${args}},"b":{"command":"x","args":["\${A}","\${env:U}"]}}}`,
      { A: "1${B}", B: "no", E: "" },
    );
    expect(loaded.servers).toMatchObject([
      { name: "a", args: ["1${B}", "1${B}", "d", "d", "http://x:1/y", "$A", "${}", "100%", "1${B}"] },
    ]);
    expect(loaded.problems.map(({ error }) => error.message)).toEqual([
      expect.stringMatching(/server b, field args\[1\]: the variable U is not set$/),
    ]);
  });

  it("C07 an input is never asked for: it comes from INPUT_<ID>, or the server is not used", () => {
    const text =
      '{"inputs":[{"type":"promptString","id":"key","password":true},{"id":"zone","default":"europe"}],' +
      '"servers":{"a":{"type":"http","url":"https://h.test/mcp","headers":{"K":"${input:key}","Z":"${input:zone}"}}}}';
    expect(load(text, { INPUT_KEY: "from-outside" }).servers).toMatchObject([
      { headers: { K: "from-outside", Z: "europe" }, secrets: ["from-outside"] },
    ]);
    const { servers, problems } = load(text);
    expect(servers).toEqual([]);
    expect(problems[0]?.error.message).toContain('unresolved input "key"');
    expect(problems[0]?.error.hint).toContain("INPUT_KEY");
  });

  it("C08 the roots of other programs are read; a name counts once; none is told and no error", () => {
    expect(names(load('{"servers":{"a":{"command":"npx","args":["-y","p"]}}}'))).toEqual(["a"]);
    expect(names(load('{"mcp":{"servers":{"a":{"command":"x"}}}}'))).toEqual(["a"]);
    expect(names(load('{"context_servers":{"a":{"command":{"path":"x","args":["y"]}}}}'))).toEqual(["a"]);
    const below = load('{"mcp":{"a":{"type":"local","command":["x","y"],"environment":{"K":"v"},"enabled":true}}}');
    expect(below.servers).toMatchObject([{ type: "stdio", command: "x", args: ["y"], env: { K: "v" } }]);
    const both = load('{"mcpServers":{"a":{"command":"x"}},"servers":{"a":{"command":"y"},"b":{"command":"z"}}}');
    expect(both.servers).toMatchObject([{ command: "x" }, { name: "b", command: "z" }]);
    expect(both.notices.join()).toContain("server a is named twice");
    expect(load("{}")).toMatchObject({ servers: [], notices: [expect.stringContaining("names no servers")] });
    expect(load('{"mcpServers":{}}').servers).toEqual([]);
    expect(() => load('{"mcpServers":[]}')).toThrow("must be an object");
  });

  it("C10 a url alone is Streamable HTTP, with other keys and other spellings of a transport", () => {
    const loaded = load(`{"mcpServers":{
      "a":{"url":"https://h.test/anything"},"b":{"serverUrl":"https://h.test/mcp"},"c":{"httpUrl":"https://h.test/mcp"},
      "d":{"url":"https://h.test","type":"streamableHttp"},"e":{"url":"https://h.test","transport":"Streamable-HTTP"},
      "f":{"url":"https://h.test","transportType":"sse"},"g":{"url":"wss://h.test","type":"websocket"}}}`);
    expect(loaded.servers.map((server) => [server.name, server.type, "guessed" in server && server.guessed])).toEqual([
      ["a", "http", true],
      ["b", "http", true],
      ["c", "http", true],
      ["d", "http", false],
      ["e", "http", false],
      ["f", "sse", false],
    ]);
    expect(loaded.problems[0]?.error.message).toContain("WebSocket is no transport of MCP");
  });

  it("C11 both a command and a url, or neither, are told, and the others load", () => {
    const loaded = load(
      '{"mcpServers":{"both":{"command":"x","url":"https://h.test"},"none":{"env":{}},"ok":{"command":"y"}}}',
    );
    expect(names(loaded)).toEqual(["ok"]);
    expect(loaded.problems.map(({ error }) => error.message)).toEqual([
      expect.stringContaining("both a command and a url"),
      expect.stringContaining("needs a command, a url"),
    ]);
  });

  it("C13 a disabled server never starts, and a query that needs it is refused before anything runs", async () => {
    const mark = join(testFolder(), "MARK");
    const entry = { command: "sh", args: ["-c", `touch ${mark}; cat`] };
    const cwd = oneCallProject({ ...entry, disabled: true, enabled: true });
    const { servers } = await runJson<{ servers: { status: string; tools: null }[] }>(["doctor"], { cwd });
    expect(servers).toMatchObject([{ status: "disabled", tools: null }]);
    const { code, stderr } = await runTandem(["run"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("needs the server Fixture, which is disabled");
    expect(existsSync(mark)).toBe(false);
    expect(load('{"mcpServers":{"a":{"command":"x","enabled":false}}}').servers).toMatchObject([{ disabled: true }]);
  });

  it("C14 times are seconds, and no value makes a call fail at once", async () => {
    const ms = (timeout: string) =>
      load(`{"mcpServers":{"a":{"command":"x","timeout":${timeout}}}}`).servers[0]?.timeoutMs;
    expect(["60", '"30"', "0", "-1", "null"].map(ms)).toEqual([60_000, 30_000, 30_000, 30_000, 30_000]);
    const most = 2 ** 31 - 1;
    expect(["2147483648", "9007199254740991", "1e400"].map(ms)).toEqual([most, most, most]);
    expect(ms("60000")).toBe(60_000_000);
    const cwd = oneCallProject({ ...stdioEntry("plain"), timeout: 2 ** 31, startTimeout: 9007199254740991 });
    expect((await runTandem(["run", "--display", "none"], { cwd })).code).toBe(0);
  });

  it("C16 a relative cwd starts at the file's folder, and a missing one is told as itself", async () => {
    const folder = testFolder();
    mkdirSync(join(folder, "cfg"));
    const loaded = load(
      '{"mcpServers":{"a":{"command":"node","cwd":"../srv","args":["s.js"]},"b":{"command":"node","cwd":"${workspaceFolder}/../x"}}}',
      {},
      join(folder, "cfg"),
    );
    expect(loaded.servers).toMatchObject([{ cwd: join(folder, "srv") }, { cwd: join(folder, "cfg", "..", "x") }]);
    const cwd = oneCallProject({ ...stdioEntry("plain"), cwd: "/nope" });
    const { servers } = await runJson<{ servers: { detail: string }[] }>(["doctor"], { cwd });
    expect(servers[0]?.detail).toContain("its working folder does not exist: /nope");
  });

  it("C16 paths of Windows stay as they are, and a single backslash is told", () => {
    const loaded = load(
      '{"mcpServers":{"a":{"command":"C:\\\\Program Files\\\\srv.exe","cwd":"D:\\\\data"},"b":{"command":"C:\\new"}}}',
    );
    expect(loaded.servers).toMatchObject([{ command: "C:\\Program Files\\srv.exe", cwd: "D:\\data" }]);
    expect(loaded.problems[0]?.error.message).toContain("write each backslash of a path twice");
    expect(() => load('{"mcpServers":{"a":{"command":"C:\\Users\\srv"}}}')).toThrow("write each backslash");
    expect(
      load('{"mcpServers":{"a":{"command":"x","args":["${userHome}${/}b"]}}}', { HOME: "/h" }).servers,
    ).toMatchObject([{ args: [`/h${sep}b`] }]);
  });

  it("C17 an envFile is read, what env names counts before it, and a missing one is told by its path", () => {
    const folder = testFolder();
    writeFiles(folder, { "e.env": "\uFEFFexport A=1\r\nB=\"x # y\"\nC='p$A'\n# D=1\nE=\n" });
    const loaded = load(
      '{"mcpServers":{"a":{"command":"x","envFile":"e.env","env":{"A":"2"}},"b":{"command":"x","envFile":"none.env"}}}',
      {},
      folder,
    );
    expect(loaded.servers).toMatchObject([{ env: { A: "2", B: "x # y", C: "p$A", E: "" } }]);
    expect(Object.keys((loaded.servers[0] as { env: object }).env)).not.toContain("D");
    expect(loaded.problems[0]?.error.message).toContain(join(folder, "none.env"));
  });

  it("C19 unknown keys are told once, and a disabled tool is not offered and says so", async () => {
    const loaded = load(
      '{"$schema":"x","mcpServers":{"a":{"command":"node","args":["s.js"],"alwaysAllow":["t"],"disabledTools":["u"],"tools":["*"],"note":"hi"}}}',
    );
    expect(loaded.notices).toEqual(["server a: ignored alwaysAllow, note"]);
    const cwd = oneCallProject({ ...stdioEntry("plain"), tools: ["*"], disabledTools: ["p*"] });
    const { servers } = await runJson<{ servers: { tools: number }[] }>(["doctor"], { cwd });
    expect(servers[0]?.tools).toBe(18);
    await withPool({ Fixture: { ...stdioEntry("plain"), disabledTools: ["p*"] } }, async (pool) => {
      expect((await pool.tools()).map(({ name }) => name)).not.toContain("pay");
      for (const name of ["pay", "Fixture.pay"]) {
        const { outcome, text } = await pool.call(name, {});
        expect(outcome).toBe("syntactic");
        expect(text).toContain("is disabled in the configuration");
      }
    });
    await runTandem(["run", "--display", "none", "--out", "run"], { cwd });
    const { info } = await readRun(join(cwd, "run"));
    expect(info.configuration).toMatchObject({ servers: { Fixture: { tools: ["*"], disabledTools: ["p*"] } } });
  });

  it("C20 any name of a server works, and tools of two that look alike stay apart", async () => {
    const keys = ["github.com/org/repo/tree/main/src/fs", "my srv (dev)", "..", "a/b", "é", "a b", "a_b"];
    const entry = { command: process.execPath, args: [fixture("stdio.mjs"), "plain"], tools: ["echo"] };
    await withPool(Object.fromEntries(keys.map((key) => [key, entry])), async (pool) => {
      const tools = await pool.tools();
      expect(tools.map(({ server }) => server)).toEqual(keys);
      expect(new Set(tools.map(({ name }) => name)).size).toBe(keys.length);
      for (const { name, server } of tools) {
        expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(await pool.call(name, { of: server })).toMatchObject({ outcome: "ok", value: { of: server } });
      }
    });
  });
});

describe("tandem doctor --config", () => {
  it("explains what it read, with secrets hidden and one bad entry beside good ones", async () => {
    const folder = testFolder();
    const command = [process.execPath, fixture("stdio.mjs"), "plain", "--api-key=literal-secret"];
    writeFiles(folder, {
      "mine.json": JSON.stringify({
        mcpServers: {
          Good: { command, env: { TOKEN: "${TOKEN}" }, disabledTools: ["pay"], faults: [{ kind: "drop", calls: [2] }] },
          Bad: { command: "${NOWHERE}" },
        },
      }),
    });
    const { code, stdout, stderr } = await runTandem(["doctor", "--config", join(folder, "mine.json")], {
      cwd: folder,
      env: { TOKEN: "very-secret-value" },
    });
    expect(code).toBe(4);
    for (const words of ["Good", "stdio.mjs plain", "TOKEN", "pay", "drop at call 2 of *", "30 s a call", "NOWHERE"]) {
      expect(stdout).toContain(words);
    }
    expect(stdout + stderr).not.toMatch(/very-secret-value|literal-secret/);
  });
});
