import { z } from "zod";
import type { Json } from "../base/json.ts";

/** The state of all state-scored servers of one side at one moment. */
export const snapshotSchema = z.strictObject({
  /** State by server name; each is a nested object. Sandbox states are shared with the world, never copied. */
  servers: z.record(z.string(), z.custom<Json>()),
  /** Ids that sandbox servers made since the start. */
  minted: z.array(z.string()),
  /** JSON Pointer patterns, from the server name on, of what never counts: timestamps, passwords, network switches. */
  volatile: z.array(z.string()),
  /** World time of the snapshot, or null without a sandbox. */
  worldTime: z.string().nullable(),
});
export type Snapshot = Readonly<z.infer<typeof snapshotSchema>>;
