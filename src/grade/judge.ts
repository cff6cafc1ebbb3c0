import type { JsonObject } from "../base/json.ts";
import type { FactGrade, StateGrade, Verdict } from "../record/grades.ts";
import type { Evidence } from "./evidence.ts";

/** What a judge looks at: the evidence, and what the deterministic graders found in it. */
export interface JudgeInput {
  readonly evidence: Evidence;
  /** Null where no state is scored, or where it could not be compared. */
  readonly state: StateGrade | null;
  /** Null where the query asks for no facts, or where they could not be compared. */
  readonly facts: readonly FactGrade[] | null;
}

/** Gives Likert scores for the result and the trajectory of the tested side. */
export interface Judge {
  /** Its name in reports and records. */
  readonly name: string;
  /** What its verdicts depend on beside the evidence, without a secret: a run records it. */
  readonly configuration?: JsonObject;
  /** Rejects if it could not judge, which becomes its verdict's error. The signal fires when its time is over. */
  judge(input: JudgeInput, signal: AbortSignal): Promise<Verdict>;
}
