import type { Json } from "../base/json.ts";
import { equal } from "../suite/expression/values.ts";
import { ExpressionError, resolveValue, type Scope } from "../suite/expression.ts";
import type { CompareKind, Fact } from "../suite/fact.ts";
import type { AnswerFact } from "../suite/schema.ts";

/**
 * The facts of an answer with their values. Where the value is no list, a foil that is one stands for its elements. A foil
 * that counts as the value on this seed is no foil and left out.
 * @throws ExpressionError if an expression fails, or a value is one that no sentence can state
 */
export function factsOf(answer: Readonly<Record<string, AnswerFact>>, scope: Scope): Fact[] {
  return Object.entries(answer).map(([name, fact]) => {
    const value = resolveValue(fact.value, scope);
    const compare = fact.compare ?? compareOf(name, value);
    const within = fact.within ?? 0;
    const foils = (fact.foils ?? [])
      .map((foil) => resolveValue(foil, scope))
      .flatMap((foil): readonly Json[] => (Array.isArray(foil) && !Array.isArray(value) ? foil : [foil]))
      .filter((foil) => foil !== null && !isSame(foil, value, within));
    return { name, value, compare, within, foils };
  });
}

function isSame(foil: Json, value: Json, within: number): boolean {
  if (typeof foil === "number" && typeof value === "number") return Math.abs(foil - value) <= within;
  return equal(foil, value, () => {});
}

function compareOf(name: string, value: Json): CompareKind {
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "string") return "text";
  if (Array.isArray(value)) return "list";
  const what = value === null ? "null" : "an object";
  throw new ExpressionError("value", `the answer's ${name} is ${what}, which no answer can state`);
}

/** Facts in plain prose: one line each, the fact's name and its value. */
export function answerText(facts: readonly Fact[]): string {
  if (facts.length === 0) return "Done.";
  return facts.map(({ name, value }) => `${name.replaceAll("_", " ")}: ${prose(value)}`).join("\n");
}

function prose(value: Json): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(prose).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
