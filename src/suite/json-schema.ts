import { z } from "zod";
import type { JsonObject } from "../base/json.ts";
import { planSchema, querySchema } from "./schema.ts";

/** JSON Schemas (draft 2020-12) of query and plan files, for editors. */
export function suiteJsonSchemas(): { readonly query: JsonObject; readonly plan: JsonObject } {
  return { query: jsonSchemaOf(querySchema, "A query of Tandem"), plan: jsonSchemaOf(planSchema, "A plan of Tandem") };
}

function jsonSchemaOf(schema: z.ZodType, title: string): JsonObject {
  const made: JsonObject = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: "input" })));
  return { title, ...made };
}
