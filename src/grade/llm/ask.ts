import { errorMessage, TandemError } from "../../base/errors.ts";
import type { ChatMessage, ChatModel, ChatTurn } from "../../model/chat.ts";
import type { VerdictSample } from "../../record/grades.ts";
import { addModelUse, type ModelUse, useOfTurn } from "../../record/model-use.ts";
import type { Usage } from "../../record/trajectory.ts";
import type { JudgeInput } from "../judge.ts";
import { showEvidence } from "./evidence-text.ts";
import type { Aspect, JudgeFile } from "./judge-file.ts";
import { parseScore } from "./parse-score.ts";
import { ANSWER_FORMAT, partsUsed, promptFor } from "./prompt.ts";

/** One score of a judge, or why there is none, with what it took. */
export interface Asked {
  readonly sample: VerdictSample;
  readonly turns: readonly Pick<ChatTurn, "usage" | "costUsd" | "cached">[];
  /** What was left out of the prompt, and why. */
  readonly notes: readonly string[];
}

/** What one score is asked with. */
export interface Question {
  readonly file: JudgeFile;
  readonly aspect: Aspect;
  readonly model: ChatModel;
  readonly input: JudgeInput;
  /** Number of the sample, from 0. */
  readonly sample: number;
  readonly signal: AbortSignal;
}

/**
 * Asks a model for one score. An answer without one is asked for again once, with what was wrong about it; a prompt that outgrows the
 * model's context is shortened. Never rejects: a failure is the sample's error, and what it used is told all the same.
 */
export async function askForScore(question: Question): Promise<Asked> {
  const conversation: ChatMessage[] = [];
  const turns: ChatTurn[] = [];
  const notes = new Set<string>();
  const answers: string[] = [];
  let fault = "";
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const turn = await fitting(question, conversation, notes);
      turns.push(turn);
      answers.push(turn.text);
      const read = readTurn(turn);
      if ("score" in read) return asked({ score: read.score, reason: read.reason, error: null, answers });
      fault = read.fault;
      conversation.push(
        { role: "assistant", content: turn.text === "" ? "(empty)" : turn.text, calls: [] },
        { role: "user", content: again(fault) },
      );
    }
  } catch (thrown) {
    fault = endpointFault(thrown, question.signal);
  }
  return asked({ score: null, reason: "", error: fault, answers });

  function asked(sample: VerdictSample): Asked {
    return { sample, turns, notes: [...notes] };
  }
}

const ATTEMPTS = 2;

function again(fault: string): string {
  return `No score could be read from that answer (${fault}). Answer again with one JSON object and nothing else, and keep the reason short: {"reason": "…", "score": N} with N a whole number from 1 to 5.`;
}

/** What an answer says; one that was cut or filtered is not read at all, since half a verdict may look like another. */
function readTurn({ text, finish, refusal }: ChatTurn): { score: number; reason: string } | { fault: string } {
  if (finish === "length") return { fault: "truncated: it was cut by the output limit" };
  if (refusal !== null) return { fault: "refusal: it refuses to judge" };
  if (finish === "filtered") return { fault: "refusal: it was stopped by a content filter" };
  const read = parseScore(text);
  return "score" in read ? read : { fault: `${read.kind}: ${read.fault}` };
}

function endpointFault(thrown: unknown, signal: AbortSignal): string {
  if (signal.aborted) return `time: ${errorMessage(signal.reason)}`;
  const kind = isContextError(thrown) ? "context" : "endpoint";
  return `${kind}: ${errorMessage(thrown)}`;
}

function isContextError(thrown: unknown): boolean {
  return thrown instanceof TandemError && thrown.code === "model.context-exceeded";
}

/** Characters of trajectories under which a prompt is not shortened further. */
const LEAST_BUDGET = 1000;

/** Asks with as much of the trajectories as the file allows, and with half as much each time the model's context is too small. */
async function fitting(
  question: Question,
  conversation: readonly ChatMessage[],
  notes: Set<string>,
): Promise<ChatTurn> {
  const { file, aspect, model, input, sample, signal } = question;
  const used = partsUsed(file, aspect);
  const hasTrajectory = used.has("trajectory") || used.has("referenceTrajectory");
  for (let budget = file.evidenceCharacters; ; budget /= 2) {
    const shown = showEvidence(input, used, budget);
    try {
      const turn = await model.complete(
        {
          messages: [...promptFor(file, aspect, shown), ...conversation],
          format: ANSWER_FORMAT,
          repeat: sample,
        },
        signal,
      );
      const { characters, pieces } = shown.omitted;
      if (characters > 0)
        notes.add(`judge_input_truncated: ${aspect}: ${characters} characters were left out in ${pieces} places`);
      return turn;
    } catch (thrown) {
      if (!isContextError(thrown) || !hasTrajectory || budget / 2 < LEAST_BUDGET) throw thrown;
    }
  }
}

/** Token counts of all turns together; null where one of them is unknown. */
export function usageOf(turns: Asked["turns"]): Usage {
  const sum = (key: keyof Usage) =>
    turns.reduce<number | null>((total, { usage }) => {
      const count = usage[key] ?? null;
      return total === null || count === null ? null : total + count;
    }, 0);
  return {
    prompt: sum("prompt"),
    cachedPrompt: sum("cachedPrompt"),
    output: sum("output"),
    reasoning: sum("reasoning"),
  };
}

/** What all turns used. */
export function useOf(turns: Asked["turns"]): ModelUse {
  return addModelUse(turns.map(useOfTurn));
}
