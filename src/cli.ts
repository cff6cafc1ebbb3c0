import type { Host } from "./commands/host.ts";
import { optionTable } from "./commands/options.ts";
import { type CommandEntry, runProgram } from "./commands/program.ts";
import { packageVersion } from "./config/paths.ts";

/** Every command of `tandem`. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: "run",
    args: "[query...]",
    help: "run paired episodes, grade them and show the result",
    example: "tandem run buy-seedless-grapes --agent oracle --agent noop",
    isDefault: true,
    options: optionTable.run,
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    name: "validate",
    args: "[query...]",
    help: "prove queries and plans: three runs on three seeds, goals, and what must pass or fail",
    example: "tandem validate buy-seedless-grapes",
    options: optionTable.validate,
    load: async () => (await import("./commands/validate.ts")).validate,
  },
  {
    name: "score",
    args: "<run>",
    help: "grade a stored run again, without running anything",
    example: "tandem score latest",
    options: optionTable.score,
    load: async () => (await import("./commands/score.ts")).score,
  },
  {
    name: "report",
    args: "<run>",
    help: "write a stored run as markdown, json or csv",
    example: "tandem report latest --format csv --out episodes.csv",
    options: optionTable.report,
    load: async () => (await import("./commands/report.ts")).report,
  },
  {
    name: "list",
    args: "<what>",
    help: "list queries, servers, agents, judges or runs",
    example: "tandem list queries --suite live",
    options: optionTable.list,
    load: async () => (await import("./commands/list.ts")).list,
  },
  {
    name: "show",
    args: "<run> [episode]",
    help: "show a stored run, or one of its episodes with both trajectories",
    example: "tandem show latest 1",
    options: optionTable.show,
    load: async () => (await import("./commands/show.ts")).show,
  },
  {
    name: "doctor",
    help: "start every server and show its version, tools and start time, or what went wrong",
    example: "tandem doctor",
    options: optionTable.doctor,
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
];

/** Runs the command line. */
export function main(argv: readonly string[], host: Host): Promise<number> {
  return runProgram(commandTable, packageVersion(), argv, host);
}
