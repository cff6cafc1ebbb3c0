import { describe, expect, it } from "vitest";
import published from "../../../test/data/sandbox-tools.json" with { type: "json" };
import { sandboxCaller } from "../../../test/sandbox-caller.ts";
import { lightOs } from "./light-os.ts";

describe("LightOS", () => {
  it("has the published tools", () => {
    expect(lightOs.tools.map(({ name }) => name)).toEqual(Object.keys(published.LightOS));
  });

  it("tells the world's time, which moves on with each call", () => {
    const { world, ok } = sandboxCaller(lightOs, 3);
    const start = world.timeMs;
    expect(ok("now")).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
    expect(ok("now")).toBe(world.now());
    expect(world.timeMs - start).toBe(2000);
    expect(sandboxCaller(lightOs, 4).ok("now")).not.toBe(sandboxCaller(lightOs, 3).ok("now"));
  });

  it("is healthy", () => {
    expect(sandboxCaller(lightOs, 3).ok("health")).toBe(true);
  });
});
