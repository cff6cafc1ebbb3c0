import { TandemError } from "../../base/errors.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { StateGrade, StatePath } from "../../record/grades.ts";
import type { Snapshot } from "../../record/snapshot.ts";
import type { StateRules } from "../../suite/schema.ts";
import { findDifferences, pathOf, summarise } from "./diff.ts";
import { maskState } from "./mask.ts";
import type { IdForms } from "./minted.ts";
import type { DiffEntry } from "./walk.ts";
import { type CallWrites, createPathIndex, type PathIndex, writtenParts } from "./writes.ts";

/** What {@link compareSnapshots} compares. */
export interface SnapshotComparison {
  readonly before: Snapshot;
  readonly reference: Snapshot;
  readonly after: Snapshot;
  /** The query's rules; expressions in them have been evaluated. */
  readonly rules: StateRules;
  /** The reference's calls with the paths that they changed; calls that changed nothing may be left out. */
  readonly referenceWrites: readonly CallWrites[];
  /** The same of the tested side. */
  readonly testedWrites: readonly CallWrites[];
  /** The workdir of each side, as it may stand in texts. Left out: nothing is masked. */
  readonly mask?: { readonly reference: string; readonly after: string; readonly before?: string };
}

/**
 * Grades the tested side's end state against the reference's (DESIGN §6). Volatile paths of any of the three snapshots are
 * left out. Minted are the ids that the end snapshots list and, for third-party servers, UUIDs that the start state has
 * not; without a sandbox, unseen ids of the sandbox form as well. With a sandbox such an id is one that the agent made up.
 *
 * `effects` counts the reference's writing calls. A call whose writes left nothing behind that had to change (they were
 * undone, are volatile or are ignored) is not among them.
 * @throws TandemError `internal.missing-snapshot` if a server is not in all three snapshots
 */
export function compareSnapshots(comparison: SnapshotComparison): StateGrade {
  const { rules, mask } = comparison;
  const snapshots = [comparison.before, comparison.reference, comparison.after];
  requireSameServers(comparison);
  const states = {
    before: maskState(comparison.before.servers, mask?.before ?? ""),
    reference: maskState(comparison.reference.servers, mask?.reference ?? ""),
    after: maskState(comparison.after.servers, mask?.after ?? ""),
  };
  const known = new Set(comparison.before.minted);
  const minted = {
    reference: comparison.reference.minted.filter((id) => !known.has(id)),
    after: comparison.after.minted.filter((id) => !known.has(id)),
  };
  const sandbox = snapshots.some((snapshot) => snapshot.worldTime !== null || snapshot.minted.length > 0);
  const forms: IdForms = sandbox ? "uuid" : "all";
  const ignore = [...rules.ignore, ...new Set(snapshots.flatMap((snapshot) => snapshot.volatile))];
  const { entries, approximate } = findDifferences({ ...states, minted }, { ...rules, ignore }, forms);

  const all = Object.values(states);
  const writers = createPathIndex<number>();
  for (const { call, paths } of comparison.testedWrites) {
    for (const path of paths) writers.add(writtenParts(path, all), call);
  }
  const show = (entry: DiffEntry): StatePath => {
    const writtenBy = writersOf(entry, writers);
    return { ...pathOf(entry), ...(writtenBy.length === 0 ? {} : { writtenBy }) };
  };
  return {
    ...summarise(entries, approximate, show),
    effects: countEffects(entries, comparison.referenceWrites, all),
  };
}

/**
 * The paths at which two end states differ, other than in the spelling of minted ids; empty if they are equal.
 * @param start the state that both began with
 * @throws TandemError `internal.missing-snapshot` if a server is not in all three snapshots
 */
export function equalSnapshots(a: Snapshot, b: Snapshot, start: Snapshot, rules: StateRules): string[] {
  const grade = compareSnapshots({
    before: start,
    reference: a,
    after: b,
    rules,
    referenceWrites: [],
    testedWrites: [],
  });
  return grade.paths.filter((path) => path.kind !== "modified").map((path) => path.path);
}

function requireSameServers({ before, reference, after }: SnapshotComparison): void {
  const sides: [string, JsonObject][] = [
    ["start", before.servers],
    ["reference's", reference.servers],
    ["tested side's", after.servers],
  ];
  const names = new Set(sides.flatMap(([, servers]) => Object.keys(servers)));
  for (const [side, servers] of sides) {
    for (const server of names) {
      if (Object.hasOwn(servers, server)) continue;
      throw new TandemError("internal.missing-snapshot", `the ${side} snapshot has no state of ${server}`, {
        hint: "A missing snapshot is never an empty state; take all three of the same servers.",
        details: { server },
      });
    }
  }
}

/** The tested side's calls that wrote a path, or a part above or below it, in order. */
function writersOf(entry: DiffEntry, writers: PathIndex<number>): number[] {
  if (entry.afterPath === null) {
    // The element is gone, or it is the reference's only: whoever wrote the array may have done it.
    const known = entry.arrayAt < entry.path.length && entry.before !== undefined && entry.after === undefined;
    return known ? inOrder(writers.touching(entry.path.slice(0, entry.arrayAt))) : [];
  }
  const exact = writers.touching(entry.afterPath);
  // Later calls may have moved the element, so that it was written under another index.
  const inArray = exact.length === 0 && entry.arrayAt < entry.afterPath.length;
  return inOrder(inArray ? writers.touching(entry.afterPath.slice(0, entry.arrayAt)) : exact);
}

function inOrder(calls: readonly number[]): number[] {
  return [...new Set(calls)].sort((a, b) => a - b);
}

function countEffects(
  entries: readonly DiffEntry[],
  writes: readonly CallWrites[],
  states: readonly Json[],
): StateGrade["effects"] {
  const known = writes.filter(({ paths }) => paths.length > 0);
  if (known.length === 0) return null;
  const required = createPathIndex<DiffEntry["kind"]>();
  for (const { kind, path } of entries) if (kind !== "misbehaving") required.add(path, kind);
  let total = 0;
  let done = 0;
  for (const { paths } of known) {
    const kinds = new Set(paths.flatMap((path) => required.touching(writtenParts(path, states))));
    if (kinds.size === 0) continue;
    total++;
    if (!kinds.has("missed") && !kinds.has("wrong")) done++;
  }
  return { done, total };
}
