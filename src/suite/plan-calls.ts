import type { Plan, Step } from "./schema.ts";

/** The tools that a plan, its recoveries and its variants may call, as `<Server>.<tool>`: what a query needs. */
export function toolsOfPlan({ steps, recover = [], variants = [] }: Plan): ReadonlySet<string> {
  const found = new Set<string>(recover.map(({ call }) => call));
  const walk = (list: readonly Step[]): void => {
    for (const step of list) {
      if ("call" in step) found.add(step.call);
      else if ("do" in step) walk(step.do);
    }
  };
  walk(steps);
  for (const variant of variants) walk(variant.steps);
  return found;
}
