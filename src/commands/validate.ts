import { z } from "zod";
import { EXIT } from "../base/errors.ts";
import { displays } from "../report/progress.ts";
import { preflight } from "../run/preflight.ts";
import { loadSetup } from "../run/setup.ts";
import { type QueryValidation, validateQueries } from "../run/validate.ts";
import { suites, tiers } from "../suite/schema.ts";
import { printJson, setupPaths, typedFlags } from "./flags.ts";
import type { Host } from "./host.ts";
import { watchInterrupts } from "./interrupts.ts";
import type { CommandFunction } from "./program.ts";

const flagsSchema = z.object({
  suite: z.enum(suites).optional(),
  tier: z.enum(tiers).optional(),
  seed: z.number(),
  concurrency: z.number(),
  display: z.enum(displays),
  config: z.string().optional(),
  queries: z.string().optional(),
  plans: z.string().optional(),
  json: z.boolean().default(false),
});

const SEEDS = 3;

/** `tandem validate`: proves queries and plans. Ends with 1 if one does not hold, 5 if it was interrupted. */
export const validate: CommandFunction = async (invocation, host) => {
  const flags = typedFlags(flagsSchema, invocation);
  const { queries, servers, notices, lock } = loadSetup(setupPaths(flags, host), host.env, {
    ids: invocation.args,
    suite: flags.suite,
    tier: flags.tier,
  });
  const onNotice = (text: string) => void host.stderr.write(`note: ${text}\n`);
  notices.forEach(onNotice);
  const catalogue = await preflight({ queries, servers, env: host.env, lock, onServer: () => {}, onNotice });
  const interrupts = watchInterrupts(host, () => host.stderr.write("interrupted: no new query starts\n"));
  const seeds = Array.from({ length: SEEDS }, (_, i) => flags.seed + i);
  let shown = 0;
  try {
    const validations = await validateQueries({
      queries,
      servers,
      catalogue,
      env: host.env,
      seeds,
      concurrency: flags.concurrency,
      stop: interrupts.stop,
      interrupted: interrupts.now,
      onQuery: (validation) => {
        if (flags.display !== "none") showQuery(validation, ++shown, queries.length, host);
      },
    });
    if (interrupts.now.aborted) return EXIT.killed;
    const bad = validations.filter(({ problems }) => problems.length > 0);
    const complete = validations.length === queries.length;
    if (flags.json) printJson(host, { valid: complete && bad.length === 0, seeds, queries: validations });
    else {
      host.stdout.write(
        `${validations.length - bad.length} of ${queries.length} queries are valid on seeds ${seeds.join(", ")}.\n`,
      );
    }
    if (bad.length > 0) return EXIT.unmet;
    return complete ? EXIT.ok : EXIT.incomplete;
  } finally {
    interrupts.close();
  }
};

function showQuery({ id, problems, episodes }: QueryValidation, at: number, of: number, host: Host): void {
  host.stderr.write(`[${at}/${of}] ${problems.length === 0 ? "valid" : "NOT VALID"} ${id} (${episodes} episodes)\n`);
  for (const { seed, check, message } of problems) host.stderr.write(`    seed ${seed}, ${check}: ${message}\n`);
}
