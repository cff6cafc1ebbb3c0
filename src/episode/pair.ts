import type { Agent } from "../agent/agent.ts";
import { type PlannedAgent, plannedAgent } from "../agent/planned.ts";
import type { Snapshot } from "../record/snapshot.ts";
import { inSide, type Role } from "./failure.ts";
import { type Offer, offerOf } from "./offered.ts";
import { type OpenSide, openSide, type SideSetting } from "./open-side.ts";
import type { SideOutput } from "./side.ts";

/** What both sides did. */
export interface Pair {
  readonly sides: Readonly<Record<Role, OpenSide>>;
  readonly outputs: Readonly<Record<Role, SideOutput>>;
  /** What the tested agent was offered. */
  readonly offer: Offer;
  /** The reference's agent, which knows the facts. */
  readonly planned: PlannedAgent;
  /** The state before both were let go. */
  readonly before: Snapshot;
}

/**
 * Opens both sides at once, lets both go at one moment, and waits for both.
 * @param open gets each side as soon as it is open, for the caller to close
 */
export async function runPair(setting: SideSetting, tested: Agent, open: OpenSide[]): Promise<Pair> {
  const { plan } = setting.prepared.loaded;
  const sides = await openBoth(setting, open);
  const offered = await inSide("tested", () => sides.tested.pool.tools());
  const before = await inSide("reference", () => sides.reference.pool.snapshot());
  const planned = plannedAgent("reference", { plan, scope: setting.prepared.instance.scope });

  const barrier = performance.now();
  const [referenceOutput, testedOutput] = await Promise.all([
    sides.reference.run(planned, [], barrier),
    sides.tested.run(tested, offered, barrier),
  ]);

  return {
    sides,
    outputs: { reference: referenceOutput, tested: testedOutput },
    offer: offerOf(offered),
    planned,
    before,
  };
}

/** The states of both sides at one moment, after both have ended. */
export async function snapshotPair({ sides }: Pair): Promise<Record<Role, Snapshot>> {
  const [reference, tested] = await Promise.all([
    inSide("reference", () => sides.reference.pool.snapshot()),
    inSide("tested", () => sides.tested.pool.snapshot()),
  ]);
  return { reference, tested };
}

/** If one side does not open, the other is closed by the caller all the same. */
async function openBoth(setting: SideSetting, open: OpenSide[]): Promise<Record<Role, OpenSide>> {
  const opening = (role: Role) =>
    inSide(role, async () => {
      const side = await openSide(setting, role);
      open.push(side);
      return side;
    });
  const [reference, tested] = await Promise.allSettled([opening("reference"), opening("tested")]);
  if (reference.status === "rejected") throw reference.reason;
  if (tested.status === "rejected") throw tested.reason;
  return { reference: reference.value, tested: tested.value };
}
