import { TandemError } from "../base/errors.ts";
import type { Judge } from "./judge.ts";
import { rulesJudge } from "./rules-judge.ts";

/** The judges that need no model. */
export const builtInJudges: readonly Judge[] = [rulesJudge];

/** The judge of a name. @throws TandemError `usage.unknown-judge` */
export function resolveJudge(name: string): Judge {
  const found = builtInJudges.find((judge) => judge.name === name);
  if (found !== undefined) return found;
  throw new TandemError("usage.unknown-judge", `there is no judge ${name}`, {
    hint: `Judges: ${builtInJudges.map((judge) => judge.name).join(", ")}.`,
  });
}
