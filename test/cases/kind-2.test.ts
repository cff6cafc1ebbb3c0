// Kind 2: servers that misbehave. One test per case, named by its id.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { MOST_SHOWN } from "../../src/base/text.ts";
import { packageRoot } from "../../src/config/paths.ts";
import type { OfferedTool, Pool } from "../../src/pool/pool.ts";
import { readRun } from "../../src/record/run-reader.ts";
import { processesWith, until } from "../processes.ts";
import { runJson, runTandem, testFolder } from "../run-tandem.ts";
import { startHttp } from "../servers/http-servers.ts";
import { fixture, isRunning, stdioEntry, withPool } from "../servers/pools.ts";
import { oneCallProject } from "./project.ts";

const run = ["run", "--display", "none", "--out", "run"];
const names = (tools: readonly OfferedTool[]) => tools.map(({ name }) => name);
const wellFormed = (text: string) => (text as string & { isWellFormed(): boolean }).isWellFormed();

/** An entry of the raw HTTP fixture at a path. */
async function raw(path: string, more: object = {}): Promise<object> {
  const { port } = await startHttp("raw-http.mjs");
  return { url: `http://127.0.0.1:${port}${path}`, tools: ["*"], ...more };
}

async function detail(entry: object): Promise<string> {
  const cwd = oneCallProject(entry);
  const { servers } = await runJson<{ servers: { detail: string }[] }>(["doctor"], { cwd });
  return servers[0]?.detail ?? "";
}

const countsOf = async (pool: Pool) => (await pool.call("counts", {})).value as Record<string, number>;

/** The events of the tested side of a run with one episode. */
async function testedEvents(cwd: string) {
  const stored = await readRun(join(cwd, "run"));
  const [record] = stored.records;
  if (record === undefined) throw new Error("no record");
  return { record, events: (await stored.trajectories(record)).tested };
}

