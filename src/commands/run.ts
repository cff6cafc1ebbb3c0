import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { resolveAgent } from "../agent/resolve.ts";
import { summarise } from "../analysis/summary.ts";
import { EXIT, errorMessage, TandemError } from "../base/errors.ts";
import { addFaults, readFaults } from "../config/fault-file.ts";
import { resolveJudge } from "../grade/judges.ts";
import { createProgress, displays } from "../report/progress.ts";
import { terminalReport } from "../report/terminal.ts";
import type { RunSettings } from "../run/settings.ts";
import { loadSetup } from "../run/setup.ts";
import { startRun } from "../run/start.ts";
import { suites, tiers } from "../suite/schema.ts";
import { printJson, setupPaths, typedFlags } from "./flags.ts";
import type { Host } from "./host.ts";
import { watchInterrupts } from "./interrupts.ts";
import type { CommandFunction } from "./program.ts";

const flagsSchema = z.object({
  suite: z.enum(suites).optional(),
  tier: z.enum(tiers).optional(),
  agent: z.array(z.string()),
  judge: z.array(z.string()),
  reference: z.enum(["parallel", "bracket"]),
  repeats: z.number(),
  seed: z.number(),
  seeds: z.number(),
  salt: z.string().optional(),
  concurrency: z.number(),
  maxRounds: z.number(),
  poolSize: z.number(),
  faults: z.string(),
  timeLimit: z.number(),
  tokenLimit: z.number().optional(),
  costLimit: z.number().optional(),
  out: z.string().optional(),
  threshold: z.object({ metric: z.literal("success"), least: z.number() }).optional(),
  preflight: z.boolean(),
  display: z.enum(displays),
  config: z.string().optional(),
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
  const settings = settingsOf(flags, host, setup);
  const progress = createProgress(flags.display, host.stderr);
  const interrupts = watchInterrupts(host, () => progress.on({ type: "interrupted" }));
  try {
    const { header, records, complete } = await startRun({
      settings,
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
  }
};

function settingsOf(
  flags: Flags,
  host: Host,
  { queries, servers }: Pick<RunSettings, "queries" | "servers">,
): RunSettings {
  return {
    queries,
    servers: withFaultFile(flags.faults, host, servers),
    agents: [...new Set(flags.agent)].map(resolveAgent),
    seeds: Array.from({ length: flags.seeds }, (_, i) => flags.seed + i),
    repeats: flags.repeats,
    judges: [...new Set(flags.judge)].map(resolveJudge),
    reference: flags.reference,
    faults: flags.faults !== "off",
    salt: flags.salt === undefined ? null : readSalt(resolve(host.cwd, flags.salt)),
    limits: {
      rounds: flags.maxRounds,
      timeSeconds: flags.timeLimit,
      tokens: flags.tokenLimit ?? null,
      costUsd: flags.costLimit ?? null,
    },
    poolSize: flags.poolSize,
  };
}

/** The servers with the faults of the file that `--faults` names, if it names one. */
function withFaultFile(faults: string, host: Host, servers: RunSettings["servers"]): RunSettings["servers"] {
  if (faults === "on" || faults === "off") return servers;
  const file = resolve(host.cwd, faults);
  return addFaults(servers, readFaults(file), file);
}

function readSalt(file: string): string {
  let salt: string;
  try {
    salt = readFileSync(file, "utf8").trim();
  } catch (thrown) {
    throw new TandemError("usage.no-salt", `cannot read the salt: ${errorMessage(thrown)}`, {
      hint: "Give a file that holds a secret text of your own.",
      details: { file },
    });
  }
  if (salt !== "") return salt;
  throw new TandemError("usage.empty-salt", `the salt file ${file} is empty`, {
    hint: "Write a secret text of your own into it.",
    details: { file },
  });
}

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
