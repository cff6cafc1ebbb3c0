import { cutMiddle, MOST_SHOWN } from "../base/text.ts";
import type { Tokens } from "../record/episode-record.ts";
import type { Verdict } from "../record/grades.ts";
import { addModelUse, type ModelUse, useOfTurn } from "../record/model-use.ts";
import type { Trajectory, Usage } from "../record/trajectory.ts";

/** Tokens and cost of one side. */
export interface Spent {
  readonly tokens: Tokens;
  readonly costUsd: number | null;
  readonly use: ModelUse;
}

const BYTES_PER_TOKEN = 4;

/**
 * Sums up what a side used. A sum is null if there is nothing to add, or if a part of it is unknown: what is unknown is not
 * zero.
 */
export function spentBy(trajectory: Trajectory): Spent {
  const turns = trajectory.filter((event) => event.type === "model");
  const calls = trajectory.filter((event) => event.type === "tool");
  const bytes = calls.reduce((sum, { text }) => sum + Buffer.byteLength(cutMiddle(text, MOST_SHOWN)), 0);
  return {
    tokens: {
      prompt: sumOf(turns.map(({ usage }) => usage.prompt)),
      cachedPrompt: sumOf(turns.map(({ usage }) => usage.cachedPrompt)),
      output: sumOf(turns.map(({ usage }) => usage.output)),
      reasoning: sumOf(turns.map(({ usage }) => usage.reasoning ?? null)),
      toolResponse: calls.length === 0 ? null : Math.ceil(bytes / BYTES_PER_TOKEN),
    },
    costUsd: sumOf(turns.map(({ costUsd }) => costUsd)),
    use: addModelUse(turns.map(useOfTurn)),
  };
}

/** Sums up what judges used; those that are no models count nothing. */
export function spentByJudges(verdicts: readonly Verdict[]): Spent {
  const asked = verdicts.filter(({ usage }) => usage !== null);
  const sum = (key: keyof Usage) => sumOf(asked.map(({ usage }) => usage?.[key] ?? null));
  return {
    tokens: {
      prompt: sum("prompt"),
      cachedPrompt: sum("cachedPrompt"),
      output: sum("output"),
      reasoning: sum("reasoning"),
      toolResponse: null,
    },
    costUsd: sumOf(asked.map(({ costUsd }) => costUsd)),
    use: addModelUse(verdicts.flatMap(({ use }) => (use === undefined ? [] : [use]))),
  };
}

/** The sum, or null if there is nothing to add or a part is null. */
export function sumOf(parts: readonly (number | null)[]): number | null {
  if (parts.length === 0) return null;
  return parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0);
}
