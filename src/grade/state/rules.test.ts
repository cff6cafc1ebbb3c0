import { describe, expect, it } from "vitest";
import { fromPointer, pointerMatcher } from "../../base/pointer.ts";
import { compileRules, type RuleNode } from "./rules.ts";

function nodeAt(rules: RuleNode | null, pointer: string): RuleNode | null {
  return fromPointer(pointer).reduce<RuleNode | null>((node, part) => node?.child(part) ?? null, rules);
}

describe("compileRules", () => {
  it("is nothing without patterns", () => {
    expect(compileRules({})).toBeNull();
  });

  it("joins what several patterns say of one path", () => {
    const rules = compileRules({ ordered: ["/a/*"], numericText: ["/a/b"], text: { "/**/b": "json" } });
    expect(nodeAt(rules, "/a/b")?.rule).toEqual({ ignored: false, ordered: true, numeric: true, comparer: "json" });
    expect(nodeAt(rules, "/a/c")?.rule).toEqual({ ignored: false, ordered: true, numeric: false, comparer: null });
  });

  it("ends where no pattern can match any more", () => {
    const rules = compileRules({ ignore: ["/a/b", "/c/*/d"] });
    expect(nodeAt(rules, "/x")).toBeNull();
    expect(nodeAt(rules, "/c/1/d")?.rule.ignored).toBe(true);
    expect(nodeAt(rules, "/c/1/e")).toBeNull();
  });

  it("agrees with the pointer matcher", () => {
    const patterns = ["", "/a", "/a/*", "/**", "/a/**", "/**/b", "/a/**/b/*", "/*/~1/**/x~0", "/a/b/a/b"];
    const parts = ["a", "b", "/", "x~"];
    const paths: string[][] = [[]];
    for (let at = 0; paths.length < 1365; at++) for (const part of parts) paths.push([...(paths[at] ?? []), part]);
    for (const pattern of patterns) {
      const rules = compileRules({ ignore: [pattern] });
      const matcher = pointerMatcher([pattern]);
      for (const path of paths) {
        const node = path.reduce<RuleNode | null>((at, part) => at?.child(part) ?? null, rules);
        expect(node?.rule.ignored ?? false, `${pattern} at ${path.join(" ")}`).toBe(matcher.matches(path));
      }
    }
  });
});
