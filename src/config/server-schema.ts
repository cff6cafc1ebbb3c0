import { z } from "zod";

const MAX_TIMER_MS = 2 ** 31 - 1;

const text = z.string().min(1);
const seconds = z
  // Not z.number(): a file may say 1e400, which reads as infinity.
  .union([z.custom<number>((value) => typeof value === "number", "expected a number of seconds"), z.string(), z.null()])
  .describe("seconds; what is not above 0 means the default, and too much for a timer means its largest value");

const readCallSchema = z.strictObject({
  tool: text.describe("a tool of this server that only reads"),
  with: z.record(z.string(), z.json()).default({}).describe("its arguments; texts may hold ${workdir} and ${side}"),
});

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
  z.strictObject({
    probe: z.literal("sqlite"),
    file: text.describe("SQLite database that holds the state"),
    tables: z.array(text).min(1).optional().describe("names or globs of the tables to read; default: all"),
  }),
  z.strictObject({
    probe: z.literal("calls"),
    calls: z
      .record(text, readCallSchema)
      .refine((calls) => Object.keys(calls).length > 0, "names no call")
      .describe("calls of reading tools, by the name under which each result stands in the state"),
  }),
]);
export type StateProbe = z.infer<typeof stateProbeSchema>;

/** What {@link faultRuleSchema} can put in front of a call. */
export const faultRuleKinds = ["transient", "rate-limit", "delay", "cut", "drop"] as const;

/** One rule of the faults that are put in front of a server. */
export const faultRuleSchema = z
  .strictObject({
    tool: text.default("*").describe("name or glob of the tools that it hits"),
    kind: z
      .enum(faultRuleKinds)
      .describe(
        "transient, rate-limit and drop keep the call from the server; delay holds it up; cut loses the end of its result",
      ),
    calls: z
      .array(z.int().min(1))
      .min(1)
      .optional()
      .describe("which calls of a tool it hits, counted from 1 on each side"),
    rate: z.number().gt(0).max(1).optional().describe("share of the calls that it hits, drawn by seed"),
    seconds: z.number().gt(0).max(3600).default(1).describe("length of a delay; time that a rate limit tells to wait"),
  })
  .refine(({ calls, rate }) => (calls === undefined) !== (rate === undefined), "needs either calls or rate");
export type FaultRule = z.infer<typeof faultRuleSchema>;

const commandSchema = z.strictObject({
  command: text.describe("program to run; it ends with 0 when the account is as new"),
  args: z.array(z.string()).default([]),
});
export type ResetCommand = z.infer<typeof commandSchema>;

const transports: Readonly<Record<string, "sandbox" | "stdio" | "http" | "sse">> = {
  sandbox: "sandbox",
  stdio: "stdio",
  local: "stdio",
  http: "http",
  streamablehttp: "http",
  remote: "http",
  sse: "sse",
};

/** A transport in any spelling that is in use. */
const transport = z.string().transform((given, context) => {
  const known = transports[given.toLowerCase().replace(/[-_ ]/g, "")];
  if (known !== undefined) return known;
  const web = /^(ws|websocket)$/i.test(given) ? "WebSocket is no transport of MCP; " : "";
  context.addIssue(`${web}${JSON.stringify(given)} is not one of stdio, http, sse and sandbox`);
  return z.NEVER;
});

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const entrySchema = z.looseObject({
  type: transport
    .optional()
    .describe("stdio, http, sse or sandbox; by default stdio where there is a command, http where there is a url"),
  command: text.optional().describe("program of a stdio server"),
  args: z.array(scalar).optional().describe("its arguments"),
  env: z
    .record(z.string(), scalar)
    .optional()
    .describe("its variables, beside PATH, HOME and the like; nothing else is passed on"),
  envFile: text.optional().describe("file of more variables in .env form; what env names counts before it"),
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
  disabledTools: z.array(text).optional().describe("names or globs of tools not to offer"),
  state: stateProbeSchema.optional().describe("where the server's state is read for scoring"),
  faults: z.array(faultRuleSchema).optional().describe("faults to put in front of its calls"),
  timeout: seconds.optional().describe("seconds that a call may take without progress, 30 by default"),
  startTimeout: seconds.optional().describe("seconds until the server must be ready, 20 by default"),
  optional: z.boolean().optional().describe("true: a run goes on without the server if it does not start"),
  reset: commandSchema.optional().describe("command that makes a remote account as new, run before a side starts"),
  disabled: z.boolean().optional().describe("true: never started"),
  enabled: z.boolean().optional().describe("false: same as disabled"),
});

/** One entry of `mcpServers`, as people write it. Keys of other programs are allowed and ignored. */
export const serverEntrySchema = z.preprocess(commonSpelling, entrySchema);
export type ServerEntry = z.infer<typeof serverEntrySchema>;

/** The keys that {@link serverEntrySchema} knows, in their common spelling. */
export const knownEntryKeys: ReadonlySet<string> = new Set(Object.keys(entrySchema.shape));

/** Keys of other programs that mean one of ours. */
const otherSpellings = { transport: "type", transportType: "type", environment: "env" } as const;

/** An entry in the common spelling: the keys of {@link otherSpellings}, and a command that is a list or an object. */
function commonSpelling(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entry: Record<string, unknown> = { ...value };
  for (const [other, ours] of Object.entries(otherSpellings)) {
    if (entry[other] === undefined || entry[ours] !== undefined) continue;
    entry[ours] = entry[other];
    delete entry[other];
  }
  const { command, args } = entry;
  if (Array.isArray(command)) {
    const [program, ...first] = command as unknown[];
    return { ...entry, command: program, args: [...first, ...(Array.isArray(args) ? args : [])] };
  }
  if (typeof command === "object" && command !== null) {
    const { path, ...rest } = command as Record<string, unknown>;
    return { ...rest, ...entry, command: path };
  }
  return entry;
}

/**
 * A time of the file in milliseconds that a timer can keep.
 * @returns `defaultSeconds` if `value` is not a number of seconds above 0
 */
export function timeoutMs(value: number | string | null | undefined, defaultSeconds: number): number {
  const given = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  const usable = typeof given === "number" && given > 0 ? given : defaultSeconds;
  return Math.max(1, Math.min(usable * 1000, MAX_TIMER_MS));
}