describe("kind 2: noise and death over stdio", () => {
  it("C22 lines on stdout that are no messages stop nothing and fill nothing", async () => {
    await withPool({ a: stdioEntry("banner", { startTimeout: 60 }) }, async (pool, events) => {
      expect((await pool.call("echo", { x: 1 })).value).toEqual({ x: 1 });
      expect(JSON.stringify(events).length).toBeLessThan(1000);
    });
    await withPool({ a: stdioEntry("noise") }, async (pool) => {
      expect((await pool.call("echo", { x: 1 })).value).toEqual({ x: 1 });
    });
    expect(await detail({ command: "sh", args: ["-c", "echo hello"] })).toContain("no JSON-RPC, such as: hello");
  });

  it("C23 JSON on stdout that is no message never answers a call", async () => {
    await withPool({ a: stdioEntry("noise", { timeout: 5 }) }, async (pool) => {
      for (let x = 0; x < 3; x++) expect((await pool.call("echo", { x })).value).toEqual({ x });
    });
  });

  it("C25 a server that ends, is silent, refuses or is of another time is told with its words, and others go on", async () => {
    for (const [mode, words] of [
      ["exit", "it ended (exit code 2) before it answered initialize; its stderr ends with:\ncannot read cfg.yaml"],
      ["silent", "it did not answer initialize within 1 s"],
      ["refuse", "it answered initialize with an error: no licence"],
      ["old", "protocol version is not supported: 1999-01-01"],
    ] as const) {
      const token = `tandem-c25-${mode}-${process.pid}`;
      const entry = { command: process.execPath, args: [fixture("stdio.mjs"), mode, token], startTimeout: 1 };
      expect(await detail(entry)).toContain(words);
      expect(processesWith(token)).toEqual([]);
    }
    const entries = { bad: stdioEntry("exit", { optional: true }), good: stdioEntry("plain") };
    await withPool(entries, async (pool) => expect((await pool.call("good.echo", {})).outcome).toBe("ok"));
  });

  it("C26 a call in which the server dies ends at once, is never sent again, and the server is started again once", async () => {
    await withPool({ a: stdioEntry("plain") }, async (pool, events) => {
      const ledger = () => readFileSync(join(pool.workdir, "ledger.txt"), "utf8");
      expect((await pool.call("pay", {})).outcome).toBe("broken");
      expect(ledger()).toBe("x");
      expect((await pool.call("echo", {})).outcome).toBe("ok");
      expect((await pool.call("pay", {})).outcome).toBe("broken");
      expect((await pool.call("echo", {})).outcome).toBe("broken");
      expect(ledger()).toBe("xx");
      expect(events.map(({ status }) => status)).toEqual(["started", "died", "restarted", "died"]);
    });
    // One that ends between two calls is of the same kind.
    await withPool({ a: stdioEntry("plain") }, async (pool, events) => {
      expect((await pool.call("leave", {})).text).toBe("bye");
      await until("the death", () => events.some(({ status }) => status === "died"));
      expect((await pool.call("echo", {})).outcome).toBe("ok");
    });
  });

  it("C28 a server that floods stderr goes on", async () => {
    await withPool({ a: stdioEntry("plain", { timeout: 10 }) }, async (pool) => {
      expect((await pool.call("flood", {})).text).toBe("done");
    });
  });

  it("C29 a death is told with exit code and the end of stderr, redacted, also in the record of the call", async () => {
    const cwd = oneCallProject({ ...(stdioEntry("plain") as object), env: { API_KEY: "very-secret-value" } }, "pay");
    expect((await runTandem(run, { cwd })).code).toBe(5);
    const { record, events } = await testedEvents(cwd);
    expect(record.outcome).toBe("error");
    const died = events.find((event) => event.type === "server" && event.status === "died");
    expect(died).toMatchObject({ detail: expect.stringMatching(/exit code 3[\s\S]*out of paper, key=\[redacted\]/) });
    expect(events.find((event) => event.type === "tool")).toMatchObject({
      text: expect.stringContaining("exit code 3"),
    });
  });

  it("C31 a message over the limit names the limit, and the next call has a server again", async () => {
    await withPool({ a: stdioEntry("plain"), b: stdioEntry("plain") }, async (pool) => {
      expect((await pool.call("a.big", { bytes: 50 * 2 ** 20 })).text).toHaveLength(50 * 2 ** 20);
      const over = await pool.call("a.big", { bytes: 65 * 2 ** 20 });
      expect(over).toMatchObject({ outcome: "broken", text: expect.stringContaining("over 64 MiB") });
      expect((await pool.call("b.echo", {})).outcome).toBe("ok");
      expect((await pool.call("a.echo", {})).outcome).toBe("ok");
    });
  });
});

