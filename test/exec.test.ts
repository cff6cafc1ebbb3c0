import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { EpisodeOptions } from "../src/index.ts";
import { oneCallProject } from "./cases/project.ts";
import { playAgent } from "./model-server/play.ts";
import { processesWith, until } from "./processes.ts";
import { runTandem, writeFiles } from "./run-tandem.ts";
import { fixture, stdioEntry } from "./servers/pools.ts";

interface Outside {
  readonly args?: readonly string[];
  /** Fields of the agent's entry. */
  readonly entry?: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly episode?: Partial<EpisodeOptions>;
}

/** A project whose agent `outside` is the fixture in a mode. */
function projectOf(mode: string, { args = ["{mcpConfig}"], entry }: Outside = {}): string {
  const cwd = oneCallProject(stdioEntry("plain"));
  const outside = { command: process.execPath, args: [fixture("exec-agent.mjs"), mode, ...args], ...entry };
  writeFiles(cwd, { "tandem.config.yaml": stringify({ agents: { outside } }) });
  return cwd;
}

/** One episode of the fixture in a mode. */
function playOutside(mode: string, options: Outside = {}): ReturnType<typeof playAgent> {
  return playAgent("exec:outside", projectOf(mode, options), options);
}

describe("an outside agent", () => {
  it("works over the gateway, and its calls are the trajectory", async () => {
    const { record, events, calls } = await playOutside("solve", {
      args: ["{mcpConfig}", "{query}"],
      entry: {
        answer: "/text",
        usage: {
          prompt: ["/usage/in", "/usage/thought"],
          reasoning: ["/usage/thought", "/usage/none"],
          cachedPrompt: "/usage/cached",
          output: "/usage/out",
          costUsd: "/cost",
        },
      },
    });
    expect(calls).toMatchObject([
      { call: 0, name: "echo", outcome: "ok", server: "Fixture", arguments: { query: "Call it." } },
      { call: 1, name: "no_such_tool", outcome: "syntactic", server: null },
    ]);
    expect(record.tested).toMatchObject({ stop: "answered" });
    expect(record.tested?.answer).toMatch(/^done: true .*"Call it\.".* true .*no_such_tool/);
    expect(record.modelUse.agent).toMatchObject({ calls: 1, unknown: 0, prompt: 105, cachedPrompt: 40, output: 20 });
    expect(record.costUsd.agent).toBe(0.25);
    expect(events.filter(({ type }) => type === "note")).toEqual([]);
  });

  it("may open several sessions by an address that holds the token, and what it does not tell is unknown", async () => {
    const { record, calls } = await playOutside("together", { args: ["{mcpUrlWithToken}"] });
    expect(record.tested?.answer).toBe([0, 1, 2, 3, 4, 5].map((n) => `{"n":${n}}`).join(" "));
    expect(calls.map(({ outcome }) => outcome)).toEqual(Array(6).fill("ok"));
    expect(record.modelUse.agent).toMatchObject({ calls: 1, unknown: 1, unpriced: 1 });
    expect(record.tokens.agent.prompt).toBeNull();
  });

  it("gets a folder of its own and the variables named for it, and no other", async () => {
    const { record } = await playOutside("environment", {
      entry: {
        answer: "",
        stdin: "do: {query}",
        files: { "deep/given.txt": "{query} at {mcpUrl}" },
        passEnv: ["GIVEN_KEY"],
        env: { PLAIN: "p-${OUTER}", WHERE: "{folder}" },
      },
      env: { GIVEN_KEY: "key-of-the-model", OUTER: "outer-value", UNNAMED: "unnamed-value" },
    });
    const { env, cwd, stdin, given } = JSON.parse(String(record.tested?.answer));
    expect(env).toMatchObject({ PLAIN: "p-outer-value", GIVEN_KEY: "key-of-the-model", HOME: cwd, WHERE: cwd });
    expect(JSON.stringify(env)).not.toContain("unnamed-value");
    expect(stdin).toBe("do: Call it.");
    expect(given).toMatch(/^Call it\. at http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(existsSync(cwd)).toBe(false);
  });

  it("is refused by the gateway without its token, from pages and other paths, and its token is not kept", async () => {
    const { record } = await playOutside("intruder", { args: ["{mcpUrl}", "{mcpToken}"], entry: { answer: "" } });
    expect(JSON.parse(String(record.tested?.answer))).toEqual({
      none: 401,
      wrong: 401,
      path: 404,
      other: 404,
      origin: 403,
      session: 404,
      told: "the token is [redacted]",
    });
  });

  it("that ends before it began is an error of the set-up; one that crashes over its work has failed", async () => {
    const unborn = await playOutside("unborn");
    expect(unborn.record).toMatchObject({ outcome: "error", error: { code: "agent.not-started" } });
    expect(unborn.record.error?.message).toMatch(/exit code 3[\s\S]*no credentials for the model/);
    const crash = await playOutside("crash");
    expect(crash.record).toMatchObject({ outcome: "fail", tested: { stop: "crash" } });
    expect(crash.record.reason).toMatch(/exit code 1[\s\S]*internal bug of the agent/);
    const blind = await playOutside("blind");
    expect(blind.record).toMatchObject({ outcome: "fail", tested: { stop: "answered", answer: "42" } });
    expect(blind.events).toContainEqual(
      expect.objectContaining({ type: "note", text: expect.stringContaining("never opened") }),
    );
  });

  it("whose output has no answer where the entry says is an error, not an empty answer", async () => {
    const { record } = await playOutside("blind", { entry: { answer: "/result" } });
    expect(record).toMatchObject({ outcome: "error", error: { code: "agent.no-answer" } });
    expect(record.error?.message).toContain("no answer at /result; it ends with: 42");
  });

  it("leaves its last call in the record, also if it did not wait for it", async () => {
    const { calls, events } = await playOutside("hasty");
    expect(calls).toMatchObject([{ name: "progress", outcome: "ok" }]);
    expect(events.at(-1)?.type).toBe("stop");
  });

  it.each(["own", "run"])("is ended with its children at the %s time limit", async (whose) => {
    const marker = `outside-${whose}-${process.pid}`;
    const { record } = await playOutside("stubborn", {
      args: ["{mcpConfig}", marker],
      entry: whose === "own" ? { timeLimit: 1.5 } : {},
      episode: whose === "run" ? { limits: { timeSeconds: 1.5 } } : {},
    });
    expect(record).toMatchObject({ outcome: "fail", tested: { stop: "time" } });
    await until("the end of all its processes", () => processesWith(marker).length === 0);
  });

  it("is put behind the command that wrap names", async () => {
    const { record } = await playOutside("blind", { entry: { wrap: ["sh", "-c", 'echo wrapped; exec "$@"', "sh"] } });
    expect(record.tested?.answer).toBe("wrapped\n42");
  });

  it("that cannot be started is refused before anything runs", async () => {
    const run = (cwd: string, agent = "exec:outside") =>
      runTandem(["run", "--agent", agent, "--display", "none", "--out", "run"], { cwd });
    const missing = await run(projectOf("blind", { entry: { command: "no-such-agent" } }));
    expect(missing).toMatchObject({ code: 2, stdout: "" });
    expect(missing.stderr).toMatch(
      /command no-such-agent of the agent exec:outside was not found[\s\S]*agents\.outside\.command/,
    );
    const unset = await run(projectOf("blind", { entry: { passEnv: ["NOT_SET"] } }));
    expect(unset.stderr).toContain("agent outside, field passEnv: the variable NOT_SET is not set");
    const cwd = projectOf("blind");
    const unknown = await run(cwd, "exec:other");
    expect(unknown.stderr).toMatch(/no agent exec:other.*agents\.other[\s\S]*It has: outside/);
    expect(existsSync(join(cwd, "run"))).toBe(false);
  });

  it("runs as one of several agents of the program, and its settings belong to the run", async () => {
    const cwd = projectOf("solve", {
      args: ["{mcpConfig}", "{query}"],
      entry: { answer: "/text", passEnv: ["API_TOKEN"] },
    });
    const argv = ["run", "--agent", "oracle", "--agent", "exec:outside", "--display", "none", "--out", "run", "--json"];
    const env = { API_TOKEN: "token-of-the-outside" };
    const { code, stdout, stderr } = await runTandem(argv, { cwd, env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout).agents.map(({ agent }: { agent: string }) => agent)).toEqual(["oracle", "exec:outside"]);
    const shown = await runTandem(["show", "run", "--json"], { cwd, env });
    expect(shown.stdout).not.toContain("token-of-the-outside");
  });
});
