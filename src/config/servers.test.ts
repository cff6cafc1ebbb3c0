import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TandemError } from "../base/errors.ts";
import { packageRoot } from "./paths.ts";
import type { ServerConfig } from "./server-config.ts";
import { type LoadedServers, loadServers } from "./servers.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tandem-config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function load(text: string, env: Record<string, string> = {}): LoadedServers {
  const file = join(folder, "mcp.json");
  writeFileSync(file, text);
  return loadServers(file, { env, defaultFile: "unused" });
}

function loadEntry(entry: object, env: Record<string, string> = {}): ServerConfig {
  const { servers, problems } = load(JSON.stringify({ mcpServers: { a: entry } }), env);
  if (problems[0] !== undefined) throw problems[0].error;
  const [server] = servers;
  if (server === undefined) throw new Error("no server");
  return server;
}

function thrown(run: () => unknown): TandemError {
  try {
    run();
  } catch (error) {
    return error as TandemError;
  }
  throw new Error("nothing was thrown");
}

describe("the file", () => {
  it("may have comments, trailing commas and a byte order mark, and strings that look like comments", () => {
    const { servers } = load(`\uFEFF{
      // local only
      "mcpServers": {
        "a": { "url": "https://h.test/mcp", "tools": ["*"] }, /* "b": {"command":"x"} */
        "c": { "command": "node", "args": ["--note=//keep,]", "s.js",], },
      },
    }`);
    expect(servers.map(({ name }) => name)).toEqual(["a", "c"]);
    expect(servers[0]).toMatchObject({ type: "http", url: "https://h.test/mcp" });
    expect(servers[1]).toMatchObject({ type: "stdio", args: ["--note=//keep,]", "s.js"] });
  });

  it("is named with the line where it breaks", () => {
    const error = thrown(() => load('{\n  "mcpServers": {\n    "a": { "command": }\n  }\n}'));
    expect(error).toMatchObject({ code: "config.syntax", details: { line: 3 } });
    expect(error.message).toContain("mcp.json:3: not valid JSON");
    expect(thrown(() => load('{"mcpServers":[]}')).code).toBe("config.shape");
    expect(thrown(() => load("[]")).code).toBe("config.shape");
    expect(thrown(() => loadServers(join(folder, "none.json"), { env: {}, defaultFile: "" })).code).toBe(
      "config.no-file",
    );
  });

  it("may hold its servers as editors write them, the first of two entries counts, and none is no error", () => {
    expect(load('{"servers":{"a":{"command":"x"}}}').servers).toHaveLength(1);
    expect(load('{"mcp":{"servers":{"a":{"command":"x"}}}}').servers).toHaveLength(1);
    const both = load('{"mcpServers":{"a":{"command":"x"}},"servers":{"a":{"command":"y"},"b":{"command":"z"}}}');
    expect(both.servers.map((server) => "command" in server && server.command)).toEqual(["x", "z"]);
    expect(both.notices.join()).toContain("server a is named twice");
    expect(load("{}")).toMatchObject({ servers: [], notices: [expect.stringContaining("names no servers")] });
  });

  it("keeps good entries beside bad ones, which say where they break and what they lack", () => {
    const { servers, problems } = load(`{ "mcpServers": {
      "both": { "command": "x", "url": "https://h.test" },
      "none": { "env": {} },
      "ok": { "command": "y" },
      "args": { "command": "y",
                "args": [{}] },
      "probe": { "command": "y", "state": { "probe": "telepathy" } },
      "address": { "type": "http", "url": "h.test/mcp", "optional": true }
    } }`);
    expect(servers.map(({ name }) => name)).toEqual(["ok"]);
    expect(problems.map(({ server, optional }) => [server, optional])).toEqual([
      ["both", false],
      ["none", false],
      ["args", false],
      ["probe", false],
      ["address", true],
    ]);
    expect(problems[0]?.error.message).toContain("both a command and a url");
    expect(problems[1]?.error.message).toContain("needs a command, a url");
    expect(problems[2]?.error).toMatchObject({ code: "config.bad-entry", details: { line: 6, field: "args[0]" } });
    expect(problems[4]?.error.message).toContain("field url");
  });

  it("tolerates the keys of other programs and tells them", () => {
    const { servers, notices } = load('{"mcpServers":{"a":{"command":"x","alwaysAllow":["t"],"note":"hi"}}}');
    expect(servers).toHaveLength(1);
    expect(notices).toEqual(["server a: ignored alwaysAllow, note"]);
  });
});

