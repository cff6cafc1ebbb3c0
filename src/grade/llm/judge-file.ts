import mustache from "mustache";
import { z } from "zod";
import { hashJson } from "../../base/canonical-json.ts";
import { errorMessage, TandemError } from "../../base/errors.ts";
import { faultText, readYamlFile, type YamlErrors, type YamlFile } from "../../config/yaml-file.ts";

/** What a prompt may show of an episode. A judge sees what its prompts name, and nothing else. */
export const evidenceParts = [
  "query",
  "reference",
  "referenceAnswer",
  "answer",
  "state",
  "trajectory",
  "referenceTrajectory",
] as const;
export type EvidencePart = (typeof evidenceParts)[number];

const text = z.string().trim().min(1);

/** What a judge is asked for one of its two scores. */
const aspectSchema = z.strictObject({
  rubric: z
    .strictObject({ 5: text, 4: text, 3: text, 2: text, 1: text })
    .describe("what each score means; {{rubric}} in the prompt"),
  prompt: text.describe(
    `a Mustache template of {{rubric}} and ${evidenceParts.map((part) => `{{${part}}}`).join(", ")}`,
  ),
});

/** A file of `judges/`. */
export const judgeFileSchema = z.strictObject({
  about: text.describe("what it is for, in one line"),
  model: text.optional().describe("alias of tandem.config.yaml, or an endpoint's name; default: --model"),
  samples: z.int().min(1).max(25).default(1).describe("answers per score; the median counts"),
  evidenceCharacters: z
    .int()
    .min(1000)
    .default(60_000)
    .describe("most characters of trajectories in one prompt; longer tool results are cut in the middle"),
  result: aspectSchema,
  trajectory: aspectSchema,
});
export type JudgeFile = z.output<typeof judgeFileSchema>;

/** The two things that a judge gives a score for. */
export const aspects = ["result", "trajectory"] as const;
export type Aspect = (typeof aspects)[number];

/**
 * Reads a judge.
 * @throws TandemError `judge.no-file`, or `judge.bad-file` with file, line and field; also for a placeholder that no part fills
 */
export function loadJudgeFile(file: string): JudgeFile {
  const read = readYamlFile(file, judgeFileSchema, ERRORS);
  for (const aspect of aspects) checkPrompt(read, aspect);
  return read.value;
}

/** Hash of all that decides what a judge is asked, its model apart. */
export function promptHash(file: JudgeFile, instructions: string): string {
  const { result, trajectory, evidenceCharacters } = file;
  return hashJson({ result, trajectory, evidenceCharacters, instructions });
}

const ERRORS: YamlErrors = {
  unreadable: (file, cause) =>
    new TandemError("judge.no-file", `cannot read the judge ${file}: ${errorMessage(cause)}`, {
      hint: "Give the name of a file of judges/, or the path of a YAML file.",
      details: { file },
    }),
  bad: (fault) =>
    new TandemError("judge.bad-file", faultText(fault), {
      hint: "docs/judges.md explains every field.",
      details: { file: fault.file, line: fault.line, field: fault.field },
    }),
};

function checkPrompt({ value, fault }: YamlFile<JudgeFile>, aspect: Aspect): void {
  const path = [aspect, "prompt"];
  let used: Set<string>;
  try {
    used = placeholdersOf(mustache.parse(value[aspect].prompt));
  } catch (thrown) {
    throw fault(path, `no Mustache template: ${errorMessage(thrown)}`);
  }
  const known: readonly string[] = ["rubric", ...evidenceParts];
  const unknown = [...used].find((name) => !known.includes(name));
  if (unknown !== undefined) throw fault(path, `{{${unknown}}} is none of ${known.join(", ")}`);
  const missing = ["rubric", "query", aspect === "result" ? "answer" : "trajectory"].find((name) => !used.has(name));
  if (missing !== undefined) throw fault(path, `{{${missing}}} is missing: nobody can judge without it`);
}

/** One token of a parsed template: its kind, its name or text, where it stands, and for a section the tokens in it. */
type Token = ReturnType<typeof mustache.parse>[number] | readonly unknown[];

function placeholdersOf(tokens: readonly Token[]): Set<string> {
  const names = new Set<string>();
  for (const [kind, name, , , inside] of tokens) {
    if (kind === "text" || kind === "!") continue;
    names.add(String(name));
    if (Array.isArray(inside)) for (const inner of placeholdersOf(inside)) names.add(inner);
  }
  return names;
}
