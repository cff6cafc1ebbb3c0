import { Command, CommanderError } from "commander";
import { EXIT, TandemError, toTandemError } from "../base/errors.ts";
import type { Host } from "./host.ts";
import { type OptionEntry, toOption, variableOf } from "./options.ts";

/** What a command is called with: its arguments and its flags, checked by their entries. */
export interface Invocation {
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
}

/** A command: parse, call, print. Gives the exit code. */
export type CommandFunction = (invocation: Invocation, host: Host) => Promise<number>;

/** A row of the command table. */
export interface CommandEntry {
  readonly name: string;
  /** Arguments as commander writes them: `[query...]`. */
  readonly args?: string;
  readonly help: string;
  /** An example that the help shows. */
  readonly example: string;
  readonly isDefault?: boolean;
  readonly options: readonly OptionEntry[];
  /** Loads the command when it is called, so that a quick one stays quick. */
  readonly load: () => Promise<CommandFunction>;
}

const INTRO =
  "Evaluate agents that use MCP tools: reference and tested agent side by side, judges and a state diff compare them.";

/** Runs the command that `argv` names. Never throws: what goes wrong is printed, and the exit code says what it was. */
export async function runProgram(
  table: readonly CommandEntry[],
  version: string,
  argv: readonly string[],
  host: Host,
): Promise<number> {
  let code: number = EXIT.ok;
  const output = {
    writeOut: (text: string) => void host.stdout.write(text),
    writeErr: (text: string) => void host.stderr.write(text),
    outputError: () => {},
  };
  const program = new Command("tandem").description(INTRO).version(version).exitOverride().configureOutput(output);
  for (const entry of table) {
    const command = program.command(entry.args === undefined ? entry.name : `${entry.name} ${entry.args}`, {
      isDefault: entry.isDefault ?? false,
    });
    command.description(entry.help).exitOverride().configureOutput(output);
    command.addHelpText("after", `\nExample:\n  ${entry.example}\n`);
    for (const option of entry.options) command.addOption(toOption(option));
    command.action(async () => {
      readVariables(command, entry.options, host.env);
      const run = await entry.load();
      code = await run({ args: command.args, flags: command.opts() }, host);
    });
  }
  try {
    await program.parseAsync([...argv], { from: "user" });
    return code;
  } catch (thrown) {
    return report(thrown, argv.includes("--json"), host);
  }
}

/** Flags that were not given take their value from the host's variables. */
function readVariables(command: Command, entries: readonly OptionEntry[], env: Host["env"]): void {
  for (const entry of entries) {
    const variable = variableOf(entry);
    const text = variable === null ? undefined : env[variable];
    const option = command.options.find((candidate) => candidate.flags === entry.flags);
    if (text === undefined || text === "" || option === undefined) continue;
    const source = command.getOptionValueSource(option.attributeName());
    if (source !== undefined && source !== "default") continue;
    try {
      const value = option.parseArg?.(text, option.defaultValue as never) ?? text;
      command.setOptionValueWithSource(option.attributeName(), value, "env");
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw new TandemError("usage.bad-variable", `${variable} has a value that ${option.long} does not take. ${why}`);
    }
  }
}

function report(thrown: unknown, json: boolean, host: Host): number {
  if (thrown instanceof CommanderError) {
    if (thrown.exitCode === 0) return EXIT.ok;
    const message = thrown.message.replace(/^error: /, "");
    return report(
      new TandemError("usage.arguments", message, { hint: "Run tandem --help, or tandem <command> --help." }),
      json,
      host,
    );
  }
  const error = toTandemError(thrown);
  if (json) {
    const { code, message, hint, details } = error;
    host.stderr.write(`${JSON.stringify({ error: { code, message, hint: hint ?? null, details } })}\n`);
  } else {
    host.stderr.write(`error: ${error.message}\n${error.hint === undefined ? "" : `  ${error.hint}\n`}`);
    if (host.env.TANDEM_DEBUG !== undefined && host.env.TANDEM_DEBUG !== "") host.stderr.write(`${stackOf(error)}\n`);
  }
  return error.exitCode;
}

function stackOf(error: TandemError): string {
  const cause = error.cause instanceof Error ? (error.cause.stack ?? "") : "";
  return [error.stack ?? "", cause].filter(Boolean).join("\ncaused by: ");
}
