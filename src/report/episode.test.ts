import { describe, expect, it } from "vitest";
import { sampleRecord, sampleState, sampleVerdict } from "../../test/samples/episode-record.ts";
import type { ToolEvent, Trajectory } from "../record/trajectory.ts";
import { episodeReport } from "./episode.ts";

const call = (change: Partial<ToolEvent>): ToolEvent => ({
  type: "tool",
  at: 1,
  ms: 2,
  call: 0,
  name: "add_to_cart",
  server: "LightShop",
  tool: "add_to_cart",
  arguments: { cnt: 10 },
  outcome: "ok",
  text: "ok",
  value: "ok",
  fault: null,
  writes: [],
  effect: "write",
  worldTime: null,
  ...change,
});
const reference: Trajectory = [
  call({ writes: ["/LightShop/cart/a", "/LightShop/cart/b"] }),
  call({ call: 1, name: "checkout_all", outcome: "transient", fault: "transient", text: "try again" }),
  { type: "answer", at: 9, text: "done" },
  { type: "stop", at: 9, reason: "answered", detail: "" },
];
const tested: Trajectory = [
  call({ arguments: { note: `\u001b[2J${"x".repeat(500)}` } }),
  { type: "stop", at: 9, reason: "rounds", detail: "30 rounds" },
];
const failed = sampleRecord({
  outcome: "fail",
  reason: "the state differs",
  facts: [
    { name: "total", right: true, value: 12.5, found: "12.50 in all", foil: null },
    { name: "shop", right: false, value: "Corner", found: null, foil: "Market" },
  ],
  judges: { rules: sampleVerdict(2, 3), gpt: sampleVerdict(null, null, { error: "no answer in time" }) },
  state: sampleState(3, {
    success: false,
    modified: 1,
    misbehaving: 1,
    paths: [
      { path: "/LightShop/balance", kind: "modified", before: 5, reference: 3, after: 3, writtenBy: [0] },
      { path: "/LightShop/cart/a", kind: "misbehaving", before: 1, reference: 1, hint: "was deleted" },
    ],
  }),
});

describe("episodeReport", () => {
  it("shows both sides side by side, in compact lines", () => {
    const text = episodeReport(failed, { reference, tested }, { columns: 160 });
    const row = text.split("\n").find((line) => line.includes('{"cnt":10}'));
    expect(row).toMatch(/│ 0 add_to_cart ok \{"cnt":10\} +│ 0 add_to_cart ok \{"note":"/);
    expect(text).toContain("wrote 2 paths, /LightShop/cart/a");
    expect(text).toContain("[transient] try again");
    expect(text).toContain("stop: rounds, 30 rounds");
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(160);
  });

  it("lists the sides one after the other where it is narrow", () => {
    const text = episodeReport(failed, { reference, tested }, { columns: 60 });
    expect(text.indexOf("  reference\n")).toBeLessThan(text.indexOf("  tested\n"));
    expect(text).not.toContain("│");
  });

  it("shows outcome, facts, judges and state paths", () => {
    const text = episodeReport(failed, { reference, tested });
    expect(text).toContain("fail: the state differs");
    expect(text).toContain('right total = 12.5: found in "12.50 in all"');
    expect(text).toContain('wrong shop = "Corner": not found, foil stated in "Market"');
    expect(text).toContain("rules: result 2, for the result");
    expect(text).toContain("gpt: no score, no answer in time");
    expect(text).toMatch(
      /misbehaving \/LightShop\/cart\/a\n {6}before 1, reference 1, after \(missing\)\n {6}was deleted/,
    );
    expect(text).toContain("modified /LightShop/balance (call 0)");
  });

  it("lets no escape sequence of others through", () => {
    expect(episodeReport(failed, { reference, tested })).not.toContain("\u001b");
    expect(episodeReport(failed, { reference, tested }, { colour: true })).not.toContain("\u001b[2J");
  });

  it("has words for what is missing", () => {
    const broken = sampleRecord({
      outcome: "error",
      reason: "a server did not start",
      error: { code: "server.start", message: "exit 1", server: "files" },
      reference: null,
      tested: null,
      state: null,
      judges: {},
    });
    const text = episodeReport(broken, null);
    expect(text).toContain("server.start (server files): exit 1");
    expect(text).toContain("cannot be read");
    expect(text).toContain("not scored");
    expect(text).toContain("none compared");
  });
});
