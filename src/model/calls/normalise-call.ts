import type { Json, JsonObject } from "../../base/json.ts";
import type { QuirkKind } from "../../record/trajectory.ts";
import type { RawCall } from "../chat.ts";
import { readArguments } from "./arguments.ts";

/** How a call differs from what the protocol asks for. */
export interface CallQuirk {
  readonly kind: QuirkKind;
  readonly detail: string;
}

/** A call that can be recorded, answered and, if there is no problem, made. */
export interface NormalisedCall {
  /** Unique in its conversation. */
  readonly id: string;
  /** Empty if the model named no tool. */
  readonly name: string;
  /** Null if the call cannot be made. */
  readonly arguments: JsonObject | null;
  /** The arguments as the endpoint gave them. */
  readonly raw: Json;
  /** What the model is told if the call cannot be made. */
  readonly problem: string | null;
  readonly quirks: readonly CallQuirk[];
}

/** Reads the calls of one turn after another. */
export type Normaliser = (calls: readonly RawCall[], isKnown: (name: string) => boolean) => NormalisedCall[];

/**
 * A normaliser for one conversation, in which ids of calls have to be unique: one that is missing or used before is replaced
 * by one of the turn's number and the place in it, so that results go to their calls by position.
 *
 * @param lenient as for {@link readArguments}
 */
export function createNormaliser(lenient: boolean): Normaliser {
  const usedIds = new Set<string>();
  let turn = 0;
  return (calls, isKnown) => {
    turn += 1;
    return calls.map((call, at) => {
      const id = uniqueId(call.id, `call_${turn}_${at}`, usedIds);
      usedIds.add(id);
      return normalise(call, { id, isKnown, lenient });
    });
  };
}

function uniqueId(given: string | null, made: string, used: ReadonlySet<string>): string {
  if (given !== null && given !== "" && !used.has(given)) return given;
  let id = made;
  while (used.has(id)) id += "x";
  return id;
}

function normalise(
  call: RawCall,
  { id, isKnown, lenient }: { id: string; isKnown: (name: string) => boolean; lenient: boolean },
): NormalisedCall {
  const given = call.name ?? "";
  const name = repairName(given, isKnown);
  const { args, problem, quirk } = readArguments(call.arguments, lenient);
  const unusable =
    call.problem ?? (name === "" ? "The call names no tool. Send it again with the name of one." : problem);
  const quirks: CallQuirk[] = [];
  if (id !== call.id) quirks.push({ kind: "call-id", detail: `${JSON.stringify(call.id)} became ${id}` });
  if (name !== given) quirks.push({ kind: "repaired-name", detail: `${JSON.stringify(given)} became ${name}` });
  if (call.repaired !== undefined) quirks.push({ kind: "repaired-arguments", detail: call.repaired });
  if (call.problem !== undefined) quirks.push({ kind: "invalid-arguments", detail: call.problem });
  else if (quirk !== null) quirks.push(quirk);
  return {
    id,
    name,
    arguments: unusable === null ? args : null,
    raw: (call.arguments ?? null) as Json,
    problem: unusable,
    quirks,
  };
}

/** Where a special token of a chat template leaked into a name. */
const SPECIAL_TOKEN = /<\|.*$/s;
/** A prefix that some models put before the names of tools. */
const PREFIX = /^functions?\./;

/**
 * A name without white space around it, special tokens at its end, and the prefix `functions.`, if that makes it a tool's. A
 * name in other case is another name.
 */
function repairName(given: string, isKnown: (name: string) => boolean): string {
  if (isKnown(given)) return given;
  const trimmed = given.replace(SPECIAL_TOKEN, "").trim();
  const bare = trimmed.replace(PREFIX, "");
  if (isKnown(bare)) return bare;
  return trimmed;
}
