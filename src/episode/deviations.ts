import { diffArrays } from "diff";
import { canonicalJson } from "../base/canonical-json.ts";
import { type Trajectory, toolCalls } from "../record/trajectory.ts";

/** The calls of a side that follows the plan, and the ids that it minted. */
export interface FollowedPlan {
  readonly trajectory: Trajectory;
  readonly minted: readonly string[];
}

const LONGEST = 200;

/**
 * Where a model that plays the reference left the plan: calls that the interpreter makes and it did not, and the other way
 * round, in the order of the plan. Calls that did not work are left out on both sides, so that a repeat is no deviation, and an
 * id that a side minted counts as the same as the one that stands in its place on the other.
 */
export function deviationsOf(model: FollowedPlan, interpreter: FollowedPlan): string[] {
  const parts = diffArrays(callTexts(interpreter), callTexts(model));
  return parts.flatMap(({ added, removed, value }) => {
    if (!added && !removed) return [];
    return value.map((call) => `${added ? "added" : "left out"}: ${call.slice(0, LONGEST)}`);
  });
}

function callTexts({ trajectory, minted }: FollowedPlan): string[] {
  const numbers = new Map(minted.map((id) => [id, 0]));
  let seen = 0;
  // Ids have letters, digits and underscores alone, so they can stand in a pattern as they are.
  const anyId = minted.length === 0 ? null : new RegExp(minted.join("|"), "g");
  const mask = (text: string) =>
    anyId === null
      ? text
      : text.replace(anyId, (id) => {
          if (numbers.get(id) === 0) numbers.set(id, ++seen);
          return `new id ${numbers.get(id)}`;
        });
  return toolCalls(trajectory)
    .filter(({ outcome, server }) => outcome === "ok" && server !== null)
    .map((call) => mask(`${call.server}.${call.tool} ${canonicalJson(call.arguments)}`));
}
