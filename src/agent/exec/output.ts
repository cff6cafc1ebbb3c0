import { stripVTControlCharacters } from "node:util";
import { TandemError } from "../../base/errors.ts";
import { type Json, tryParseJson } from "../../base/json.ts";
import { fromPointer } from "../../base/pointer.ts";
import type { ExecEntry } from "../../config/project-schema.ts";
import type { Usage } from "../../record/trajectory.ts";

/** What an outside agent said on its stdout. */
export interface ExecOutput {
  readonly answer: string;
  /** What it does not tell is null. */
  readonly usage: Usage;
  readonly costUsd: number | null;
}

/**
 * Reads answer and usage where the entry says they are. A pointer leads into stdout as one JSON document or, if it is none,
 * into the last of its lines that is JSON and has the value.
 * @throws TandemError `agent.no-answer` if there is no answer at the pointer: what is not found is no empty answer
 */
export function readOutput(name: string, stdout: string, { answer, usage = {} }: ExecEntry): ExecOutput {
  const text = stripVTControlCharacters(stdout);
  const documents = answer === "stdout" && Object.keys(usage).length === 0 ? [] : documentsOf(text);
  const countAt = (pointers: string | readonly string[] | undefined) => sumAt(documents, pointers);
  return {
    answer: answer === "stdout" ? text.trim() : answerAt(name, documents, answer, text),
    usage: {
      prompt: countAt(usage.prompt),
      cachedPrompt: countAt(usage.cachedPrompt),
      output: countAt(usage.output),
      reasoning: countAt(usage.reasoning),
    },
    costUsd: countAt(usage.costUsd),
  };
}

/** The last document first. */
function documentsOf(text: string): Json[] {
  const whole = tryParseJson(text);
  if (whole !== undefined) return [whole];
  return text
    .split("\n")
    .map(tryParseJson)
    .filter((value) => value !== undefined)
    .reverse();
}

function answerAt(name: string, documents: readonly Json[], pointer: string, text: string): string {
  const value = valueAt(documents, pointer);
  if (typeof value === "string") return value.trim();
  if (value !== undefined && value !== null) return JSON.stringify(value);
  const end = text.trim().slice(-500);
  throw new TandemError(
    "agent.no-answer",
    `the output of exec:${name} has no answer at ${pointer}; it ends with: ${end === "" ? "(nothing)" : end}`,
    { hint: `Set agents.${name}.answer to where its output has the answer, or to stdout.` },
  );
}

/** The sum of the numbers at the pointers; null if one of them is missing, because a part is no sum. */
function sumAt(documents: readonly Json[], pointers: string | readonly string[] | undefined): number | null {
  if (pointers === undefined) return null;
  let sum = 0;
  for (const pointer of [pointers].flat()) {
    const value = valueAt(documents, pointer);
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) return null;
    sum += value;
  }
  return sum;
}

function valueAt(documents: readonly Json[], pointer: string): Json | undefined {
  const path = fromPointer(pointer);
  for (const document of documents) {
    const value = path.reduce<Json | undefined>(partOf, document);
    if (value !== undefined) return value;
  }
  return undefined;
}

function partOf(value: Json | undefined, part: string): Json | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
  return (value as Readonly<Record<string, Json>>)[part];
}
