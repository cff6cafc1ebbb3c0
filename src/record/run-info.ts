import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { errorMessage, TandemError } from "../base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";

const jsonObject = z.custom<JsonObject>(isJsonObject, "a JSON object");

/** What `run.json` says of a run. */
export const runInfoSchema = z.strictObject({
  run: z.string().describe("name of the run, and of its folder unless --out gave another"),
  createdAt: z.string().describe("UTC, ISO 8601"),
  endedAt: z.string().nullable().describe("when the last call that worked on it ended; null while it goes on"),
  complete: z.boolean().describe("whether every planned episode is recorded"),
  sealed: z.boolean().describe("whether a salt entered every draw"),
  configuration: jsonObject.describe("all that decides the numbers"),
  configurationHash: z.string().describe("SHA-256 of the configuration's canonical JSON"),
  versions: z.record(z.string(), z.string()).describe("of tandem, node and the platform"),
  servers: z
    .record(
      z.string(),
      z.strictObject({
        type: z.string().describe("sandbox, or the transport that was used"),
        name: z.string().nullable().default(null).describe("the server's own name"),
        version: z.string().nullable().default(null),
        protocol: z.string().nullable().default(null),
        tools: z.int(),
        hash: z.string().describe("of all that it lists"),
      }),
    )
    .describe("servers of the run that were looked at"),
  gitRevision: z.string().nullable().describe("of the working folder, where it is under version control"),
});
export type RunInfo = Readonly<z.infer<typeof runInfoSchema>>;

const FILE = "run.json";

/** Replaces a run's `run.json` in one step: a reader sees the old or the new one, never a half. */
export async function writeRunInfo(folder: string, info: RunInfo): Promise<void> {
  const path = join(folder, FILE);
  const next = `${path}.next`;
  const handle = await open(next, "w");
  try {
    await handle.writeFile(`${JSON.stringify(info, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(next, path);
}

/**
 * Reads a run's `run.json`.
 * @throws TandemError `record.no-run` if there is none, `record.bad-run` if it cannot be used; both name the file
 */
export async function readRunInfo(folder: string): Promise<RunInfo> {
  const file = join(folder, FILE);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (thrown) {
    const missing = thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT";
    throw new TandemError(
      missing ? "record.no-run" : "record.bad-run",
      missing ? `${folder} is no run: it has no ${FILE}` : `${file} cannot be read: ${errorMessage(thrown)}`,
      { hint: "tandem list runs shows the runs that there are.", details: { file } },
    );
  }
  const parsed = runInfoSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join(".") ?? "";
  throw new TandemError("record.bad-run", `${file}: ${field || "the whole"}: ${issue?.message ?? "bad value"}`, {
    hint: "The file was changed by hand, or another version of tandem wrote it.",
    details: { file, field },
  });
}

/** Where two configurations differ: `path: was → is`, at most `most` lines. */
export function configurationDifferences(was: Json, is: Json, most: number): string[] {
  const found: string[] = [];
  const walk = (a: Json | undefined, b: Json | undefined, path: string): void => {
    if (found.length > most || JSON.stringify(a) === JSON.stringify(b)) return;
    if (isJsonObject(a) && isJsonObject(b)) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
        walk(a[key], b[key], path === "" ? key : `${path}.${key}`);
      }
      return;
    }
    found.push(`${path}: ${shown(a)} → ${shown(b)}`);
  };
  walk(was, is, "");
  return found.length > most ? [...found.slice(0, most), "and more"] : found;
}

/** The servers that are not what they were when a run began: `name: was → is`. */
export function serverDifferences(was: RunInfo["servers"], is: RunInfo["servers"]): string[] {
  return Object.entries(was).flatMap(([server, before]) => {
    const now = is[server];
    if (now === undefined || (before.hash === now.hash && before.version === now.version)) return [];
    const text = ({ version, tools, hash }: typeof before) =>
      `${version ?? ""} ${tools} tools ${hash.slice(0, 8)}`.trim();
    return [`servers.${server}: ${text(before)} → ${text(now)}`];
  });
}

function shown(value: Json | undefined): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
