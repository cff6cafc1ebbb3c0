import { gradeEpisode } from "../grade/grade.ts";
import type { Judge } from "../grade/judge.ts";
import type { EpisodeRecord } from "../record/episode-record.ts";
import type { Verdict } from "../record/grades.ts";
import { addModelUse } from "../record/model-use.ts";
import type { StoredRun } from "../record/run-reader.ts";
import { spentByJudges, sumOf } from "./usage.ts";

/**
 * Grades a stored episode again by all graders and the given judges; what it says of judges is of these alone.
 * @throws TandemError `record.missing` if its evidence is gone
 */
export async function regrade(
  stored: Pick<StoredRun, "trajectories" | "evidence">,
  record: EpisodeRecord,
  judges: readonly Judge[],
): Promise<EpisodeRecord> {
  const evidence = await stored.evidence(record);
  const trajectories = await stored.trajectories(record);
  const { calls, ...grades } = await gradeEpisode({ ...evidence, trajectories }, judges);
  return withJudges(
    {
      ...record,
      ...grades,
      reference: record.reference === null ? null : { ...record.reference, calls: calls.reference },
      tested: record.tested === null ? null : { ...record.tested, calls: calls.tested },
    },
    grades.judges,
  );
}

/** The judges among `judges` that a record has no verdict of, or one that is an error. */
export function unjudgedBy(
  { outcome, judges }: Pick<EpisodeRecord, "outcome" | "judges">,
  all: readonly Judge[],
): Judge[] {
  if (outcome !== "pass" && outcome !== "fail") return [];
  return all.filter(({ name }) => judges[name]?.error !== null);
}

/**
 * Asks judges that failed once more. What the failed verdicts used stays counted.
 * @throws TandemError `record.missing`
 */
export async function judgeAgain(
  stored: Pick<StoredRun, "trajectories" | "evidence">,
  record: EpisodeRecord,
  judges: readonly Judge[],
): Promise<EpisodeRecord> {
  const again = await regrade(stored, record, judges);
  const renewed = Object.entries(again.judges).map(([name, verdict]) => {
    const before = record.judges[name];
    return [name, before === undefined ? verdict : withSpent(verdict, before)] as const;
  });
  return withJudges(record, { ...record.judges, ...Object.fromEntries(renewed) });
}

function withJudges(record: EpisodeRecord, judges: EpisodeRecord["judges"]): EpisodeRecord {
  const { tokens, costUsd, use } = spentByJudges(Object.values(judges));
  return {
    ...record,
    judges,
    tokens: { ...record.tokens, judge: tokens },
    costUsd: { ...record.costUsd, judge: costUsd },
    modelUse: { ...record.modelUse, judge: use },
  };
}

function withSpent(verdict: Verdict, before: Verdict): Verdict {
  if (verdict.usage === null || before.usage === null || before.use === undefined) return verdict;
  const [now, then] = [verdict.usage, before.usage];
  return {
    ...verdict,
    usage: {
      prompt: sumOf([now.prompt, then.prompt]),
      cachedPrompt: sumOf([now.cachedPrompt, then.cachedPrompt]),
      output: sumOf([now.output, then.output]),
      reasoning: sumOf([now.reasoning ?? null, then.reasoning ?? null]),
    },
    costUsd: sumOf([verdict.costUsd, before.costUsd]),
    use: addModelUse(verdict.use === undefined ? [before.use] : [verdict.use, before.use]),
  };
}
