import { z } from "zod";
import { factSchema } from "../suite/fact.ts";
import { stateRulesSchema, suites, tiers } from "../suite/schema.ts";
import { snapshotSchema } from "./snapshot.ts";
import { stopReasons } from "./trajectory.ts";

const stopSchema = z.strictObject({
  reason: z.enum(stopReasons),
  detail: z.string(),
  code: z.string().optional().describe("of the error behind it, for `model`"),
});

/** Another end that is as right as the reference's own, or would be at another moment. */
const otherEndSchema = z.strictObject({
  id: z.string(),
  end: snapshotSchema.nullable().describe("null if its steps could not be followed"),
  facts: z.array(factSchema),
});
export type StoredEnd = z.infer<typeof otherEndSchema>;

/** All that graders look at beside the trajectories: plain data, so that a stored episode can be graded again. */
export const storedEvidenceSchema = z.strictObject({
  query: z.strictObject({ id: z.string(), text: z.string(), tier: z.enum(tiers), suite: z.enum(suites) }),
  rules: stateRulesSchema.describe("without expressions"),
  stateScored: z.boolean().describe("false if no server of the episode has a state"),
  mask: z
    .strictObject({ reference: z.string(), tested: z.string() })
    .nullable()
    .describe("the folder of each side, which may stand in texts"),
  before: snapshotSchema.nullable(),
  reference: z.strictObject({
    end: snapshotSchema.nullable(),
    facts: z.array(factSchema),
    stop: stopSchema,
    deviations: z.array(z.string()).optional().describe("where a model that played the reference left the plan"),
    goals: z.array(z.strictObject({ text: z.string(), holds: z.boolean(), error: z.string().optional() })),
  }),
  variants: z.array(otherEndSchema).describe("ends of the plan's variants"),
  alternatives: z.array(otherEndSchema).describe("the reference again, after the tested side ended"),
  tested: z.strictObject({
    end: snapshotSchema.nullable(),
    answer: z.string().nullable(),
    stop: stopSchema,
    diesAgain: z.boolean().nullable().describe("whether the call under which a server died kills it again"),
  }),
  failure: z
    .strictObject({
      code: z.string(),
      message: z.string(),
      server: z.string().nullable(),
      side: z.enum(["reference", "tested"]).nullable(),
    })
    .nullable()
    .describe("what kept the episode from being run or compared"),
});
export type StoredEvidence = Readonly<z.infer<typeof storedEvidenceSchema>>;
