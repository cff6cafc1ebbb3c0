import { describe, expect, it } from "vitest";
import { matchesGlobs } from "./globs.ts";

describe("matchesGlobs", () => {
  it("covers whole names only", () => {
    expect(matchesGlobs("get_issue", ["list_*", "get_*"])).toBe(true);
    expect(matchesGlobs("forget_issue", ["get_*"])).toBe(false);
    expect(matchesGlobs("get.x", ["get?x"])).toBe(true);
    expect(matchesGlobs("getxx", ["get.x"])).toBe(false);
    expect(matchesGlobs("anything", [])).toBe(false);
  });
});
