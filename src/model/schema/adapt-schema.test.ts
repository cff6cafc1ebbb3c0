import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../base/json.ts";
import { adaptSchema } from "./adapt-schema.ts";
import { adaptTools } from "./adapt-tools.ts";

/** A validator that checks schemas themselves, as endpoints do. */
const ajv = () => new Ajv2020({ strict: false, validateSchema: true, addUsedSchema: false, validateFormats: false });

const scalar = fc.constantFrom(
  { type: "string" },
  { type: ["integer", "null"] },
  { enum: ["", "a", 1] },
  { const: 2 },
  { type: "number", minimum: 0, exclusiveMinimum: true },
  { type: "text" },
  { $ref: "#/$defs/Loop" },
  { $ref: "#/$defs/Kind", description: "kind" },
  { $ref: "#/none" },
  true,
);
const name = fc.constantFrom("a", "b", "type", "$ref", "properties", "__proto__");
const { schema } = fc.letrec((tie) => ({
  part: fc.oneof({ maxDepth: 3 }, scalar, tie("schema"), fc.record({ type: fc.constant("array"), items: tie("part") })),
  schema: fc.record(
    {
      type: fc.constant("object"),
      properties: fc.dictionary(name, tie("part"), { maxKeys: 3 }),
      required: fc.uniqueArray(name, { maxLength: 2 }),
      anyOf: fc.array(tie("part"), { maxLength: 2 }),
      oneOf: fc.array(tie("part"), { maxLength: 2 }),
      allOf: fc.array(tie("part"), { maxLength: 2 }),
      additionalProperties: tie("part"),
      not: tie("part"),
    },
    { requiredKeys: [] },
  ),
}));
const $defs = {
  Kind: { type: "string", enum: ["x"] },
  Loop: { type: "object", properties: { next: { $ref: "#/$defs/Loop" }, root: { $ref: "#" } } },
};

fc.configureGlobal({ seed: 1 });

describe("adaptSchema", () => {
  it.each(["standard", "strict"] as const)(
    "gives a valid object schema for anything, and leaves its input alone (%s)",
    (profile) => {
      fc.assert(
        fc.property(schema as fc.Arbitrary<JsonObject>, (given) => {
          const input = { ...given, $defs } as JsonObject;
          const text = JSON.stringify(input);
          const { parameters, notices } = adaptSchema(input, profile);
          expect(JSON.stringify(input)).toBe(text);
          expect(notices).not.toContain("its schema cannot be read, so it is offered without one");
          expect(parameters.type).toBe("object");
          for (const refused of ["anyOf", "oneOf", "allOf", "not", "enum", "$ref"])
            expect(parameters).not.toHaveProperty(refused);
          expect(() => ajv().compile(parameters)).not.toThrow();
          if (profile === "strict") expect(JSON.stringify(parameters)).not.toMatch(/"(oneOf|allOf|const)":[[{]/);
        }),
      );
    },
  );

  it("does not blow up where references multiply", () => {
    const levels = Array.from({ length: 24 }, (_, n) => [
      `L${n}`,
      { type: "object", properties: { a: { $ref: `#/$defs/L${n + 1}` }, b: { $ref: `#/$defs/L${n + 1}` } } },
    ]);
    const given = {
      type: "object",
      properties: { a: { $ref: "#/$defs/L0" } },
      $defs: { ...Object.fromEntries(levels), L24: {} },
    };
    for (const profile of ["standard", "strict"] as const) {
      const { parameters } = adaptSchema(given, profile);
      expect(JSON.stringify(parameters).length).toBeLessThan(200_000);
      expect(() => ajv().compile(parameters)).not.toThrow();
    }
  });

  it("offers a tool whose schema is too deep without one", () => {
    let deep: JsonObject = { type: "string" };
    for (let n = 0; n < 50_000; n++) deep = { type: "array", items: deep };
    const { parameters, notices } = adaptSchema({ type: "object", properties: { deep } }, "strict");
    expect(parameters).toEqual({ type: "object", properties: {} });
    expect(notices).toEqual(["its schema cannot be read, so it is offered without one"]);
  });
});

describe("adaptTools", () => {
  it("rewrites a tool once", () => {
    const tool = { name: "a", description: "", inputSchema: { anyOf: [{ properties: { a: {} } }] } };
    const [first] = adaptTools([tool], "standard", 1).tools;
    expect(adaptTools([tool], "standard", 1).tools[0]).toBe(first);
    expect(adaptTools([tool], "as-is", 1).tools[0]?.parameters).toBe(tool.inputSchema);
  });

  it("keeps a name that fits although another one would become it", () => {
    const tools = ["a.b", "a_b", "a_b"].map((name) => ({ name, description: "", inputSchema: {} }));
    const names = adaptTools(tools, "standard", 3).tools.map(({ name }) => name);
    expect(names[1]).toBe("a_b");
    expect(new Set(names).size).toBe(3);
  });
});
