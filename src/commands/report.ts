import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { EXIT, errorMessage, TandemError } from "../base/errors.ts";
import { readRun } from "../record/run-reader.ts";
import { csvReport } from "../report/csv.ts";
import { jsonReport } from "../report/json.ts";
import { markdownReport } from "../report/markdown.ts";
import { headerOf } from "../run/start.ts";
import { typedFlags } from "./flags.ts";
import type { CommandFunction } from "./program.ts";
import { storedRunFolder } from "./stored-run.ts";

const formats = ["markdown", "json", "csv"] as const;
const flagsSchema = z.object({
  results: z.string(),
  format: z.enum(formats),
  out: z.string().optional(),
  json: z.boolean().default(false),
});

/** `tandem report`: writes a stored run as markdown, json or csv, on stdout or into a file. */
export const report: CommandFunction = async (invocation, host) => {
  const flags = typedFlags(flagsSchema, invocation);
  const { folder, info, records, problems } = await readRun(await storedRunFolder(invocation, flags.results, host));
  for (const problem of problems) host.stderr.write(`note: ${problem}\n`);
  const header = headerOf(folder, info);
  const format = flags.json ? "json" : flags.format;
  const text = { markdown: markdownReport, json: jsonReport, csv: (_: unknown, all: typeof records) => csvReport(all) }[
    format
  ](header, records);
  if (flags.out === undefined) {
    host.stdout.write(text);
    return EXIT.ok;
  }
  const file = resolve(host.cwd, flags.out);
  try {
    writeFileSync(file, text);
  } catch (thrown) {
    throw new TandemError("usage.cannot-write", `cannot write the report: ${errorMessage(thrown)}`, {
      hint: "Give --out a file in a folder that is there.",
      details: { file },
    });
  }
  host.stderr.write(`The report is in ${file}\n`);
  return EXIT.ok;
};
