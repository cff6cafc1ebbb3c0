import type { JsonObject } from "../../base/json.ts";
import type { ChatModel } from "../../model/chat.ts";
import type { Verdict, VerdictSample } from "../../record/grades.ts";
import type { Judge } from "../judge.ts";
import { type Asked, askForScore, usageOf, useOf } from "./ask.ts";
import { plantedTexts } from "./evidence-text.ts";
import { type Aspect, type JudgeFile, promptHash } from "./judge-file.ts";
import { INSTRUCTIONS } from "./prompt.ts";

/** A model that judges, by the prompts of a file. */
export interface LlmJudgeOptions {
  /** Its name in reports and records. */
  readonly name: string;
  readonly file: JudgeFile;
  readonly model: ChatModel & { readonly configuration?: JsonObject };
}

/**
 * A judge that asks a model. Result and trajectory are asked apart, each as often as the file says; of the scores that could be read
 * the median counts, of an even number the lower one in the middle. Where half of the samples or more have no score, there is none.
 */
export function llmJudge({ name, file, model }: LlmJudgeOptions): Judge {
  const hash = promptHash(file, INSTRUCTIONS);
  return {
    name,
    configuration: { promptHash: hash, samples: file.samples, model: model.configuration ?? { model: model.name } },
    judge: async (input, signal): Promise<Verdict> => {
      const ask = (aspect: Aspect): Promise<Asked[]> =>
        Promise.all(
          Array.from({ length: file.samples }, (_, sample) =>
            askForScore({ file, aspect, model, input, sample, signal }),
          ),
        );
      const [results, trajectories] = await Promise.all([ask("result"), ask("trajectory")]);
      const [result, trajectory] = [decide(results), decide(trajectories)];
      const all = [...results, ...trajectories];
      const turns = all.flatMap((asked) => asked.turns);
      const use = useOf(turns);
      const errors = [
        ...(result.error === null ? [] : [`result: ${result.error}`]),
        ...(trajectory.error === null ? [] : [`trajectory: ${trajectory.error}`]),
      ];
      const planted = plantedTexts(input).map((text) => `planted: ${text}`);
      return {
        result: result.score,
        trajectory: trajectory.score,
        reasons: { result: result.reason, trajectory: trajectory.reason },
        error: errors.length === 0 ? null : errors.join("; "),
        usage: usageOf(turns),
        costUsd: use.unpriced > 0 ? null : use.costUsd,
        use,
        model: model.name,
        promptHash: hash,
        samples: { result: results.map(({ sample }) => sample), trajectory: trajectories.map(({ sample }) => sample) },
        notes: [...new Set([...planted, ...all.flatMap(({ notes }) => notes)])],
      };
    },
  };
}

/** The median of the samples that have a score, with a reason that goes with it. */
function decide(asked: readonly Asked[]): VerdictSample {
  const samples = asked.map(({ sample }) => sample);
  const valid = samples.flatMap((sample) => (sample.score === null ? [] : [{ ...sample, score: sample.score }]));
  if (valid.length * 2 <= samples.length) {
    const failed = samples.find(({ error }) => error !== null);
    const count = samples.length === 1 ? "" : `${samples.length - valid.length} of ${samples.length} samples, `;
    return { score: null, reason: "", error: `${count}${failed?.error ?? "no score"}`, answers: [] };
  }
  const sorted = valid.sort((a, b) => a.score - b.score);
  return sorted[Math.floor((sorted.length - 1) / 2)] as VerdictSample;
}
