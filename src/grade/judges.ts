import type { Judge } from "./judge.ts";
import { rulesJudge } from "./rules-judge.ts";

/** The judges that need no model. */
export const builtInJudges: readonly Judge[] = [rulesJudge];