describe("kind 2: results", () => {
  it("C32 a large result is whole in the record, cut in the middle for the agent, and never in half a character", async () => {
    const cwd = oneCallProject(stdioEntry("emoji"), "big");
    expect((await runTandem(run, { cwd })).code).toBe(0);
    const { events } = await testedEvents(cwd);
    const call = events.find((event) => event.type === "tool");
    expect(call).toMatchObject({ cut: true, outcome: "ok" });
    expect(call?.type === "tool" ? call.text.length : 0).toBeGreaterThan(2 * MOST_SHOWN);
    for (const line of readFileSync(join(cwd, "run", "trajectories.jsonl"), "utf8").split("\n")) {
      expect(wellFormed(line)).toBe(true);
    }
    await withPool({ a: stdioEntry("plain") }, async (pool) => {
      expect((await pool.call("surrogate", {})).text).toBe("a\uFFFD");
    });
  });

  it("C34 a result that breaks its own schema reaches the agent, and the record says how", async () => {
    await withPool({ a: stdioEntry("schemas") }, async (pool) => {
      const call = async (name: string) => {
        const { outcome, text, value, violation } = await pool.call(name, {});
        return { outcome, text, value, violation };
      };
      const n = { n: 1 };
      expect(await call("text_only")).toEqual({
        outcome: "ok",
        text: '{"n":1}',
        value: n,
        violation: "it has an output schema and gave no structured content",
      });
      expect(await call("wrong")).toEqual({
        outcome: "ok",
        text: "one",
        value: { n: "1" },
        violation: "n: must be number",
      });
      expect(await call("right")).toEqual({ outcome: "ok", text: '{"n":1}', value: n, violation: null });
    });
  });

  it("C35 a result that is marked as an error is one, whatever else it holds", async () => {
    await withPool({ a: stdioEntry("schemas") }, async (pool) => {
      expect(await pool.call("boom", {})).toMatchObject({ outcome: "refused", text: "boom", violation: null });
    });
    const cwd = oneCallProject(stdioEntry("plain"), "fail");
    await runTandem(run, { cwd });
    expect((await testedEvents(cwd)).record.tested?.calls).toMatchObject({ failed: 1, valid: 0 });
  });

  it("C37 what is no text is told by type, size and address, and text resources are inlined", async () => {
    await withPool({ a: stdioEntry("plain") }, async (pool) => {
      expect((await pool.call("media", {})).text.split("\n")).toEqual([
        "saved",
        "BODY",
        "[resource, application/zip, 3 bytes, f:///b]",
        "[image, image/png, 460800 bytes]",
        "[audio, audio/wav, 3 bytes]",
        "[resource link, c, f:///c]",
      ]);
      for (const content of [[], [{ type: "image", data: "AAAA" }], [{ type: "hologram" }]]) {
        expect((await pool.call("media", { content })).text).not.toBe("");
      }
    });
  });

  it("C38 an image never enters the text, and long text is cut for the agent", async () => {
    await withPool({ a: stdioEntry("plain") }, async (pool) => {
      expect((await pool.call("media", {})).text.length).toBeLessThan(300);
    });
    const cwd = oneCallProject(stdioEntry("emoji"), "big");
    await runTandem(run, { cwd });
    const { record } = await testedEvents(cwd);
    // Four bytes of UTF-8 and two units of UTF-16 for each of the characters that are shown, four bytes for a token.
    expect(record.tokens.agent.toolResponse).toBeLessThan(MOST_SHOWN / 2 + 100);
  });
});

describe("kind 2: time", () => {
  it("C40 progress keeps a call alive, and odd progress does nothing", async () => {
    await withPool({ a: stdioEntry("plain", { timeout: 0.5 }) }, async (pool) => {
      expect((await pool.call("progress", {})).outcome).toBe("ok");
      expect((await pool.call("stray", {})).text).toBe("done");
      expect((await pool.call("echo", {})).outcome).toBe("ok");
    });
  });

  it("C41 progress alone keeps a call alive up to ten times its time-out", async () => {
    await withPool({ a: stdioEntry("plain", { timeout: 0.2 }) }, async (pool) => {
      expect(await pool.call("forever", {})).toMatchObject({
        outcome: "timeout",
        text: expect.stringContaining("told of progress with forever for 2 s, its longest time"),
      });
      expect((await pool.call("echo", {})).outcome).toBe("ok");
    });
  });

  it("C43 a call that is left is no time-out, its reason stays here, and signals keep no listeners", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    await withPool({ a: stdioEntry("plain") }, async (pool) => {
      const controller = new AbortController();
      const hanging = pool.call("hang", {}, controller.signal);
      setTimeout(() => controller.abort(new Error("key=abc")), 50);
      await expect(hanging).rejects.toThrow("key=abc");
      await expect(pool.call("echo", {}, AbortSignal.abort())).rejects.toThrow();
      const { signal } = new AbortController();
      for (let i = 0; i < 1000; i++) await pool.call("echo", {}, signal);
    });
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });

  it("C44 a late answer hits no other call and is told, and a call that the server withdraws ends at its time-out", async () => {
    await withPool({ a: stdioEntry("plain", { timeout: 0.5 }) }, async (pool, events) => {
      expect((await pool.call("late", {})).outcome).toBe("timeout");
      await until("the late answer", () => events.some(({ status }) => status === "late"));
      expect((await pool.call("echo", { y: 1 })).value).toEqual({ y: 1 });
      expect((await pool.call("withdrawn", {})).outcome).toBe("timeout");
      expect((await pool.call("echo", { y: 2 })).value).toEqual({ y: 2 });
    });
  });

  it("C65 a server that reads no more ends a call at its time-out, and its death stops nothing", async () => {
    await withPool({ a: stdioEntry("plain", { timeout: 0.5 }) }, async (pool) => {
      await pool.call("deaf", {});
      expect((await pool.call("echo", { x: "y".repeat(2 ** 20) })).outcome).toBe("timeout");
    });
  });
});

