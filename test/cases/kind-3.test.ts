// Kind 3: tool schemas as endpoints accept them. One test per case, named by its id.
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/base/json.ts";
import type { SchemaProfile } from "../../src/config/project-schema.ts";
import { adaptTools } from "../../src/model/schema/adapt-tools.ts";
import { blamedTool } from "../../src/model/schema/blame.ts";
import { lenientArguments } from "../../src/model/schema/lenient-arguments.ts";
import { checkArguments } from "../../src/pool/arguments.ts";

/** A tool as one endpoint gets it; the schema that came in is frozen, so that a change of it would throw. */
function adapt(inputSchema: JsonObject, profile: SchemaProfile = "standard") {
  const described = { name: "find", description: "Finds.", inputSchema: frozen(inputSchema) };
  const { tools, notices } = adaptTools([described], profile, 128);
  const [tool] = tools;
  if (tool === undefined) throw new Error("no tool");
  return { ...tool, notices };
}

function frozen<T extends Json>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

const URL_OR_ID: JsonObject = {
  type: "object",
  anyOf: [
    { properties: { url: { type: "string" } }, required: ["url"] },
    { properties: { id: { type: "integer" } }, required: ["id"] },
  ],
};

describe("kind 3: tool schemas", () => {
  it("C70 a combinator at the root becomes one object, and its rule a sentence", () => {
    const { type: _, ...untyped } = URL_OR_ID;
    for (const schema of [URL_OR_ID, untyped]) {
      const { parameters, description, notices } = adapt(schema);
      expect(parameters).toEqual({
        type: "object",
        properties: { url: { type: "string" }, id: { type: "integer" } },
      });
      expect(description).toBe("Finds. The arguments must fit at least one of: url; id.");
      expect(notices).toEqual(["find: branches at the root of its schema are merged into one object"]);
    }
    expect(checkArguments(URL_OR_ID, { note: "neither" })).toContain('"url" is missing');
    expect(checkArguments(URL_OR_ID, { id: 4 })).toBeNull();

    const all = adapt({
      allOf: [
        { properties: { kind: { enum: ["file", "page"] } }, required: ["kind"] },
        { properties: { size: { type: "number" } } },
      ],
      if: { properties: { kind: { const: "page" } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { page: { type: "integer" } }, required: ["page"] },
    });
    expect(all.parameters).toEqual({
      type: "object",
      properties: { kind: { enum: ["file", "page"] }, size: { type: "number" }, page: { type: "integer" } },
      required: ["kind"],
    });
    expect(all.description).toContain('"required":["page"]');

    const either = adapt({
      oneOf: [
        { properties: { by: { const: "name" }, name: { type: "string" } }, required: ["by", "name"] },
        { properties: { by: { const: "age" }, age: { type: "number" } }, required: ["by", "age"] },
      ],
      not: { required: ["nothing"] },
    });
    expect(either.parameters).toEqual({
      type: "object",
      properties: { by: { enum: ["name", "age"] }, name: { type: "string" }, age: { type: "number" } },
      required: ["by"],
    });
    expect(either.description).toContain('exactly one of: by = "name", name; by = "age", age.');
    expect(adapt({ type: "string", enum: ["a"] }).parameters).toEqual({ type: "object", properties: {} });
    expect(adapt({}).parameters).toEqual({ type: "object", properties: {} });
  });

  it.each(["$defs", "definitions"])("C71 what a reference into %s names is seen by the model", (place) => {
    const { parameters, notices } = adapt({
      type: "object",
      properties: {
        k: { $ref: `#/${place}/Kind`, description: "which kind" },
        lost: { $ref: "#/nowhere", description: "names nothing" },
        far: { $ref: "https://x.invalid/s#/a" },
      },
      required: ["k"],
      additionalProperties: false,
      [place]: { Kind: { type: "string", enum: ["a", "b"], description: "a kind" } },
    });
    expect(parameters).toEqual({
      type: "object",
      properties: {
        k: { type: "string", enum: ["a", "b"], description: "which kind" },
        lost: { description: "names nothing" },
        far: {},
      },
      required: ["k"],
      additionalProperties: false,
    });
    expect(notices).toEqual([
      "find: #/nowhere names nothing, so any value is allowed in its place",
      "find: https://x.invalid/s#/a names nothing, so any value is allowed in its place",
    ]);
  });

  it("C71 a reference that leads back to itself is kept, and cut for a strict endpoint", () => {
    const tree: JsonObject = {
      $ref: "#/definitions/Tree",
      definitions: {
        Tree: {
          type: "object",
          properties: { name: { type: "string" }, parts: { type: "array", items: { $ref: "#/definitions/Tree" } } },
        },
      },
    };
    const kept = adapt(tree);
    expect(JSON.stringify(kept.parameters)).not.toContain("definitions");
    const validate = new Ajv2020({ strict: true }).compile(kept.parameters);
    expect(validate({ name: "a", parts: [{ name: "b", parts: [] }] })).toBe(true);
    expect(validate({ name: "a", parts: [{ name: "b", parts: [{ name: 3 }] }] })).toBe(false);
    const strict = adapt(tree, "strict");
    expect(JSON.stringify(strict.parameters)).not.toContain("$ref");
    expect(strict.notices).toContain("find: what #/definitions/Tree names is cut where it repeats itself");
    for (const endless of [{ $ref: "#" }, { $ref: "#/a", a: { $ref: "#/b" }, b: { $ref: "#/a" } }]) {
      for (const profile of ["standard", "strict"] as const)
        expect(adapt(endless, profile).parameters.type).toBe("object");
    }
  });

  it.each(["standard", "strict", "as-is"] as const)(
    "C73 a property named like a keyword is a property (%s)",
    (profile) => {
      const schema: JsonObject = {
        type: "object",
        properties: {
          type: { type: "string" },
          format: { type: "string" },
          default: { type: "number" },
          properties: { type: "object", properties: { $schema: { type: "string" } } },
          $ref: { type: "string" },
          const: { type: "string" },
          $defs: { type: "string" },
          anyOf: { type: "number" },
          additionalProperties: { type: "boolean" },
        },
        required: ["type", "$ref"],
      };
      expect(adapt(schema, profile)).toMatchObject({ parameters: schema, notices: [] });
    },
  );

  it("C73 a property without a schema is left out with a notice", () => {
    const { parameters, notices } = adapt({
      properties: { type: "object", ok: true } as JsonObject,
      required: ["type"],
    });
    expect(parameters).toEqual({ type: "object", properties: { ok: {} } });
    expect(notices).toEqual(['find: the property "type" has no schema, so it is left out']);
    expect(adapt({ type: "object", properties: [] }).parameters).toEqual({ type: "object", properties: {} });
  });

  it("C74 drafts, and all shapes of additionalProperties", () => {
    const drafts = [
      "http://json-schema.org/draft-04/schema#",
      "http://json-schema.org/draft-07/schema#",
      "https://json-schema.org/draft/2019-09/schema",
      "https://json-schema.org/draft/2020-12/schema",
      "http://x.invalid/s",
    ];
    for (const $schema of drafts) {
      const schema = {
        $schema,
        $id: "https://x.invalid/find",
        type: "object",
        properties: { n: { type: "number", minimum: 0, exclusiveMinimum: true } },
      };
      expect(adapt(schema).parameters).toEqual({
        type: "object",
        properties: { n: { type: "number", exclusiveMinimum: 0 } },
      });
      expect(() => checkArguments(schema, { n: 1 })).not.toThrow();
    }
    for (const additionalProperties of [true, false, {}, { type: "string" }]) {
      const schema = { type: "object", properties: {}, additionalProperties };
      expect(adapt(schema).parameters).toEqual(schema);
      expect(adapt(schema, "strict").parameters).not.toHaveProperty("additionalProperties");
    }
    const tuple = adapt({
      type: "object",
      properties: { at: { type: "array", items: [{ type: "number" }, { type: "string" }], additionalItems: false } },
    });
    expect(tuple.parameters.properties).toEqual({
      at: {
        type: "array",
        items: { anyOf: [{ type: "number" }, { type: "string" }] },
        maxItems: 2,
        description: 'Items in order: [{"type":"number"},{"type":"string"}].',
      },
    });
  });

  it("C76 enumerations, constants and formats: left alone for most endpoints, told in words to strict ones", () => {
    const properties: JsonObject = {
      none: { enum: [] },
      blank: { enum: [""] },
      some: { type: "string", enum: ["", "a"] },
      share: { enum: [0.25, 0.75] },
      yes: { enum: [true] },
      nil: { enum: [null] },
      three: { const: 3 },
      big: { type: "integer", format: "uint64", exclusiveMinimum: 0, multipleOf: 5 },
      word: { type: "string", pattern: "(?<!a)b" },
      maybe: { type: ["string", "null"], enum: ["a", null], description: "One." },
    };
    const schema = { type: "object", properties };
    expect(adapt(schema)).toMatchObject({ parameters: schema, notices: [] });
    const strict = adapt(schema, "strict");
    expect(strict.parameters.properties).toMatchObject({
      blank: { type: "string", description: '(enum: [""])' },
      some: { type: "string", description: '(enum: ["","a"])' },
      share: { type: "number", description: "(enum: [0.25,0.75])" },
      yes: { type: "boolean", description: "(enum: [true])" },
      nil: { type: "null" },
      three: { type: "number", description: "(const: 3)" },
      big: { type: "integer", description: '(format: "uint64", exclusiveMinimum: 0, multipleOf: 5)' },
      word: { type: "string", description: '(pattern: "(?<!a)b")' },
      maybe: { description: "One.", anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }] },
    });
    expect(keywordsIn(strict.parameters)).toEqual(
      new Set(["type", "properties", "description", "enum", "anyOf", "items"]),
    );
    expect(strict.notices).toEqual([
      "find: said in descriptions alone: enum, const, format, exclusiveMinimum, multipleOf, pattern",
    ]);
  });

  it("C76 a refused request is traced to its tool, by its place or its name", () => {
    const offered = ["read_file", "get", "list_items", "get_item"].map((name) => ({
      name,
      description: "",
      inputSchema: {},
    }));
    const { tools } = adaptTools(offered, "standard", 128);
    const blamed = (message: string) => blamedTool(message, tools);
    expect(blamed("Invalid schema. tools[2].function.parameters")).toBe("list_items");
    expect(blamed("tools.3.custom.input_schema: JSON schema is invalid")).toBe("get_item");
    expect(blamed("GenerateContentRequest.tools[0].function_declarations[1].parameters: enum: cannot be empty")).toBe(
      "get",
    );
    expect(blamed("Invalid schema for function 'get': [] is too short")).toBe("get");
    expect(blamed("Invalid schema for function get_item: [] is too short")).toBe("get_item");
    expect(blamed("Could not get an answer")).toBeNull();
    expect(blamed("tools[9] is too long")).toBeNull();
    expect(blamed("get_item or list_items")).toBeNull();
  });

  it("C77 more tools than the endpoint takes: told before anything is sent", () => {
    const tools = Array.from({ length: 130 }, (_, n) => ({
      name: `s${n % 5}_tool_${n}`,
      description: "",
      inputSchema: {},
    }));
    expect(() => adaptTools(tools, "standard", 128)).toThrow(
      expect.objectContaining({
        code: "config.too-many-tools",
        message: "130 tools are offered, but the model's endpoint takes 128 at most",
        details: { count: 130, limit: 128 },
        hint: expect.stringMatching(/rag:K.*--pool-size.*maxTools/),
      }),
    );
    expect(adaptTools(tools, "standard", 130).tools).toHaveLength(130);
  });

  it("C77 names that no endpoint takes are rewritten and mapped back", () => {
    const names = ["fine", "a.b", "a/b", "x".repeat(65), `${"x".repeat(64)}y`, "", "größe"];
    const described = names.map((name) => ({ name, description: "", inputSchema: {} }));
    const { tools, original, notices } = adaptTools(described, "as-is", 128);
    const sent = tools.map(({ name }) => name);
    expect(new Set(sent).size).toBe(names.length);
    for (const name of sent) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(sent.map(original)).toEqual(names);
    expect(original("a.b")).toBeUndefined();
    expect(notices).toHaveLength(6);
  });

  it("C79 null for an optional parameter is left out by the lenient rule alone", () => {
    const schema: JsonObject = {
      type: "object",
      properties: {
        q: { type: "string" },
        limit: { type: "number" },
        note: { type: ["string", "null"] },
        tag: { type: "string" },
        filter: { $ref: "#/$defs/Filter" },
        ids: { type: "array", items: { type: "number" } },
        body: { anyOf: [{ type: "string" }, { type: "object" }] },
      },
      required: ["q"],
      $defs: { Filter: { type: "object" } },
    };
    const written = { q: null, limit: null, note: null, tag: "", filter: null, other: null };
    expect(lenientArguments(schema, written)).toEqual({
      args: { q: null, note: null, tag: "", other: null },
      changes: [
        'null for the optional parameter "limit" left out',
        'null for the optional parameter "filter" left out',
      ],
    });
    const texts = { q: "[1]", ids: "[1, 2]", filter: '{"a":1}', body: '{"a":1}', limit: "5" };
    expect(lenientArguments(schema, texts)).toEqual({
      args: { ...texts, ids: [1, 2], filter: { a: 1 } },
      changes: ['JSON text for "ids" parsed', 'JSON text for "filter" parsed'],
    });
    for (const left of [{ ids: "[1, 2" }, { ids: '{"a":1}' }, { filter: "[1]" }, { ids: "1, 2" }]) {
      expect(lenientArguments(schema, left)).toEqual({ args: left, changes: [] });
    }
  });
});

/** The keywords of a schema and of all schemas in it; property names are none. */
function keywordsIn(schema: JsonObject): Set<string> {
  const inner = (value: Json | undefined): Json[] =>
    typeof value === "object" && value !== null ? Object.values(value) : [];
  const { properties, items, anyOf } = schema;
  const parts = [...inner(properties), ...(items === undefined ? [] : [items]), ...inner(anyOf)];
  return new Set([...Object.keys(schema), ...parts.flatMap((part) => [...keywordsIn(part as JsonObject)])]);
}
