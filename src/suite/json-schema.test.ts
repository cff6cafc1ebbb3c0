import { readFileSync, writeFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { suiteJsonSchemas } from "./json-schema.ts";

const schemas = suiteJsonSchemas();
const fileOf = (path: string) => new URL(`../../${path}`, import.meta.url);
const fixture = (path: string): unknown => parse(readFileSync(fileOf(`test/fixtures/suite/${path}`), "utf8"));

describe.each([
  ["query", schemas.query, "queries/sandbox/count-unread.yaml"],
  ["plan", schemas.plan, "plans/count-unread.yaml"],
] as const)("the JSON Schema of a %s", (name, schema, example) => {
  const file = fileOf(`schemas/${name}.schema.json`);

  // After a change of src/suite/schema.ts: UPDATE_SCHEMAS=1 npx vitest run src/suite/json-schema.test.ts
  it("is the one in schemas/", () => {
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    if (process.env.UPDATE_SCHEMAS === "1") writeFileSync(file, text);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("accepts a sound file and refuses an unknown field", () => {
    const validate = new Ajv2020({ strict: false }).compile(schema);
    const value = fixture(example);
    expect(validate(value)).toBe(true);
    expect(validate({ ...Object(value), teir: 1 })).toBe(false);
  });
});
