import { describe, expect, it } from "vitest";
import { cut, markdownBlock, markdownCode, markdownText, oneLine, visibleText } from "./escape.ts";

describe("visibleText", () => {
  it("lets no control character through but line breaks and tabs", () => {
    expect(visibleText("a\u001b[31mred\u001b[0m\u0007\r\nb\tc\rd")).toBe(
      "a\\u{1b}[31mred\\u{1b}[0m\\u{7}\nb\tc\\u{d}d",
    );
    expect(visibleText("\u009b2J\u007f")).toBe("\\u{9b}2J\\u{7f}");
  });

  it("shows what hides or turns text", () => {
    expect(visibleText("a\u202eb\u200bc\u{e0041}\ud800")).toBe("a\\u{202e}b\\u{200b}c\\u{e0041}\\u{d800}");
  });

  it("leaves other scripts and pictures alone", () => {
    expect(visibleText("Zürich 東京 🍇 τ-bench")).toBe("Zürich 東京 🍇 τ-bench");
  });
});

describe("oneLine and cut", () => {
  it("folds blanks", () => {
    expect(oneLine("  a\n\n b\tc ")).toBe("a b c");
  });

  it("cuts between characters", () => {
    expect(cut("abcdef", 6)).toBe("abcdef");
    expect(cut("abcdef", 4)).toBe("abc…");
    expect(cut("🍇🍇🍇", 2)).toBe("🍇…");
    expect(cut("🍇🍇🍇", 3)).toBe("🍇🍇🍇");
    expect(cut("x".repeat(100_000), 3)).toBe("xx…");
    expect(cut("abc", 0)).toBe("");
  });
});

describe("markdown", () => {
  it.each([
    ["a|b", "a\\|b"],
    ["<img src=x onerror=1>", "\\<img src=x onerror=1\\>"],
    ["[x](http://evil.test)", "\\[x\\](http\\://evil.test)"],
    ["see www.evil.test: 1.5 all", "see www\\.evil.test: 1.5 all"],
    ["# head", "\\# head"],
    ["- item\n- item", "\\- item - item"],
    ["1. one", "1\\. one"],
    ["1.5% at 10:00", "1.5% at 10:00"],
    ["**b** `c` &lt;", "\\*\\*b\\*\\* \\`c\\` \\&lt;"],
  ])("%j is plain words", (text, expected) => {
    expect(markdownText(text)).toBe(expected);
  });

  it("keeps a code span closed", () => {
    expect(markdownCode("/a/b_c")).toBe("`/a/b_c`");
    expect(markdownCode("a``b|c")).toBe("``` a``b\\|c ```");
    expect(markdownCode("")).toBe("`  `");
  });

  it("keeps a block closed", () => {
    expect(markdownBlock("x\n````\ny", "json")).toBe("`````json\nx\n````\ny\n`````");
  });
});
