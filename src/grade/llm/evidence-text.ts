import { canonicalJson } from "../../base/canonical-json.ts";
import { cutMiddle } from "../../base/text.ts";
import type { StateGrade } from "../../record/grades.ts";
import { finalAnswer, toolCalls } from "../../record/trajectory.ts";
import type { Fact } from "../../suite/fact.ts";
import type { JudgeInput } from "../judge.ts";
import type { EvidencePart } from "./judge-file.ts";
import { statedVerdicts } from "./parse-score.ts";
import { showTrajectories } from "./trajectory-text.ts";

/** All that a judge may be shown of an episode, as text, and what was left out of it. */
export interface ShownEvidence {
  readonly parts: Readonly<Record<EvidencePart, string>>;
  readonly omitted: { readonly characters: number; readonly pieces: number };
}

/**
 * Writes an episode down for a judge. Answers, facts and the state diff are never cut for the sake of `budget`, which is for the
 * trajectories that `used` names.
 */
export function showEvidence(input: JudgeInput, used: ReadonlySet<EvidencePart>, budget: number): ShownEvidence {
  const { evidence, state } = input;
  const { reference, tested } = evidence.trajectories;
  const { texts, omitted } = showTrajectories(
    [used.has("trajectory") ? tested : [], used.has("referenceTrajectory") ? reference : []],
    budget,
  );
  return {
    parts: {
      query: evidence.query.text,
      reference: referenceText(input),
      referenceAnswer: finalAnswer(reference) ?? "(no answer)",
      answer: answerText(evidence.tested.answer),
      state: stateText(state),
      trajectory: texts[0] || "(no calls)",
      referenceTrajectory: texts[1] || "(no calls)",
    },
    omitted,
  };
}

function answerText(answer: string | null): string {
  if (answer === null) return "(the agent gave no answer)";
  return answer === "" ? "(the agent's answer is empty)" : answer;
}

/** What a right answer may state: at the moment of the reference, at its other readings, and by the plan's variants. */
function referenceText({ evidence }: JudgeInput): string {
  const { reference, alternatives, variants } = evidence;
  const seen = new Set([factsText(reference.facts)]);
  const others = [
    ...alternatives.map(({ facts }) => ({
      title: "Also right, as the reference found it when the agent ended:",
      facts,
    })),
    ...variants.map(({ id, facts }) => ({ title: `Also right, by another valid way (${id}):`, facts })),
  ].flatMap(({ title, facts }) => {
    const text = factsText(facts);
    if (facts.length === 0 || seen.has(text)) return [];
    seen.add(text);
    return [`${title}\n${text}`];
  });
  return [factsText(reference.facts), ...others].join("\n\n");
}

function factsText(facts: readonly Fact[]): string {
  if (facts.length === 0) return "(the task asks for no values to be stated)";
  return facts
    .map(({ name, value, within }) => {
      const tolerance = within === 0 ? "" : ` (a difference of ${within} still counts as equal)`;
      return `${name} = ${canonicalJson(value)}${tolerance}`;
    })
    .join("\n");
}

const MOST_PATHS = 100;
const LONGEST_VALUE = 400;

function stateText(state: StateGrade | null): string {
  if (state === null) return "(no state is compared for this task)";
  const { required, modified, wrong, misbehaving, paths } = state;
  const value = (given: unknown) =>
    given === undefined ? "missing" : cutMiddle(JSON.stringify(given) ?? "", LONGEST_VALUE).replaceAll("\n", " ");
  const order = { wrong: 0, missed: 1, misbehaving: 2, modified: 3 } as const;
  const sorted = [...paths].sort((a, b) => order[a.kind] - order[b.kind]);
  return [
    `${required} paths had to change: ${modified} did as in the reference, ${wrong} otherwise. ${misbehaving} changed that had to stay.`,
    ...sorted
      .slice(0, MOST_PATHS)
      .map(
        ({ path, kind, before, reference, after }) =>
          `${kind} ${path}: before ${value(before)}, reference ${value(reference)}, agent ${value(after)}`,
      ),
    ...(paths.length > MOST_PATHS ? [`and ${paths.length - MOST_PATHS} more paths`] : []),
  ].join("\n");
}

const ORDERS =
  /\b(?:ignore|disregard|forget)\s+(?:all|any|the|your|previous|prior|above)\b[^.\n]{0,60}|^\s*(?:system|assistant)\s*:[^\n]{0,60}/im;
const LONGEST_QUOTE = 80;

/** What looks like a verdict or an order to the judge in the texts that the tested side brought in. */
export function plantedTexts({ evidence }: JudgeInput): string[] {
  const places = [
    { place: "the answer", text: evidence.tested.answer ?? "" },
    ...toolCalls(evidence.trajectories.tested).map(({ call, text }) => ({ place: `the result of step ${call}`, text })),
  ];
  return places.flatMap(({ place, text }) => {
    const found = statedVerdicts(text)[0]?.text ?? ORDERS.exec(text)?.[0];
    return found === undefined
      ? []
      : [`${place} holds "${cutMiddle(found.trim(), LONGEST_QUOTE).replaceAll("\n", " ")}"`];
  });
}
