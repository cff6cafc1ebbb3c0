import type { Agent } from "../agent/agent.ts";
import { type PlannedAgent, plannedAgent } from "../agent/planned.ts";
import { random } from "../base/random.ts";
import type { Snapshot } from "../record/snapshot.ts";
import { toolsOfPlan } from "../suite/plan-calls.ts";
import { inSide, type Role } from "./failure.ts";
import { chooseOffer, type Offer, offerOf } from "./offered.ts";
import { NO_OFFER, type OpenSide, openSide, type SideOffer, type SideSetting } from "./open-side.ts";
import type { SideOutput } from "./side.ts";

/** What both sides did. */
export interface Pair {
  readonly sides: Readonly<Record<Role, OpenSide>>;
  readonly outputs: Readonly<Record<Role, SideOutput>>;
  /** What the tested agent was offered. */
  readonly offer: Offer;
  /** The reference's agent, which knows the facts; null if a model played it. */
  readonly planned: PlannedAgent | null;
  /** The state before both were let go. */
  readonly before: Snapshot;
}

/**
 * Opens both sides at once, lets both go at one moment, and waits for both.
 * @param follower plays the reference; null for the plan's interpreter
 * @param open gets each side as soon as it is open, for the caller to close
 */
export async function runPair(
  setting: SideSetting,
  tested: Agent,
  follower: Agent | null,
  open: OpenSide[],
): Promise<Pair> {
  const { plan } = setting.prepared.loaded;
  const sides = await openBoth(setting, open);
  const offered = await inSide("tested", () => offerTo(setting, sides.tested));
  const before = await inSide("reference", () => sides.reference.pool.snapshot());
  const planned = plannedAgent("reference", { plan, scope: setting.prepared.instance.scope });
  const toFollower =
    follower === null
      ? NO_OFFER
      : await inSide("reference", () => offerTo({ ...setting, distractors: 0 }, sides.reference));

  const barrier = performance.now();
  const [referenceOutput, testedOutput] = await Promise.all([
    sides.reference.run(follower ?? planned, toFollower, barrier),
    sides.tested.run(tested, offered, barrier),
  ]);

  return {
    sides,
    outputs: { reference: referenceOutput, tested: testedOutput },
    offer: offerOf(offered.tools),
    planned: follower === null ? planned : null,
    before,
  };
}

/** What an agent of a side is told of. */
async function offerTo({ prepared, seed, salt, distractors }: SideSetting, side: OpenSide): Promise<SideOffer> {
  const { query, plan } = prepared.loaded;
  return chooseOffer(await side.pool.tools(), {
    needed: toolsOfPlan(plan),
    most: distractors,
    draw: random(seed, `distractors/${query.id}`, salt),
  });
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