describe("kind 2: lists of tools", () => {
  const offered = (mode: string) =>
    withPool({ a: stdioEntry(mode) }, async (pool, events) => ({
      tools: names(await pool.tools()),
      told: events[0]?.detail ?? "",
    }));

  it("C46 all pages are read, also over an empty one", async () => {
    expect((await offered("pages")).tools).toEqual(["echo", "pay", "flood", "big", "progress"]);
  });

  it("C47 a list that goes round in circles ends, and is told", async () => {
    for (const mode of ["same", "loop"]) {
      const { tools, told } = await offered(mode);
      expect(tools).toEqual(["echo"]);
      expect(told).toContain("goes round in circles");
    }
  });

  it("C49 tools that change during a run are told once, and those of the start stay on offer", async () => {
    await withPool({ a: stdioEntry("changes") }, async (pool, events) => {
      expect((await pool.call("login", {})).text).toBe("welcome");
      expect((await pool.call("echo", {})).outcome).toBe("ok");
      expect(names(await pool.tools())).toEqual(["echo", "login"]);
      expect(events.map(({ status }) => status)).toEqual(["started", "changed"]);
    });
  });

  it("C50 a tool that cannot be used is named, and hides no other", async () => {
    const { tools, told } = await offered("odd");
    expect(tools).toEqual(["good", "untyped", "boolean", "ref"]);
    expect(told).toContain("tool 5 is left out: it has no usable name");
    expect(told).toContain("tool 7 is left out: task can only be called as a task");
    expect(told).toContain("tool 8 is left out: good is listed twice");
  });

  it("C52 the same name on two servers reaches the right one, whichever starts first", async () => {
    const entries = { s1: stdioEntry("search"), s2: stdioEntry("search"), s1_: stdioEntry("search") };
    for (const needed of [["s1", "s2"], ["s2"], []]) {
      await withPool(
        entries,
        async (pool) => {
          const tools = await pool.tools();
          expect(tools.map(({ name, server }) => [name, server])).toEqual([
            ["search", "s1"],
            ["s2_search", "s2"],
            ["s1__search", "s1_"],
          ]);
          for (const { name, server } of tools) expect((await pool.call(name, {})).tool?.server).toBe(server);
        },
        { needed },
      );
    }
  });

  it("C53 names that look alike to a model stay apart, and an exact double is told", async () => {
    await withPool({ a: stdioEntry("twins") }, async (pool, events) => {
      const tools = await pool.tools();
      expect(tools.map(({ tool }) => tool)).toEqual(["get.item", "get_item", "get/item", "GET_ITEM", "dup"]);
      expect(new Set(names(tools)).size).toBe(5);
      expect(names(tools)).toEqual(expect.arrayContaining(["get_item", "GET_ITEM", "dup"]));
      for (const { name, tool } of tools) expect((await pool.call(name, {})).tool?.tool).toBe(tool);
      expect(events[0]?.detail).toContain("dup is listed twice");
    });
  });

  it("C55 long names stay apart and within 64 characters", async () => {
    const entries = { first: stdioEntry("long"), "playwright-remote-staging": stdioEntry("long") };
    const read = () => withPool(entries, async (pool) => names(await pool.tools()));
    const tools = await read();
    expect(new Set(tools).size).toBe(4);
    for (const name of tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(await read()).toEqual(tools);
  });
});

describe("kind 2: HTTP", () => {
  it("C56 an expired session is renewed and the call done once; a session that never holds is broken", async () => {
    await withPool({ a: await raw("/mcp") }, async (pool, events) => {
      await pool.call("forget", {});
      expect(await pool.call("echo", { x: 1 })).toMatchObject({ outcome: "ok", value: { x: 1 } });
      expect(events.map(({ status }) => status)).toEqual(["started", "renewed"]);
      expect(await countsOf(pool)).toMatchObject({ initialize: 2, calls: 3 });
      expect((await pool.call("code", {})).outcome).toBe("protocol");
      expect((await countsOf(pool)).initialize).toBe(2);
    });
    await withPool({ a: await raw("/lost") }, async (pool, events) => {
      expect(await pool.call("echo", {})).toMatchObject({
        outcome: "broken",
        text: "a does not know the session that it has just opened.",
      });
      expect(events.map(({ status }) => status)).toEqual(["started", "renewed"]);
    });
  });

  it.each(["404", "400", "406", "500", "json"])("C58 a GET that is answered with %s stops nothing", async (what) => {
    await withPool({ a: await raw(`/get-${what}`) }, async (pool, events) => {
      expect((await pool.call("echo", {})).outcome).toBe("ok");
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect((await countsOf(pool)).GET).toBe(1);
      expect(events.map(({ status }) => status)).toEqual(["started"]);
    });
  });

  it("C59 SSE is tried where Streamable HTTP is not known, and for no other failure", async () => {
    for (const status of [404, 405]) {
      await withPool({ a: await raw(`/old-${status}`) }, async (pool, events) => {
        expect(await pool.call("echo", { x: 1 })).toMatchObject({ outcome: "ok", value: { x: 1 } });
        expect(events[0]?.detail).toContain("raw 1.0.0 over SSE");
      });
      expect(await detail(await raw(`/old-${status}`, { type: "http" }))).toContain("not here");
    }
    for (const status of [400, 401, 403, 500]) {
      const words = await detail(await raw(`/old-${status}`));
      expect(words).toContain("not here");
      expect(words).not.toContain("SSE");
    }
    const { child, port } = await startHttp("raw-http.mjs");
    child.kill("SIGKILL");
    await once(child, "exit");
    const nobody = await detail({ url: `http://127.0.0.1:${port}/mcp`, tools: ["*"] });
    expect(nobody).toContain("ECONNREFUSED");
    expect(nobody).not.toContain("SSE");
  });

  it("C68 what a gateway answers is told in words, and is no injected fault", async () => {
    await withPool({ a: await raw("/mcp") }, async (pool) => {
      for (const name of ["limit", "unavailable"]) {
        expect(await pool.call(name, {})).toMatchObject({ outcome: "transient", fault: null });
      }
      // Nothing is sent twice: whether the server did it cannot be known.
      expect(await countsOf(pool)).toMatchObject({ calls: 3 });
      expect((await pool.call("moved", { x: 1 })).value).toEqual({ x: 1 });
    });
    for (const [name, words] of [
      ["html", "answered with text/html instead of MCP"],
      ["away", "elsewhere.test"],
    ] as const) {
      await withPool({ a: await raw("/mcp") }, async (pool) => {
        expect(await pool.call(name, {})).toMatchObject({ outcome: "broken", text: expect.stringContaining(words) });
      });
    }
  });

  it("an answer whose stream ends without it is broken at once, and the server is used on", async () => {
    for (const name of ["vanish", "cut"]) {
      await withPool({ a: await raw("/mcp", { timeout: 600 }) }, async (pool) => {
        expect(await pool.call(name, {})).toMatchObject({
          outcome: "broken",
          text: expect.stringContaining("ended the stream of its answer"),
        });
        expect((await pool.call("echo", {})).outcome).toBe("ok");
      });
    }
  });
});

describe("kind 2: drift", () => {
  it("C67 a server that is not what it was is named tool by tool, and stops a run and a resume", async () => {
    const file = join(testFolder(), "server.json");
    const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: "object", ...more } });
    const become = (version: string, tools: object[]) => writeFileSync(file, JSON.stringify({ version, tools }));
    const entry = { command: process.execPath, args: [fixture("stdio.mjs"), "file", file], disabledTools: ["hidden*"] };
    const cwd = oneCallProject(entry);
    const tandem = (...argv: string[]) => runTandem(argv, { cwd });

    become("1.0", [tool("echo"), tool("b"), tool("hidden1")]);
    expect((await tandem("doctor", "--update-lock")).stderr).toContain("servers.lock.json holds 1 servers");
    expect((await tandem(...run)).code).toBe(0);
    const { info } = await readRun(join(cwd, "run"));
    expect(info.servers.Fixture).toMatchObject({
      type: "stdio",
      name: "fixture",
      version: "1.0",
      protocol: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      tools: 3,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });

    // Another order, a tool that is not offered and another description are no drift.
    become("1.0", [tool("b"), { ...tool("echo"), description: "says it again" }]);
    const same = await tandem("run", "--display", "none");
    expect(same.code).toBe(0);
    expect(same.stderr).toContain("Fixture.echo has another description");

    become("1.1", [tool("echo", { properties: { x: {} } }), tool("c")]);
    const drifted = await tandem("run", "--display", "none");
    expect(drifted.code).toBe(4);
    for (const words of [
      "Fixture.echo has another schema",
      "Fixture.b is gone",
      "Fixture.c is new",
      "Fixture is version 1.1, and was 1.0",
      "--update-lock",
    ]) {
      expect(drifted.stderr).toContain(words);
    }
    expect(drifted.stderr).not.toContain("hidden");
    expect((await tandem("doctor")).code).toBe(4);
    expect((await tandem("run", "--display", "none", "--no-preflight")).code).toBe(0);

    expect((await tandem("doctor", "--update-lock")).code).toBe(0);
    const resumed = await tandem(...run);
    expect(resumed.code).toBe(2);
    expect(resumed.stderr).toMatch(/servers\.Fixture: 1\.0 3 tools \w{8} → 1\.1 2 tools/);

    writeFileSync(join(cwd, "servers.lock.json"), '{"lockVersion":1,"servers":{"Fixture":{"version":1}}}');
    const bad = await tandem("run");
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining("servers.lock.json: servers.Fixture.")]);
  });

  it("C67 names in a pool come from the lock, not from the order in which a server lists its tools", async () => {
    const file = join(testFolder(), "server.json");
    const become = (names: string[]) =>
      writeFileSync(
        file,
        JSON.stringify({ version: "1", tools: names.map((name) => ({ name, inputSchema: { type: "object" } })) }),
      );
    const entry = { command: process.execPath, args: [fixture("stdio.mjs"), "file", file] };
    const cwd = oneCallProject(entry);
    const offered = async () => {
      await runTandem(["run", "--display", "none", "--out", "run"], { cwd });
      return (await readRun(join(cwd, "run"))).records[0]?.offered;
    };
    become(["get.item", "get/item", "echo"]);
    await runTandem(["doctor", "--update-lock"], { cwd });
    const first = await offered();
    become(["get/item", "echo", "get.item"]);
    rmSync(join(cwd, "run"), { recursive: true });
    expect(await offered()).toEqual(first);
  });
});

