import papaparse from "papaparse";
import { describe, expect, it } from "vitest";
import { sampleRecord, sampleVerdict } from "../../test/samples/episode-record.ts";
import { csvReport } from "./csv.ts";

const parse = (text: string) => papaparse.parse<Record<string, string>>(text.trimEnd(), { header: true }).data;

describe("csvReport", () => {
  it("has a row for each episode and reads back", () => {
    const reason = 'the "cart", after\nall, is wrong; 東京';
    const rows = parse(csvReport([sampleRecord(), sampleRecord({ repeat: 1, outcome: "fail", reason })]));
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ query: "buy-grapes", "state.completionRate": "1", "judges.rules.result": "5" });
    expect(rows[1]).toMatchObject({ outcome: "fail", reason });
  });

  it("leaves a cell empty for what is missing, and writes zero as zero", () => {
    const record = sampleRecord({ state: null, judges: { rules: sampleVerdict(null, 1) } });
    expect(parse(csvReport([record, sampleRecord({ judges: { gpt: sampleVerdict(2, 3) } })]))[0]).toMatchObject({
      "state.success": "",
      "facts.total": "",
      "judges.rules.result": "",
      "judges.rules.trajectory": "1",
      "judges.gpt.result": "",
      "tokens.agent.prompt": "",
      "costUsd.reference": "0",
    });
  });

  it.each(["=1+1", "+1", "-1", "@cmd", "\t=1", "  =1", "=1\nnext", "＝1"])("disarms %j", (reason) => {
    expect(parse(csvReport([sampleRecord({ reason })]))[0]?.reason).toBe(`'${reason}`);
  });

  it("leaves numbers and other texts alone", () => {
    const row = parse(csvReport([sampleRecord({ skewMs: -3.5, reason: "a = b" })]))[0];
    expect(row).toMatchObject({ skewMs: "-3.5", reason: "a = b" });
  });

  it("has a header even without episodes", () => {
    expect(csvReport([])).toMatch(/^query,suite,tier,agent,.*\n$/);
  });
});
