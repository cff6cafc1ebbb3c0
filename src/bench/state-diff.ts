import { performance } from "node:perf_hooks";
import type { Json } from "../base/json.ts";
import { drawId, random } from "../base/random.ts";
import { diffState } from "../grade/state/diff.ts";

/** One row of the bench. */
export interface BenchResult {
  readonly name: string;
  readonly figures: Record<string, number>;
}

const RUNS = 9;

/**
 * Times the state diff: a large state with few changes, its growth with the size of the state, and many new records that
 * all differ. Times are in milliseconds, the least of several runs.
 */
export function benchStateDiff(): BenchResult[] {
  const small = largeState(100_000);
  const large = largeState(200_000);
  const copied = leastMs(() => diffState(small.copied));
  const twice = leastMs(() => diffState(large.copied));
  const shared = leastMs(() => diffState(small.shared));
  const keyed = differingRecords(2000, "keyed");
  const listed = differingRecords(2000, "listed");
  return [
    {
      name: "state diff, 100 000 leaves, 100 changes",
      figures: { copiedMs: copied, sharedMs: shared, ratioOf200kTo100k: twice / copied },
    },
    {
      name: "state diff, 2 000 new records that differ",
      figures: { underMintedKeysMs: leastMs(() => diffState(keyed)), inAnArrayMs: leastMs(() => diffState(listed)) },
    },
  ];
}

/** The least time of several runs, in milliseconds. */
function leastMs(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    work();
    least = Math.min(least, performance.now() - start);
  }
  return Math.round(least * 100) / 100;
}

interface States {
  readonly before: Json;
  readonly reference: Json;
  readonly after: Json;
}

/** Apps with keyed records and lists, ten leaves a record; the ends change 100 leaves, one record is added to each list. */
function largeState(leaves: number): { copied: States; shared: States } {
  const source = random(leaves, "bench/state");
  const ids = Array.from({ length: leaves / 20 }, () => drawId(source, "item"));
  const record = (at: number) => ({
    name: `item ${at}`,
    price: source.int(100, 10_000) / 100,
    stock: source.int(0, 50),
    seller: ids[source.int(0, ids.length - 1)] as string,
    open: source.chance(0.5),
    note: null,
    size: { width: source.int(1, 90), height: source.int(1, 90), depth: source.int(1, 90) },
    text: "a description of some length, as shops have it",
  });
  const items = Object.fromEntries(ids.map((id, at) => [id, record(at)]));
  const list = ids.map((id, at) => ({ ...record(at), id }));
  const before = { Shop: { items }, Files: { list } };
  const end = (): typeof before => {
    const changed = { ...items };
    for (const id of ids.slice(0, 100)) changed[id] = { ...(changed[id] as ReturnType<typeof record>), stock: 99 };
    const added = { ...record(0), id: drawId(source, "minted") };
    return {
      Shop: { items: changed },
      Files: { list: [...list, { ...added, name: "added", seller: ids[0] as string }] },
    };
  };
  const shared = { before, reference: end(), after: end() };
  // Each state by itself: one clone of all three would keep what they share.
  const copied = {
    before: structuredClone(before),
    reference: structuredClone(shared.reference),
    after: structuredClone(shared.after),
  };
  return { shared, copied };
}

/** Two ends that each add as many records, of which no two are equal. */
function differingRecords(count: number, form: "keyed" | "listed"): States {
  const end = (side: string): Json => {
    const source = random(1, `bench/${side}`);
    const records = Array.from({ length: count }, (_, at) => ({
      id: drawId(source, "message"),
      kind: "text",
      text: `${side} writes message ${at}`,
      place: at % 40,
      number: at,
    }));
    return form === "listed" ? { list: records } : { list: Object.fromEntries(records.map((one) => [one.id, one])) };
  };
  return { before: { list: form === "listed" ? [] : {} }, reference: end("reference"), after: end("after") };
}