describe("kind 2: processes", () => {
  /** A server behind a shell that ignores the end of stdin and SIGTERM, as does its child. */
  const behindShell = (token: string) => ({
    command: "sh",
    args: ["-c", `"${process.execPath}" "${fixture("stdio.mjs")}" stubborn "" ${token}; true`],
    timeout: 600,
  });
  const start = (cwd: string) =>
    spawn(process.execPath, [join(packageRoot, "dist", "bin.js"), ...run], { cwd, stdio: "ignore" });

  /** How many groups a run's file of processes says are there. */
  const groupsLeft = (file: string) => {
    const left = new Set<number>();
    for (const line of readFileSync(file, "utf8").trimEnd().split("\n")) {
      const { pid, identity } = JSON.parse(line) as { pid?: number; identity?: string | null };
      if (pid !== undefined) identity === null ? left.delete(pid) : left.add(pid);
    }
    return left.size;
  };

  it("C61 nothing of a launcher's children is left, however this process ends", async () => {
    const token = `tandem-c61-${process.pid}`;
    const left = () => processesWith(token).filter((line) => line.includes("stdio.mjs"));
    expect((await runTandem(run, { cwd: oneCallProject(behindShell(token)) })).code).toBe(0);
    expect(left()).toEqual([]);
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const child = start(oneCallProject(behindShell(token), "hang"));
      // Reference and tested side, each with a shell and a server.
      await until("the start of both sides", () => left().length >= 4);
      child.kill(signal);
      await new Promise((resolve) => setTimeout(resolve, 300));
      child.kill(signal);
      expect((await once(child, "exit"))[0]).toBe(130);
      expect(left()).toEqual([]);
    }
    const script = join(testFolder(), "throws.mjs");
    const library = pathToFileURL(join(packageRoot, "dist", "index.js")).href;
    const file = join(oneCallProject(behindShell(token)), "mcp-servers.json");
    writeFileSync(
      script,
      `import { loadServers, openPool } from ${JSON.stringify(library)};
       const { servers } = loadServers(${JSON.stringify(file)}, { env: process.env, defaultFile: "" });
       await openPool({ servers, needed: ["Fixture"], world: null, role: "tested", env: process.env });
       setTimeout(() => { throw new Error("a defect"); }, 10);`,
    );
    const child = spawn(process.execPath, [script], { stdio: "ignore" });
    expect((await once(child, "exit"))[0]).not.toBe(0);
    await until("the end of the servers", () => left().length === 0);
  });

  it("C62 many servers that ignore every wish end side by side", async () => {
    const pids: number[] = [];
    const entries = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`s${i}`, stdioEntry("stubborn")]));
    await withPool(entries, async (pool) => {
      for (const name of Object.keys(entries)) {
        pids.push(...((await pool.call(`${name}.pids`, {})).value as number[]));
      }
      expect(pids.filter(isRunning)).toHaveLength(40);
    });
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it("C64 what a killed run left is ended by the next call of it, and nothing else is", async () => {
    const token = `tandem-c64-${process.pid}`;
    const left = () => processesWith(token).filter((line) => line.includes("stdio.mjs"));
    const cwd = oneCallProject({ ...behindShell(token), timeout: 2 }, "hang");
    const other = spawn(process.execPath, [fixture("stdio.mjs"), "stubborn", "", token], { stdio: "pipe" });
    const child = start(cwd);
    await until("the start of both sides", () => left().length >= 5);
    await until("the record of both sides", () => groupsLeft(join(cwd, "run", "processes.jsonl")) === 2);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(left().length).toBeGreaterThanOrEqual(5);
    const { stderr } = await runTandem(run, { cwd });
    expect(stderr).toContain("servers that a killed call of this run had left behind");
    expect(left()).toHaveLength(1);
    expect(isRunning(other.pid ?? 0)).toBe(true);
    other.kill("SIGKILL");
  });
});
