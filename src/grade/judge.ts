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
  /** Rejects if it could not judge, which becomes its verdict's error. */
  judge(input: JudgeInput): Promise<Verdict>;
}
