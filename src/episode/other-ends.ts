import { factsOf, plannedAgent } from "../agent/planned.ts";
import type { Snapshot } from "../record/snapshot.ts";
import type { Trajectory } from "../record/trajectory.ts";
import type { World } from "../sandbox/world.ts";
import type { Fact } from "../suite/fact.ts";
import type { Step } from "../suite/schema.ts";
import { inSide } from "./failure.ts";
import { NO_OFFER, type OpenSide, openSide, type SideSetting } from "./open-side.ts";

/** An end beside the reference's own. */
export interface OtherEnd {
  readonly id: string;
  readonly world: World;
  /** Null if the steps could not be followed to their end. */
  readonly end: Snapshot | null;
  readonly facts: readonly Fact[];
  readonly trajectory: Trajectory;
  /** Why there is no end. */
  readonly detail: string;
}

/** Runs each variant of the plan on a copy of its own, one after the other. */
export async function runVariants(setting: SideSetting, open: OpenSide[]): Promise<OtherEnd[]> {
  const ends: OtherEnd[] = [];
  for (const { id, steps, answer } of setting.prepared.loaded.plan.variants ?? []) {
    ends.push(await runAgain(setting, id, { steps, ...(answer === undefined ? {} : { answer }) }, open));
  }
  return ends;
}

/** Follows the plan, or a variant of it, on a fresh copy of the start. */
export async function runAgain(
  setting: SideSetting,
  id: string,
  other: { readonly steps?: readonly Step[]; readonly answer?: SideSetting["prepared"]["loaded"]["plan"]["answer"] },
  open: OpenSide[],
): Promise<OtherEnd> {
  return inSide("reference", async () => {
    const side = await openSide(setting, "reference", id);
    open.push(side);
    const { loaded, instance } = setting.prepared;
    const agent = plannedAgent(id, { plan: loaded.plan, scope: instance.scope, ...other });
    const { stop, trajectory } = await side.run(agent, NO_OFFER, performance.now());
    const ended = stop.reason === "answered";
    return {
      id,
      world: side.world,
      end: ended ? await side.pool.snapshot() : null,
      facts: factsOf(agent),
      trajectory,
      detail: ended ? "" : `${stop.reason}: ${stop.detail}`,
    };
  });
}
