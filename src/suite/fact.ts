import { z } from "zod";
import type { Json } from "../base/json.ts";

/** How a fact's value is compared with what an answer states. */
export const compareKinds = ["number", "text", "date", "set", "list", "boolean"] as const;
export type CompareKind = (typeof compareKinds)[number];

/** A value that a right answer must state, as the reference found it. */
export const factSchema = z.strictObject({
  name: z.string(),
  value: z.custom<Json>((value) => value !== undefined),
  compare: z.enum(compareKinds),
  within: z.number().nonnegative().describe("largest difference of a number that still counts; 0 is exact"),
  foils: z
    .array(z.custom<Json>((value) => value !== undefined))
    .describe("values that only a careless answer would state"),
});
export type Fact = z.infer<typeof factSchema>;
