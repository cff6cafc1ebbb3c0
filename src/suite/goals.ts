import type { Json, JsonObject } from "../base/json.ts";
import { ExpressionError, evaluateExpression } from "./expression.ts";
import type { Query } from "./schema.ts";

/** What the goals of a query are asked over. */
export interface GoalEvidence {
  readonly given: JsonObject;
  /** What expressions see of the servers' states at both ends, by server. */
  readonly start: Readonly<Record<string, Json>>;
  readonly end: Readonly<Record<string, Json>>;
  /** Values of the answer's facts by name. */
  readonly answer: JsonObject;
  readonly now: string;
}

/** Whether one goal holds. A goal that cannot be evaluated does not hold, and says why. */
export interface GoalCheck {
  readonly text: string;
  readonly holds: boolean;
  readonly error?: string;
}

/** Evaluates all goals of a query. Never throws for what a goal or a state holds. */
export function checkGoals(query: Pick<Query, "goal">, evidence: GoalEvidence): GoalCheck[] {
  const { given, start, end, answer, now } = evidence;
  const scope = { ...given, start, end, answer, now };
  return query.goal.map((text) => {
    try {
      const value = evaluateExpression(text, scope);
      if (typeof value === "boolean") return { text, holds: value };
      return { text, holds: false, error: "the goal is neither true nor false" };
    } catch (thrown) {
      if (!(thrown instanceof ExpressionError)) throw thrown;
      return { text, holds: false, error: thrown.message };
    }
  });
}
