import { describe, expect, it } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { checkArguments } from "./arguments.ts";

const schema: JsonObject = {
  type: "object",
  properties: {
    path: { type: "string" },
    count: { type: "integer", minimum: 1 },
    mode: { enum: ["a", "b"] },
    when: { type: "string", format: "date" },
    inner: { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
  },
  required: ["path"],
  additionalProperties: false,
};

describe("checkArguments", () => {
  it("lets fitting arguments pass", () => {
    expect(checkArguments(schema, { path: "a", count: 2, mode: "b", when: "2026-02-03", inner: { x: 1 } })).toBeNull();
  });

  it("names each parameter that does not fit", () => {
    const text = checkArguments(schema, { count: 0, mode: "c", when: "soon", inner: {}, extra: 1 });
    for (const part of [
      '"path" is missing',
      "count: must be >= 1",
      'mode: must be one of "a","b"',
      "when: must match format",
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toContain('inner: "x" is missing');
    expect(text).toContain('"extra" is no parameter');
  });

  it("refuses what is no object", () => {
    expect(checkArguments(schema, null)).toContain("not null");
    expect(checkArguments(schema, [])).toContain("not a list");
    expect(checkArguments({}, "")).toContain("not a string");
  });

  it("knows both dialects by $schema", () => {
    const tuple = { type: "array", items: [{ type: "string" }], additionalItems: false };
    const old: JsonObject = { $schema: "http://json-schema.org/draft-07/schema#", properties: { t: tuple } };
    expect(checkArguments(old, { t: ["a"] })).toBeNull();
    expect(checkArguments(old, { t: ["a", "b"] })).toContain("t: must NOT have more than 1 items");
    const recent: JsonObject = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      properties: { t: { type: "array", prefixItems: [{ type: "string" }], items: false } },
    };
    expect(checkArguments(recent, { t: ["a", "b"] })).toContain("t: must NOT have more than 1 items");
  });

  it("allows all where a schema cannot be compiled, and copes with one $id in two schemas", () => {
    expect(checkArguments({ properties: { x: { $ref: "#/$defs/none" } } }, { x: 1 })).toBeNull();
    expect(checkArguments({ properties: { x: { type: "string", pattern: "(" } } }, { x: "a" })).toBeNull();
    expect(checkArguments({ $id: "https://x.test/a", required: ["x"] }, { x: 1 })).toBeNull();
    expect(checkArguments({ $id: "https://x.test/a", required: ["y"] }, { x: 1 })).toContain('"y" is missing');
  });
});
