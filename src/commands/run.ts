import { resolve } from "node:path";
import { z } from "zod";
import { summarise } from "../analysis/summary.ts";
import { EXIT } from "../base/errors.ts";
import { loadProject } from "../config/project.ts";
import { createModels } from "../model/models.ts";
import { createProgress, displays } from "../report/progress.ts";
import { terminalReport } from "../report/terminal.ts";
import { loadSetup } from "../run/setup.ts";
import { startRun } from "../run/start.ts";
import { suites, tiers } from "../suite/schema.ts";
import { printJson, setupPaths, typedFlags } from "./flags.ts";
import { watchInterrupts } from "./interrupts.ts";
import type { CommandFunction } from "./program.ts";
import { settingFlags, settingsOf } from "./run-settings.ts";

const flagsSchema = z.object({
  ...settingFlags,
  suite: z.enum(suites).optional(),
  tier: z.enum(tiers).optional(),
  concurrency: z.number(),
  out: z.string().optional(),
  threshold: z.object({ metric: z.literal("success"), least: z.number() }).optional(),
  preflight: z.boolean(),
  display: z.enum(displays),
  config: z.string().optional(),
  settings: z.string().optional(),
  queries: z.string().optional(),
  plans: z.string().optional(),
  results: z.string(),
  json: z.boolean().default(false),
});
type Flags = z.output<typeof flagsSchema>;

/**
 * `tandem run`: runs paired episodes, grades them and shows the result. Ends with 1 if a threshold is not met, 5 if an episode
 * is error or inconclusive or the run was interrupted, 130 at a second Ctrl-C.
 */
export const run: CommandFunction = async (invocation, host) => {
  const flags = typedFlags(flagsSchema, invocation);
  const setup = loadSetup(setupPaths(flags, host), host.env, {
    ids: invocation.args,
    suite: flags.suite,
    tier: flags.tier,
  });
  const note = (text: string) => void host.stderr.write(`note: ${text}\n`);
  for (const notice of setup.notices) note(notice);
  const project = loadProject(flags.settings ?? null, host.cwd);
  const models = createModels(project, host.env);
  const progress = createProgress(flags.display, host.stderr);
  const interrupts = watchInterrupts(host, () => progress.on({ type: "interrupted" }));
  try {
    const settings = await settingsOf(flags, { host, project, models, ...setup });
    const { header, records, complete } = await startRun({
      settings,
      secrets: models.secrets(),
      lock: setup.lock,
      resultsDir: resolve(host.cwd, flags.results),
      out: flags.out === undefined ? undefined : resolve(host.cwd, flags.out),
      env: host.env,
      now: host.now,
      concurrency: flags.concurrency,
      preflight: flags.preflight,
      stop: interrupts.stop,
      interrupted: interrupts.now,
      onProgress: progress.on,
      onNotice: note,
    });
    progress.close();
    if (interrupts.now.aborted) return EXIT.killed;
    const summary = summarise(header, records);
    if (flags.json) {
      printJson(host, summary);
    } else {
      host.stdout.write(
        terminalReport(header, records, { columns: host.stdout.columns, colour: host.stdout.isTTY === true }),
      );
      host.stderr.write(`Next: tandem show ${header.run}, or tandem report ${header.run}\n`);
    }
    return exitCode(flags, summary, complete, note);
  } finally {
    progress.close();
    interrupts.close();
    await models.close();
  }
};

function exitCode(
  { threshold }: Flags,
  summary: ReturnType<typeof summarise>,
  complete: boolean,
  note: (text: string) => void,
): number {
  const { outcomes, agents } = summary;
  const below = threshold === undefined ? [] : agents.filter(({ success }) => (success.rate ?? 0) < threshold.least);
  for (const { agent, success } of below) {
    note(`${agent} is below the threshold: success rate ${success.rate ?? "unknown"}, wanted ${threshold?.least}`);
  }
  if (!complete || outcomes.error + outcomes.inconclusive > 0) return EXIT.incomplete;
  return below.length > 0 ? EXIT.unmet : EXIT.ok;
}