describe("variables", () => {
  it("are filled in everywhere, with defaults, and not twice", () => {
    const server = loadEntry(
      {
        command: "${HOME}/bin/s",
        cwd: "${workspaceFolder}/srv",
        env: { K: "${TOKEN}", N: 7 },
        args: [
          "${A}",
          "${env:A}",
          "${U:-d}",
          "${E:-d}",
          "${U:-http://x:1/y}",
          "$A",
          "${}",
          "100%",
          "${workdir}/${side}",
        ],
      },
      { HOME: "/h", TOKEN: "t1-secret", A: "1${TOKEN}", E: "" },
    );
    expect(server).toMatchObject({
      command: "/h/bin/s",
      cwd: join(folder, "srv"),
      env: { K: "t1-secret", N: "7" },
      args: ["1${TOKEN}", "1${TOKEN}", "d", "d", "http://x:1/y", "$A", "${}", "100%", "${workdir}/${side}"],
      secrets: ["1${TOKEN}", "t1-secret"],
    });
    expect(JSON.stringify(server.source)).not.toContain("t1-secret");
  });

  it("that are unset are named with server and field, never with a value", () => {
    const { servers, problems } = load(
      '{"mcpServers":{"a":{"url":"https://h.test","headers":{"X":"${SET} ${TOKEN}"}},"b":{"command":"${input:my-key}"},"c":{"command":"x"}}}',
      { SET: "visible-value" },
    );
    expect(servers.map(({ name }) => name)).toEqual(["c"]);
    expect(problems[0]?.error).toMatchObject({
      code: "config.unset-variable",
      details: { server: "a", field: "headers.X", variable: "TOKEN" },
    });
    expect(problems[0]?.error.message).not.toContain("visible-value");
    expect(problems[1]?.error.details).toMatchObject({ server: "b", variable: "INPUT_MY_KEY" });
  });

  it("need not be set for a disabled server", () => {
    expect(loadEntry({ command: "${NOWHERE}", enabled: false })).toMatchObject({ disabled: true });
    expect(loadEntry({ command: "x", disabled: true, enabled: true })).toMatchObject({ disabled: true });
  });

  it("give the program of an installed package, and tell one that is not there", () => {
    const server = loadEntry({ command: "node", args: ["${package:@modelcontextprotocol/server-memory}"] });
    const [program] = server.type === "stdio" ? server.args : [];
    expect(existsSync(program ?? "")).toBe(true);
    expect(thrown(() => loadEntry({ command: "${package:no-such-package-here}" })).code).toBe("config.no-package");
    expect(thrown(() => loadEntry({ command: "${package:zod}" })).message).toContain("brings no program");
  });
});

describe("a relative path", () => {
  it("of a working folder or a program starts at the folder of the file", () => {
    writeFileSync(join(folder, "s.js"), "");
    expect(loadEntry({ command: "node", args: ["s.js"], cwd: "../srv" })).toMatchObject({
      args: ["s.js"],
      cwd: join(folder, "..", "srv"),
    });
    expect(loadEntry({ command: "node", args: ["--flag", "s.js", "s.js"] })).toMatchObject({
      args: ["--flag", join(folder, "s.js"), "s.js"],
      cwd: null,
    });
    expect(loadEntry({ command: "./bin/s", args: ["s.js"] })).toMatchObject({
      command: join(folder, "bin/s"),
      args: ["s.js"],
    });
    expect(loadEntry({ command: "npx", args: ["s.js"], cwd: "${workdir}" })).toMatchObject({
      args: ["s.js"],
      cwd: "${workdir}",
    });
  });
});

describe("rules", () => {
  it("share a remote server unless each side has its own account", () => {
    expect(loadEntry({ url: "https://h.test", state: { probe: "json", file: "x" } })).toMatchObject({
      isolation: "shared",
      tools: [],
      state: null,
    });
    expect(loadEntry({ url: "https://h.test/${side}" }).isolation).toBe("shared");
    const reset = { command: "make", args: ["new", "${side}"] };
    expect(loadEntry({ url: "https://h.test/${side}", reset })).toMatchObject({
      isolation: "side",
      tools: null,
      reset,
    });
    expect(thrown(() => loadEntry({ url: "https://h.test", isolation: "side" })).details.field).toBe("isolation");
    expect(loadEntry({ command: "x" })).toMatchObject({ isolation: "side", tools: null });
  });

  it("read times in seconds and keep them within what a timer can hold", () => {
    const ms = (timeout: unknown) => loadEntry({ command: "x", timeout } as object).timeoutMs;
    expect([ms(60), ms("30"), ms(0.5)]).toEqual([60_000, 30_000, 500]);
    expect([ms(0), ms(-1), ms(null), ms("soon"), ms(undefined)]).toEqual([30_000, 30_000, 30_000, 30_000, 30_000]);
    expect([ms(2 ** 31), ms(Number.MAX_SAFE_INTEGER)]).toEqual([2 ** 31 - 1, 2 ** 31 - 1]);
    expect(load('{"mcpServers":{"a":{"command":"x","timeout":60000}}}').notices.join()).toContain("in seconds");
  });

  it("know secrets that the file itself holds by their names", () => {
    expect(loadEntry({ command: "x", env: { API_KEY: "plain-secret", COLOUR: "green" } }).secrets).toEqual([
      "plain-secret",
    ]);
  });
});

describe("the file of this package", () => {
  it("loads without problems, from any folder", () => {
    const { servers, problems, notices } = loadServers(undefined, {
      env: {},
      defaultFile: join(packageRoot, "mcp-servers.json"),
    });
    expect(problems).toEqual([]);
    expect(notices).toEqual([]);
    expect(servers.map(({ name }) => name)).toContain("LightShop");
    for (const server of servers) if (server.type === "stdio") expect(existsSync(server.args[0] ?? "")).toBe(true);
  });
});
