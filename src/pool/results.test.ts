import { describe, expect, it } from "vitest";
import { sandboxAnswer, thirdPartyAnswer } from "./results.ts";

const text = (value: string) => ({ type: "text", text: value });

describe("thirdPartyAnswer", () => {
  it("takes structured content as the value, else the text as JSON, else the text", () => {
    expect(thirdPartyAnswer({ content: [text("two")], structuredContent: { n: 2 } })).toMatchObject({
      outcome: "ok",
      text: "two",
      value: { n: 2 },
    });
    expect(thirdPartyAnswer({ content: [text('{"n":'), text("2}")] }).value).toEqual({ n: 2 });
    expect(thirdPartyAnswer({ content: [text("two")] }).value).toBe("two");
  });

  it("shows structured content where there is no text, and never nothing", () => {
    expect(thirdPartyAnswer({ content: [], structuredContent: { n: 1 } }).text).toBe('{"n":1}');
    expect(thirdPartyAnswer({ content: [] }).text).toBe("(the tool returned nothing)");
    expect(thirdPartyAnswer(null).text).toBe("(the tool returned nothing)");
    expect(thirdPartyAnswer({ toolResult: 5 }).text).toBe('{"toolResult":5}');
    expect(thirdPartyAnswer({ content: [{ type: "text", text: null }, { type: "hologram" }] }).text).toBe("[hologram]");
  });

  it("keeps the error mark, whatever else the result holds", () => {
    expect(
      thirdPartyAnswer({ isError: true, structuredContent: { ok: false }, content: [text("boom")] }),
    ).toMatchObject({
      outcome: "refused",
      text: "boom",
    });
    expect(thirdPartyAnswer({ isError: true, content: [text('{"a":1}')] }).value).toBe('{"a":1}');
  });

  it("inlines text resources and stands in for what is no text", () => {
    const answer = thirdPartyAnswer({
      content: [
        text("saved"),
        { type: "resource", resource: { uri: "f:///a", mimeType: "text/plain", text: "BODY" } },
        { type: "resource", resource: { uri: "f:///b", mimeType: "application/zip", blob: "AAAA" } },
        { type: "image", mimeType: "image/png", data: "AAAAAAAA" },
        { type: "resource_link", uri: "f:///c", name: "c" },
      ],
    });
    expect(answer.text.split("\n")).toEqual([
      "saved",
      "BODY",
      "[resource, application/zip, 3 bytes, f:///b]",
      "[image, image/png, 6 bytes]",
      "[resource link, c, f:///c]",
    ]);
  });

  it("replaces lone surrogates in text and value, and leaves pairs alone", () => {
    const answer = thirdPartyAnswer({
      content: [text("a\ud83c b \u{1F389}")],
      structuredContent: { "k\udf89": ["\ud83c"] },
    });
    expect(answer.text).toBe("a\uFFFD b \u{1F389}");
    expect(answer.value).toEqual({ "k\uFFFD": ["\uFFFD"] });
  });
});

describe("sandboxAnswer", () => {
  const result = (status: string, output: unknown, writes: unknown = []) => ({
    content: [text(JSON.stringify({ status, output }))],
    structuredContent: { status, output },
    isError: status !== "ok",
    _meta: { "tandem/writes": writes },
  });

  it("reads the envelope", () => {
    expect(sandboxAnswer(result("ok", [1], ["/A/x", 7]))).toMatchObject({
      outcome: "ok",
      value: [1],
      writes: ["/A/x"],
    });
    expect(sandboxAnswer(result("failed", "no"))).toMatchObject({ outcome: "refused", value: "no" });
    expect(sandboxAnswer(result("internal error", "no")).outcome).toBe("transient");
  });

  it("does not take a result without an envelope for a success of the sandbox", () => {
    expect(sandboxAnswer({ isError: true, content: [text("boom")] })).toMatchObject({
      outcome: "refused",
      value: "boom",
    });
  });
});
