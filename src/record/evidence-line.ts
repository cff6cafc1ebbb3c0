import { createHash } from "node:crypto";
import { isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import type { Location } from "./episode-record.ts";
import type { Snapshot } from "./snapshot.ts";
import { applyChanges, changesBetween, type StateChanges } from "./state-changes.ts";
import type { StoredEnd, StoredEvidence } from "./stored-evidence.ts";

/** A line of `states.jsonl` with the start state of one server, once for all episodes that began with it. */
export interface StateLine {
  readonly type: "state";
  readonly hash: string;
  readonly state: Json;
}

/** Where the start state of a server stands in `states.jsonl`. */
export interface StateRef extends Location {
  readonly hash: string;
}

type PackedStart = Omit<Snapshot, "servers"> & { readonly servers: Readonly<Record<string, StateRef>> };
/** An end state: what changed since the start. */
type PackedEnd = Omit<Snapshot, "servers"> & { readonly changes: StateChanges };
type PackedOther = Omit<StoredEnd, "end"> & { readonly end: PackedEnd | null };

/** A line of `states.jsonl` with the evidence of one episode. */
export interface EvidenceLine {
  readonly type: "evidence";
  readonly key: string;
  readonly before: PackedStart | null;
  readonly reference: Omit<StoredEvidence["reference"], "end"> & { readonly end: PackedEnd | null };
  readonly tested: Omit<StoredEvidence["tested"], "end"> & { readonly end: PackedEnd | null };
  readonly variants: readonly PackedOther[];
  readonly alternatives: readonly PackedOther[];
  readonly rest: Omit<StoredEvidence, "before" | "reference" | "tested" | "variants" | "alternatives">;
}

/**
 * The evidence of an episode as a line.
 * @param refs where the start states of the servers are kept, by server
 */
export function packEvidence(
  key: string,
  evidence: StoredEvidence,
  refs: Readonly<Record<string, StateRef>>,
): EvidenceLine {
  const { before, reference, tested, variants, alternatives, ...rest } = evidence;
  const pack = (end: Snapshot | null): PackedEnd | null => {
    if (end === null) return null;
    const { servers, ...others } = end;
    return { ...others, changes: changesBetween(before?.servers ?? {}, servers) };
  };
  const packOther = (other: StoredEnd): PackedOther => ({ ...other, end: pack(other.end) });
  return {
    type: "evidence",
    key,
    before: before === null ? null : { ...before, servers: refs },
    reference: { ...reference, end: pack(reference.end) },
    tested: { ...tested, end: pack(tested.end) },
    variants: variants.map(packOther),
    alternatives: alternatives.map(packOther),
    rest,
  };
}

/** The evidence that {@link packEvidence} packed. @param states the start states by server */
export function unpackEvidence(line: EvidenceLine, states: JsonObject): StoredEvidence {
  const unpack = (end: PackedEnd | null): Snapshot | null => {
    if (end === null) return null;
    const { changes, ...others } = end;
    const servers = applyChanges(states, changes);
    if (!isJsonObject(servers)) throw new RangeError("an end state is no object");
    return { ...others, servers };
  };
  const unpackOther = (other: PackedOther): StoredEnd => ({ ...other, end: unpack(other.end) });
  return {
    ...line.rest,
    before: line.before === null ? null : { ...line.before, servers: states },
    reference: { ...line.reference, end: unpack(line.reference.end) },
    tested: { ...line.tested, end: unpack(line.tested.end) },
    variants: line.variants.map(unpackOther),
    alternatives: line.alternatives.map(unpackOther),
  };
}

const stateHashes = new WeakMap<object, string>();

/** Hash of a server's state. A sandbox state is frozen and shared between episodes, and hashed once. */
export function stateHash(state: Json): string {
  if (typeof state !== "object" || state === null) return sha256(JSON.stringify(state));
  let hash = stateHashes.get(state);
  if (hash === undefined) {
    hash = sha256(JSON.stringify(state));
    if (Object.isFrozen(state)) stateHashes.set(state, hash);
  }
  return hash;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
