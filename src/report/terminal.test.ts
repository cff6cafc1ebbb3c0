import { describe, expect, it } from "vitest";
import { sampleRecord, sampleState, sampleVerdict } from "../../test/samples/episode-record.ts";
import type { ReportHeader } from "./header.ts";
import { terminalReport, wrap } from "./terminal.ts";

const header: ReportHeader = {
  run: "r1",
  folder: "results/r1",
  startedAt: "2026-07-14T10:00:00Z",
  configuration: {},
  planned: 8,
  complete: true,
};
const noop = (repeat: number) =>
  sampleRecord({
    agent: "noop",
    repeat,
    outcome: "fail",
    reason: "nothing was\nchanged",
    state: sampleState(4, { success: false, completionRate: 0, precision: null, f1: null }),
    judges: { rules: sampleVerdict(1, 1) },
  });
const widest = (text: string) => Math.max(...text.split("\n").map((line) => line.length));

describe("terminalReport", () => {
  it("shows counts, rates, bounds, state, judges by name and calls", () => {
    const text = terminalReport(header, [sampleRecord(), noop(0)], { columns: 400 });
    expect(text).toContain("Run r1: 2 episodes, 1 pass, 1 fail, 0 error, 0 inconclusive");
    const row = text.split("\n").find((line) => line.includes("│ noop"));
    const cells = row?.split("│").map((cell) => cell.trim());
    expect(cells?.slice(1, 13)).toEqual([
      "noop",
      "0.0%",
      "0.0–0.0%",
      "0",
      "1",
      "0",
      "0",
      "0.0%",
      "0.0%",
      "0.0%",
      "–",
      "–",
    ]);
    expect(text).toMatch(/rules .* rules .* rules/);
    expect(text).toContain("fail         buy-grapes · noop · seed 1 · repeat 0: nothing was changed");
  });

  it("ranks by success rate", () => {
    const text = terminalReport(header, [noop(0), sampleRecord()], { columns: 400 });
    expect(text.indexOf("│ oracle")).toBeLessThan(text.indexOf("│ noop"));
    expect(text).not.toContain("Not ranked");
  });

  it("shows no ranking if more than 5 % are unscored", () => {
    const broken = sampleRecord({ outcome: "error", repeat: 1, reason: "LightShop did not start" });
    const text = terminalReport(header, [noop(0), sampleRecord(), broken], { columns: 400 });
    expect(text.indexOf("│ noop")).toBeLessThan(text.indexOf("│ oracle"));
    expect(text).toContain("Not ranked");
    expect(text).toContain("50.0–100.0%");
    expect(text.indexOf("error        buy")).toBeLessThan(text.indexOf("fail         buy"));
  });

  it.each([60, 80, 120, 200])("fits %d columns", (columns) => {
    const records = [sampleRecord(), noop(0), sampleRecord({ agent: "react:a-model-with-a-very-long-name-indeed" })];
    expect(widest(terminalReport(header, records, { columns }))).toBeLessThanOrEqual(columns);
  });

  it("uses colour only if asked to", () => {
    const csi = "\u001b[";
    expect(terminalReport(header, [noop(0)])).not.toContain(csi);
    expect(terminalReport(header, [noop(0)], { colour: true })).toContain(`${csi}31m`);
  });

  it("lets no escape sequence of others through", () => {
    const text = terminalReport(header, [{ ...noop(0), agent: "a\u001b[2J", reason: "b\u001b]0;x\u0007" }]);
    expect(text).not.toContain("\u001b");
    expect(text).toContain("b\\u{1b}]0;x\\u{7}");
  });

  it("lists the first that did not pass, and says how many more", () => {
    const text = terminalReport(
      header,
      Array.from({ length: 20 }, (_, repeat) => noop(repeat)),
    );
    expect(text).toContain("Not passed: 20");
    expect(text).toContain("and 5 more");
  });

  it("has words for a run without episodes or an end", () => {
    const text = terminalReport({ ...header, complete: false }, []);
    expect(text).toContain("0 episodes");
    expect(text).toContain("not complete");
  });
});

describe("wrap", () => {
  it("breaks between words", () => {
    expect(wrap("aa bb cc", 5)).toEqual(["aa bb", "cc"]);
    expect(wrap("long", 2)).toEqual(["long"]);
  });
});
