import { z } from "zod";

const MAX_TIMER_MS = 2 ** 31 - 1;

const text = z.string().min(1);
const seconds = z
  .union([z.number(), z.string(), z.null()])
  .describe("seconds; what is not above 0 means the default, and too much for a timer means its largest value");

/** How a third-party server's state becomes a nested object. */
export const stateProbeSchema = z.discriminatedUnion("probe", [
  z.strictObject({
    probe: z.literal("files"),
    root: text.describe("folder whose files are the state, usually ${workdir}"),
  }),
  z.strictObject({
    probe: z.literal("json"),
    file: text.describe("JSON file, or JSON Lines, that holds the state"),
  }),
]);
export type StateProbe = z.infer<typeof stateProbeSchema>;

const commandSchema = z.strictObject({
  command: text.describe("program to run; it ends with 0 when the account is as new"),
  args: z.array(z.string()).default([]),
});
export type ResetCommand = z.infer<typeof commandSchema>;

/** One entry of `mcpServers`, as people write it. Keys of other programs are allowed and ignored. */
export const serverEntrySchema = z.looseObject({
  type: z
    .enum(["sandbox", "stdio", "http", "streamable-http", "streamableHttp", "sse"])
    .optional()
    .describe("by default stdio where there is a command, http where there is a url"),
  command: text.optional().describe("program of a stdio server"),
  args: z.array(z.string()).optional().describe("its arguments"),
  env: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
    .optional()
    .describe("its variables, beside PATH, HOME and the like; nothing else is passed on"),
  cwd: text
    .optional()
    .describe("its working folder; a relative one starts at the folder of this file; default: ${workdir}"),
  url: text.optional().describe("address of an http or sse server"),
  serverUrl: text.optional().describe("same as url"),
  httpUrl: text.optional().describe("same as url"),
  headers: z.record(z.string(), z.string()).optional().describe("headers of every request"),
  isolation: z
    .enum(["side", "shared"])
    .optional()
    .describe("side: each side has its own; shared: both sides meet on one account"),
  tools: z.array(text).optional().describe("names or globs (* and ?) of the tools to offer; default: all"),
  state: stateProbeSchema.optional().describe("where the server's state is read for scoring"),
  timeout: seconds.optional().describe("seconds that a call may take without progress, 30 by default"),
  startTimeout: seconds.optional().describe("seconds until the server must be ready, 20 by default"),
  optional: z.boolean().optional().describe("true: a run goes on without the server if it does not start"),
  reset: commandSchema.optional().describe("command that makes a remote account as new, run before a side starts"),
  disabled: z.boolean().optional().describe("true: never started"),
  enabled: z.boolean().optional().describe("false: same as disabled"),
});
export type ServerEntry = z.infer<typeof serverEntrySchema>;

/** The keys that {@link serverEntrySchema} knows. */
export const knownEntryKeys: ReadonlySet<string> = new Set(Object.keys(serverEntrySchema.shape));

/**
 * A time of the file in milliseconds that a timer can keep.
 * @returns `defaultSeconds` if `value` is not a number of seconds above 0
 */
export function timeoutMs(value: number | string | null | undefined, defaultSeconds: number): number {
  const given = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  const usable = typeof given === "number" && given > 0 ? given : defaultSeconds;
  return Math.max(1, Math.min(usable * 1000, MAX_TIMER_MS));
}
