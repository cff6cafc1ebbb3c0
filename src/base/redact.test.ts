import { describe, expect, it } from "vitest";
import { REDACTED, redactor } from "./redact.ts";

describe("redactor", () => {
  const secret = 'hunter"2/ü+key';
  const clean = redactor([secret, "abc"]);

  it("replaces a known value in plain, JSON and URL form", () => {
    expect(clean(`a ${secret} b`)).toBe(`a ${REDACTED} b`);
    expect(clean(JSON.stringify({ key: secret }))).toBe(`{"key":"${REDACTED}"}`);
    expect(clean(`https://h.test/?k=${encodeURIComponent(secret)}&x=1`)).toBe(`https://h.test/?k=${REDACTED}&x=1`);
  });

  it("replaces a known value in base64, at every shift", () => {
    for (const before of ["", "u", "us", "user:"]) {
      for (const alphabet of ["base64", "base64url"] as const) {
        const encoded = Buffer.from(`${before}${secret} tail`).toString(alphabet);
        expect(clean(encoded)).toContain(REDACTED);
        expect(clean(encoded)).not.toContain(Buffer.from(secret).toString(alphabet).slice(4, 12));
      }
    }
  });

  it("replaces what looks like a token, and keeps the scheme", () => {
    expect(clean("Authorization: Bearer abcdef.123456")).toBe(`Authorization: Bearer ${REDACTED}`);
    for (const token of [
      `sk-${"a1".repeat(12)}`,
      `ghp_${"A1".repeat(18)}`,
      "xoxb-1234567890-abc",
      "AKIAABCDEFGHIJKLMNOP",
    ]) {
      expect(clean(`token=${token};`)).toBe(`token=${REDACTED};`);
    }
  });

  it("takes the longest of two values that overlap", () => {
    expect(redactor(["secret-part", "secret-part-and-more"])("x secret-part-and-more y")).toBe(`x ${REDACTED} y`);
  });

  it("leaves ordinary text and short values alone", () => {
    const text = "abc: the bearer certificate of this letter asked for task-list 7 at example.com";
    expect(clean(text)).toBe(text);
    expect(redactor([])(text)).toBe(text);
  });
});
