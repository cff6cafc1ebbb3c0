import type { AgentSummary } from "../analysis/summary.ts";
import type { ModelUse } from "../record/model-use.ts";
import { counted, shareText } from "./result-table.ts";

const number = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const dollars = new Intl.NumberFormat("en-US", { minimumFractionDigits: 4, maximumFractionDigits: 4 });

/**
 * What models used in all episodes, a line for each agent and party that asked one; how many verdicts are an error; and how often a model that played the
 * reference left the plan. A sum of which a part is unknown is shown as a lower bound.
 */
export function modelUseLines(agents: readonly AgentSummary[]): string[] {
  return agents.flatMap(({ agent, modelUse, deviations, judgeErrors }) => [
    ...Object.entries(judgeErrors).flatMap(([judge, errors]) =>
      errors === 0 ? [] : [`${agent}, ${judge}: ${counted(errors, "verdict")} without a score, in no mean`],
    ),
    ...(["agent", "reference", "judge"] as const).flatMap((party) =>
      modelUse[party].calls === 0 ? [] : [`${agent}, ${party}: ${useText(modelUse[party])}`],
    ),
    ...(deviations.episodes === 0
      ? []
      : [
          `${agent}, reference: left the plan in ${deviations.deviating} of ${counted(deviations.episodes, "episode")} (${shareText(deviations.deviating / deviations.episodes)}), ${counted(deviations.total, "deviation")}`,
        ]),
  ]);
}

function useText({ calls, cached, unknown, unpriced, ...sums }: ModelUse): string {
  const { prompt, cachedPrompt, output, reasoning, costUsd } = sums;
  const bound = (text: string, missing: number) =>
    missing === 0 ? text : `≥ ${text} (${counted(missing, "call")} unknown)`;
  const of = (part: number, name: string) => (part === 0 ? "" : `, ${number.format(part)} of them ${name}`);
  const tokens = `${number.format(prompt)} prompt tokens${of(cachedPrompt, "cached")} and ${number.format(output)} output${of(reasoning, "reasoning")}`;
  const parts = [counted(calls, "model call"), unknown === calls ? "tokens unknown" : bound(tokens, unknown)];
  if (unpriced < calls) parts.push(bound(`${dollars.format(costUsd)} USD`, unpriced));
  if (cached > 0) parts.push(`${counted(cached, "answer")} from the response cache`);
  return parts.join("; ");
}
