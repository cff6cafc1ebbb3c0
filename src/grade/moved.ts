import type { Fact } from "../suite/fact.ts";
import type { Evidence } from "./evidence.ts";

/**
 * Whether the world moved too far while the tested side worked: a number that the reference found before and after differs by
 * more than twice its tolerance. Then no value between can be told right from wrong.
 * @returns a sentence that names the fact, or null
 */
export function movedTooFar({ reference, alternatives }: Pick<Evidence, "reference" | "alternatives">): string | null {
  for (const { facts } of alternatives) {
    for (const before of reference.facts) {
      const after = facts.find(({ name }) => name === before.name);
      if (after !== undefined && isTooFar(before, after)) {
        return `the world moved too far: ${before.name} was ${String(before.value)}, then ${String(after.value)}`;
      }
    }
  }
  return null;
}

function isTooFar({ value: was, within }: Fact, { value: is }: Fact): boolean {
  // A value without a tolerance is taken for one that may change in steps; it is right if either reference has it.
  return typeof was === "number" && typeof is === "number" && within > 0 && Math.abs(was - is) > 2 * within;
}
