import { join, resolve } from "node:path";
import { z } from "zod";
import { summarise } from "../analysis/summary.ts";
import { EXIT } from "../base/errors.ts";
import { redactor } from "../base/redact.ts";
import { loadProject } from "../config/project.ts";
import { createModels } from "../model/models.ts";
import { readRun } from "../record/run-reader.ts";
import { createProgress, displays } from "../report/progress.ts";
import { terminalReport } from "../report/terminal.ts";
import { scoreRun, writeRecords } from "../run/score.ts";
import { headerOf } from "../run/start.ts";
import { printJson, typedFlags } from "./flags.ts";
import { watchInterrupts } from "./interrupts.ts";
import { resolveJudges } from "./judges.ts";
import type { CommandFunction } from "./program.ts";
import { storedRunFolder } from "./stored-run.ts";

const flagsSchema = z.object({
  results: z.string(),
  judge: z.array(z.string()),
  model: z.string().optional(),
  settings: z.string().optional(),
  concurrency: z.number(),
  display: z.enum(displays),
  out: z.string().optional(),
  json: z.boolean().default(false),
});

/**
 * `tandem score`: grades a stored run again, says whose grades are other ones, and writes the graded episodes beside the old. Ends
 * with 5 if a judge gave no score, or if it was interrupted.
 */
export const score: CommandFunction = async (invocation, host) => {
  const flags = typedFlags(flagsSchema, invocation);
  const models = createModels(loadProject(flags.settings ?? null, host.cwd), host.env);
  const judges = resolveJudges(flags.judge, { models, model: flags.model ?? null, cwd: host.cwd });
  const stored = await readRun(await storedRunFolder(invocation, flags.results, host));
  for (const problem of stored.problems) host.stderr.write(`note: ${problem}\n`);
  const { run, configuration } = stored.info;
  const progress = createProgress(judges.some((judge) => judge.configuration) ? flags.display : "none", host.stderr);
  const interrupts = watchInterrupts(host, () => progress.on({ type: "interrupted" }));
  try {
    progress.on({ type: "run-started", run, folder: stored.folder, episodes: stored.records.length, resumed: 0 });
    const { records, changed } = await scoreRun(stored, {
      judges,
      concurrency: flags.concurrency,
      stop: interrupts.stop,
      onGraded: (record) => progress.on({ type: "episode-ended", ...record }),
    });
    progress.close();
    const file = flags.out === undefined ? join(stored.folder, "rescored.jsonl") : resolve(host.cwd, flags.out);
    await writeRecords(file, records, redactor(models.secrets()));
    const names = judges.map(({ name }) => name);
    const header = { ...headerOf(stored.folder, stored.info), configuration: { ...configuration, judges: names } };
    const unjudged = records.filter((record) => Object.values(record.judges).some(({ error }) => error !== null));
    const complete = records.length === stored.records.length && unjudged.length === 0;
    if (flags.json) {
      printJson(host, { ...summarise(header, records), file, changed });
    } else {
      const { columns, isTTY } = host.stdout;
      host.stdout.write(terminalReport(header, records, { columns, colour: isTTY === true }));
      for (const { key, fields } of changed) host.stdout.write(`changed: ${key}: ${fields.join(", ")}\n`);
      host.stderr.write(
        `${records.length} episodes graded again, ${changed.length} have other grades. They are in ${file}\n`,
      );
    }
    if (unjudged.length > 0) host.stderr.write(`note: ${unjudged.length} episodes have a verdict without a score\n`);
    return complete ? EXIT.ok : EXIT.incomplete;
  } finally {
    progress.close();
    interrupts.close();
    await models.close();
  }
};
