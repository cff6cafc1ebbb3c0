import { EXIT } from "../base/errors.ts";
import { type OptionEntry, variableOf } from "./options.ts";
import type { CommandEntry } from "./program.ts";

const EXITS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.ok, "all is well"],
  [EXIT.unmet, "a threshold or a validation is not met, and only that"],
  [EXIT.usage, "usage or configuration: a flag, a file, a query"],
  [EXIT.credentials, "credentials are missing or refused"],
  [EXIT.setup, "a server or the set-up is not fit for use"],
  [EXIT.incomplete, "some episodes are error or inconclusive, or the run was interrupted"],
  [EXIT.killed, "a second Ctrl-C"],
];

/** The reference of the command line in Markdown, made from the tables that the program runs on. */
export function commandReference(table: readonly CommandEntry[]): string {
  const commands = table.flatMap(({ name, args, help, example, isDefault, options }) => [
    `## tandem ${name}${args === undefined ? "" : ` ${args}`}`,
    `${sentence(help)}${isDefault ? " This is what `tandem` does without a command." : ""}`,
    `\`\`\`sh\nnpx ${example}\n\`\`\``,
    ["| flag | what it does | default | variable |", "| --- | --- | --- | --- |", ...options.map(row)].join("\n"),
  ]);
  const exits = ["| code | meaning |", "| --- | --- |", ...EXITS.map(([code, meaning]) => `| ${code} | ${meaning} |`)];
  return `${[
    "# The command line",
    "This page is made from the tables that the program itself runs on.",
    "Text for people goes to stderr, results go to stdout. With `--json`, stdout is one JSON document, and an error is one JSON line on stderr.",
    ...commands,
    "## Exit codes",
    exits.join("\n"),
  ].join("\n\n")}\n`;
}

function row(entry: OptionEntry): string {
  const choices = entry.choices === undefined ? "" : ` (${entry.choices.join(", ")})`;
  const variable = variableOf(entry);
  const cells = [
    `\`${entry.flags}\``,
    `${entry.help}${choices}${entry.repeatable ? "; may be given more than once" : ""}`,
    defaultOf(entry),
    variable === null ? "" : `\`${variable}\``,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function defaultOf({ default: value, defaultText }: OptionEntry): string {
  if (defaultText !== undefined) return defaultText;
  if (value === undefined) return "";
  return `\`${Array.isArray(value) ? value.join(", ") : String(value)}\``;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
