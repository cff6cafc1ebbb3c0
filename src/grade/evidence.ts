import type { StoredEvidence } from "../record/stored-evidence.ts";
import type { Trajectory } from "../record/trajectory.ts";

/** All that an episode is graded on. Graders see nothing else, so that a stored episode gets the same grades again. */
export interface Evidence extends StoredEvidence {
  readonly trajectories: { readonly reference: Trajectory; readonly tested: Trajectory };
}
