import { availableParallelism } from "node:os";
import { InvalidArgumentError, Option } from "commander";
import { tiers } from "../suite/schema.ts";

/**
 * One flag: its help, its environment variable and its row in docs/cli.md all come from this entry. The variable is
 * `TANDEM_` and the flag's name in capitals.
 */
export interface OptionEntry {
  /** As commander writes it: `-j, --concurrency <n>`. */
  readonly flags: string;
  readonly help: string;
  readonly default?: unknown;
  /** Told instead of the default's own text. */
  readonly defaultText?: string;
  readonly choices?: readonly string[];
  /** May be given more than once; in the variable, values are separated by commas. */
  readonly repeatable?: boolean;
  readonly parse?: (text: string) => unknown;
}

/** The environment variable of an entry, or null for a flag that takes no value. */
export function variableOf(entry: OptionEntry): string | null {
  const name = /--(?:no-)?([a-z-]+)/.exec(entry.flags)?.[1];
  return name === undefined || !entry.flags.includes("<") ? null : `TANDEM_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** A commander option made from an entry. */
export function toOption(entry: OptionEntry): Option {
  const option = new Option(entry.flags, helpOf(entry));
  if (entry.default !== undefined) option.default(entry.default, entry.defaultText);
  if (entry.flags.includes("<")) option.argParser(argumentParser(entry));
  return option;
}

/** The help of an entry: what it does, its choices, a default that only words can tell, its variable. */
export function helpOf(entry: OptionEntry): string {
  const notes = [
    entry.choices === undefined ? "" : `choices: ${entry.choices.join(", ")}`,
    entry.default === undefined && entry.defaultText !== undefined ? `default: ${entry.defaultText}` : "",
    variableOf(entry) === null ? "" : `env: ${variableOf(entry)}`,
  ].filter((note) => note !== "");
  return notes.length === 0 ? entry.help : `${entry.help} (${notes.join("; ")})`;
}

function argumentParser(entry: OptionEntry): (text: string, previous: unknown) => unknown {
  const parse = entry.parse ?? ((text: string) => text);
  const one = (text: string) => {
    if (entry.choices !== undefined && !entry.choices.includes(text)) {
      throw new InvalidArgumentError(`Choose one of ${entry.choices.join(", ")}.`);
    }
    return parse(text);
  };
  if (entry.repeatable !== true) return one;
  return (text, previous) => {
    const before = previous === entry.default || !Array.isArray(previous) ? [] : previous;
    return [...before, ...text.split(",").map((part) => one(part.trim()))];
  };
}

function whole(low: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < low || text.trim() === "") {
      throw new InvalidArgumentError(`Give a whole number of at least ${low}.`);
    }
    return value;
  };
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError("Give a number above 0.");
  return value;
}

/** A threshold such as `success=0.5`. */
export interface Threshold {
  readonly metric: "success";
  readonly least: number;
}

function threshold(text: string): Threshold {
  const [metric, bound] = text.split("=");
  const least = Number(bound);
  if (metric !== "success" || bound === undefined || bound === "" || !(least >= 0 && least <= 1)) {
    throw new InvalidArgumentError("Give it as success=0.5, with a share from 0 to 1.");
  }
  return { metric, least };
}

const json: OptionEntry = {
  flags: "--json",
  help: "print one JSON document on stdout and errors as one JSON line on stderr",
};
const results: OptionEntry = {
  flags: "--results <folder>",
  help: "folder that holds the runs",
  default: "results",
};
const config: OptionEntry = {
  flags: "--config <file>",
  help: "servers to use",
  defaultText: "mcp-servers.json here, else the one that comes with tandem",
};
const suiteFolders: readonly OptionEntry[] = [
  { flags: "--queries <folder>", help: "folder of queries", defaultText: "queries here, else tandem's own" },
  { flags: "--plans <folder>", help: "folder of plans", defaultText: "plans here, else tandem's own" },
];
const selection: readonly OptionEntry[] = [
  { flags: "--suite <name>", help: "only queries of this suite", choices: ["sandbox", "live"] },
  { flags: "--tier <tier>", help: "only queries of this tier", choices: tiers },
];
const concurrency: OptionEntry = {
  flags: "-j, --concurrency <n>",
  help: "episodes at a time",
  default: availableParallelism(),
  defaultText: "number of processors",
  parse: whole(1),
};
const display: OptionEntry = {
  flags: "--display <how>",
  help: "progress: full redraws one line, plain prints a line per episode",
  choices: ["full", "plain", "none"],
  default: "full",
};

const judge: OptionEntry = {
  flags: "--judge <name>",
  help: "judge that scores beside the state diff: rules, one of judges/, or a YAML file; name@model names its model",
  repeatable: true,
  default: ["rules"],
};
const model: OptionEntry = {
  flags: "--model <name>",
  help: "model of what names none: an agent `react`, a judge, the reference `llm`; an alias of tandem.config.yaml, or an endpoint's name",
};
const settings: OptionEntry = {
  flags: "--settings <file>",
  help: "models, outside agents and cache",
  defaultText: "tandem.config.yaml here, if there is one",
};

function distractors(text: string): number | "all" {
  return text === "all" ? text : whole(0)(text);
}

/** The flags of each command. */
export const optionTable = {
  run: [
    ...selection,
    {
      flags: "--agent <name>",
      help: "agent to test; repeat it or separate names by commas (`tandem list agents` names them)",
      repeatable: true,
      default: ["oracle"],
    },
    model,
    judge,
    {
      flags: "--reference <mode>",
      help: "how the reference side runs: parallel, bracket (again when the tested side ends), or llm (a model follows the plan)",
      choices: ["parallel", "bracket", "llm"],
      default: "parallel",
    },
    { flags: "--repeats <n>", help: "episodes per query, agent and seed", default: 1, parse: whole(1) },
    { flags: "--seed <n>", help: "first seed", default: 1, parse: whole(0) },
    { flags: "--seeds <n>", help: "number of seeds, counted up from --seed", default: 1, parse: whole(1) },
    { flags: "--salt <file>", help: "file whose text enters every draw, which seals the run" },
    concurrency,
    { flags: "--max-rounds <n>", help: "model turns per episode", default: 30, parse: whole(1) },
    {
      flags: "--pool-size <n>",
      help: "servers per side: the query's own plus distractors",
      default: 15,
      parse: whole(1),
    },
    {
      flags: "--distractors <n>",
      help: "tools offered beside those that the query needs, drawn from the pool: a number, or all",
      default: "all",
      parse: distractors,
    },
    {
      flags: "--strategy <name>",
      help: "how a model gets to know tools: full-context, rag:K (the K nearest to the task), or iterative-rag (it looks for them)",
      default: "full-context",
    },
    {
      flags: "--embedder <name>",
      help: "embeddings model that finds tools, as openai:<model>",
      defaultText: "none, tools are found by BM25",
    },
    {
      flags: "--faults <what>",
      help: "seeded faults: on, off, or on with those of a YAML file in front of any server",
      default: "on",
    },
    { flags: "--clock <kind>", help: "world time", choices: ["frozen"], default: "frozen" },
    { flags: "--time-limit <seconds>", help: "real time per side", default: 300, parse: positive },
    { flags: "--token-limit <n>", help: "tokens per side", parse: whole(1) },
    { flags: "--cost-limit <usd>", help: "cost per side", parse: positive },
    { flags: "--out <folder>", help: "run folder to write or to resume" },
    {
      flags: "--threshold <metric=share>",
      help: "exit with 1 if an agent stays below it, as in success=0.5",
      parse: threshold,
    },
    { flags: "--no-preflight", help: "start without checking servers and plans first" },
    display,
    config,
    settings,
    ...suiteFolders,
    results,
    json,
  ],
  validate: [
    ...selection,
    { flags: "--seed <n>", help: "first of three seeds", default: 1, parse: whole(0) },
    concurrency,
    display,
    config,
    ...suiteFolders,
    json,
  ],
  score: [
    judge,
    model,
    concurrency,
    display,
    settings,
    results,
    { flags: "--out <file>", help: "write the graded episodes here, default <run>/rescored.jsonl" },
    json,
  ],
  report: [
    results,
    {
      flags: "--format <kind>",
      help: "markdown, json or csv",
      choices: ["markdown", "json", "csv"],
      default: "markdown",
    },
    { flags: "--out <file>", help: "write there instead of stdout" },
    json,
  ],
  list: [...selection, config, settings, ...suiteFolders, results, json],
  show: [results, json],
  doctor: [
    config,
    { flags: "--update-lock", help: "write servers.lock.json beside the configuration: what the servers are now" },
    json,
  ],
} as const satisfies Record<string, readonly OptionEntry[]>;
