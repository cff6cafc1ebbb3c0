import type { Judge } from "../grade/judge.ts";
import { resolveJudge } from "../grade/judges.ts";

/** The judges of the names that `--judge` gives, each once. @throws TandemError `usage.unknown-judge` */
export function resolveJudges(names: readonly string[]): Judge[] {
  return [...new Set(names)].map(resolveJudge);
}
