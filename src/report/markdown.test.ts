import { describe, expect, it } from "vitest";
import { sampleRecord, sampleState } from "../../test/samples/episode-record.ts";
import type { StatePath } from "../record/grades.ts";
import type { ReportHeader } from "./header.ts";
import { markdownReport } from "./markdown.ts";

const header: ReportHeader = {
  run: "r1",
  folder: "results/r1",
  startedAt: "2026-07-14T10:00:00Z",
  configuration: { suite: "sandbox", note: "``` and <b>" },
  planned: 8,
  complete: true,
};
const path = (at: number, kind: StatePath["kind"]): StatePath => ({
  path: `/LightShop/cart/${at}`,
  kind,
  before: 1,
  after: "x|y",
});
const failed = sampleRecord({
  repeat: 1,
  outcome: "fail",
  reason: "<script>alert(1)</script> | **bold** [link](http://evil.test)",
  state: sampleState(12, {
    success: false,
    paths: [
      path(99, "modified"),
      ...Array.from({ length: 12 }, (_, at) => path(at, "missed")),
      path(50, "misbehaving"),
    ],
  }),
});

describe("markdownReport", () => {
  const text = markdownReport(header, [sampleRecord(), failed]);

  it("has run, tables, tiers, failures and configuration", () => {
    expect(text).toContain("# Run r1\n");
    expect(text).toContain("- Episodes: 2 of 8 planned (1 pass, 1 fail, 0 error, 0 inconclusive)");
    expect(text).toContain("| agent | success rate | bounds | pass | fail | error | inconclusive |");
    expect(text).toContain("| oracle | 50.0% | 50.0–50.0% | 1 | 1 | 0 | 0 |");
    expect(text).toContain("50.0% ± 50.0%");
    expect(text).toContain("| agent | easy |\n| :-- | --: |\n| oracle | 50.0% (1 of 2) |");
    expect(text).toContain('"suite": "sandbox"');
  });

  it("keeps every table rectangular", () => {
    for (const block of text.split("\n\n").filter((part) => part.startsWith("|"))) {
      const widths = block.split("\n").map((line) => line.match(/(?<!\\)\|/g)?.length);
      expect(new Set(widths).size).toBe(1);
    }
  });

  it("shows the first ten paths of a failed state, unwanted changes first", () => {
    const lines = text.split("\n").filter((line) => line.startsWith("  - "));
    expect(lines).toHaveLength(11);
    expect(lines[0]).toBe('  - misbehaving `/LightShop/cart/50`: before `1`, reference `(missing)`, after `"x\\|y"`');
    expect(lines[10]).toBe("  - and 3 more paths");
  });

  it("lets no markup of others take effect", () => {
    expect(text).not.toContain("<script>");
    expect(text).toContain("\\<script\\>alert(1)\\</script\\> \\| \\*\\*bold\\*\\* \\[link\\](http\\://evil.test)");
    expect(text).toContain("````json");
  });

  it("says so if nothing was graded, all passed, or the run is cut off", () => {
    const empty = markdownReport({ ...header, complete: false }, []);
    expect(empty).toContain("No episode was graded.");
    expect(empty).toContain("**Not complete:**");
    expect(markdownReport(header, [sampleRecord()])).toContain("All episodes passed.");
  });
});
