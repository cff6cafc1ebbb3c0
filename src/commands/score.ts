import { join, resolve } from "node:path";
import { z } from "zod";
import { summarise } from "../analysis/summary.ts";
import { EXIT } from "../base/errors.ts";
import { resolveJudge } from "../grade/judges.ts";
import { readRun } from "../record/run-reader.ts";
import { terminalReport } from "../report/terminal.ts";
import { scoreRun, writeRecords } from "../run/score.ts";
import { headerOf } from "../run/start.ts";
import { printJson, typedFlags } from "./flags.ts";
import type { CommandFunction } from "./program.ts";
import { storedRunFolder } from "./stored-run.ts";

const flagsSchema = z.object({
  results: z.string(),
  judge: z.array(z.string()),
  out: z.string().optional(),
  json: z.boolean().default(false),
});

/** `tandem score`: grades a stored run again, says whose grades are other ones, and writes the graded episodes beside the old. */
export const score: CommandFunction = async (invocation, host) => {
  const flags = typedFlags(flagsSchema, invocation);
  const stored = await readRun(await storedRunFolder(invocation, flags.results, host));
  for (const problem of stored.problems) host.stderr.write(`note: ${problem}\n`);
  const { records, changed } = await scoreRun(stored, flags.judge.map(resolveJudge));
  const file = flags.out === undefined ? join(stored.folder, "rescored.jsonl") : resolve(host.cwd, flags.out);
  await writeRecords(file, records);
  const header = headerOf(stored.folder, stored.info);
  if (flags.json) {
    printJson(host, { ...summarise(header, records), file, changed });
    return EXIT.ok;
  }
  const { columns, isTTY } = host.stdout;
  host.stdout.write(terminalReport(header, records, { columns, colour: isTTY === true }));
  for (const { key, fields } of changed) host.stdout.write(`changed: ${key}: ${fields.join(", ")}\n`);
  host.stderr.write(
    `${records.length} episodes graded again, ${changed.length} have other grades. They are in ${file}\n`,
  );
  return EXIT.ok;
};
