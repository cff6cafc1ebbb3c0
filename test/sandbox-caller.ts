import { expect } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../src/base/json.ts";
import type { SandboxApp } from "../src/sandbox/define.ts";
import { createWorld, type World } from "../src/sandbox/world.ts";

/** Calls the tools of one app in a world without faults, and checks each output against its schema. */
export interface SandboxCaller {
  readonly world: World;
  /** The output of a call that must work. */
  ok(tool: string, input?: JsonObject): Json;
  /** The sentence of a call that must be refused. The state must stay as it was. */
  refused(tool: string, input?: JsonObject): string;
  /** The state as it is now. */
  state(): JsonObject;
}

/** A caller for `app` in the world of `seed`. One second passes per call. */
export function sandboxCaller(app: SandboxApp, seed: number): SandboxCaller {
  const world = createWorld({ seed, apps: [app], faults: false });
  const state = () => {
    const current = world.state(app.name);
    if (!isJsonObject(current)) throw new TypeError(`${app.name} has no state`);
    return current;
  };
  function invoke(name: string, input: JsonObject) {
    const tool = app.tool(name);
    if (tool === undefined) throw new RangeError(`${app.name} has no tool ${name}`);
    world.tick();
    return { tool, ...world.invoke(app.name, name, tool.input.parse(input) as JsonObject) };
  }
  return {
    world,
    state,
    ok(name, input = {}) {
      const { tool, status, output, writes } = invoke(name, input);
      expect(status, `${name}: ${JSON.stringify(output)}`).toBe("ok");
      expect(tool.output.safeParse(output).error).toBeUndefined();
      if (tool.effect === "read") expect(writes).toEqual([]);
      return output;
    },
    refused(name, input = {}) {
      const before = app.start === undefined ? undefined : state();
      const { status, output } = invoke(name, input);
      expect(status, `${name}: ${JSON.stringify(output)}`).toBe("failed");
      if (before !== undefined) expect(state()).toBe(before);
      return String(output);
    },
  };
}
