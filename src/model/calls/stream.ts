import { isJsonObject, type Json, type JsonObject, tryParseJson } from "../../base/json.ts";
import { BadResponse } from "../attempts.ts";
import type { RawCall } from "../chat.ts";
import { failureInBody } from "../model-errors.ts";

/** A streamed turn, put together. */
export interface AssembledTurn {
  readonly text: string;
  readonly refusal: string | null;
  readonly calls: readonly RawCall[];
  /** The endpoint's own word for why the turn ended; null if it never said, as where the stream was cut. */
  readonly finish: string | null;
  readonly usage: unknown;
}

/**
 * Puts the chunks of a streamed chat completion together. Chunks without choices, without a delta, or with usage alone are
 * fine; tool calls are told apart by id where their index does not do it.
 *
 * @throws BadResponse if a chunk is an error
 */
export async function assembleStream(chunks: AsyncIterable<unknown>): Promise<AssembledTurn> {
  const texts: string[] = [];
  const refusals: string[] = [];
  const calls = new CallAssembly();
  let finish: string | null = null;
  let usage: unknown;
  for await (const chunk of chunks) {
    const failure = failureInBody(chunk);
    if (failure !== null) throw new BadResponse(failure);
    if (!isJsonObject(chunk)) continue;
    if (isJsonObject(chunk.usage)) usage = chunk.usage;
    const choice = Array.isArray(chunk.choices) ? (chunk.choices as readonly Json[])[0] : undefined;
    if (!isJsonObject(choice)) continue;
    if (typeof choice.finish_reason === "string") finish = choice.finish_reason;
    const { delta } = choice;
    if (!isJsonObject(delta)) continue;
    if (typeof delta.content === "string") texts.push(delta.content);
    if (typeof delta.refusal === "string") refusals.push(delta.refusal);
    calls.add(delta);
  }
  const refusal = refusals.join("");
  return { text: texts.join(""), refusal: refusal === "" ? null : refusal, calls: calls.finish(), finish, usage };
}

/** A call in the making. */
interface PartialCall {
  index: number | null;
  id: string | null;
  name: string | null;
  readonly fragments: string[];
  whole: JsonObject | null;
}

/** Collects the pieces of a turn's tool calls. */
class CallAssembly {
  readonly #calls: PartialCall[] = [];

  add(delta: JsonObject): void {
    if (Array.isArray(delta.tool_calls)) {
      for (const piece of delta.tool_calls as readonly Json[]) if (isJsonObject(piece)) this.#take(piece);
    } else if (isJsonObject(delta.function_call)) {
      this.#take({ index: 0, function: delta.function_call });
    }
  }

  finish(): RawCall[] {
    return this.#calls.map(({ id, name, fragments, whole }) => {
      if (whole !== null) return { id, name, arguments: whole };
      return { id, name, ...joinFragments(fragments) };
    });
  }

  #take(piece: JsonObject): void {
    const named = isJsonObject(piece.function) ? piece.function : {};
    const index = typeof piece.index === "number" ? piece.index : null;
    const id = typeof piece.id === "string" && piece.id !== "" ? piece.id : null;
    const name = typeof named.name === "string" && named.name !== "" ? named.name : null;
    let call = this.#calls.findLast((candidate) => continues(candidate, { index, id, name }));
    if (call === undefined) {
      call = { index, id, name, fragments: [], whole: null };
      this.#calls.push(call);
    }
    call.id ??= id;
    call.name ??= name;
    if (typeof named.arguments === "string") call.fragments.push(named.arguments);
    else if (isJsonObject(named.arguments)) call.whole = named.arguments;
  }
}

/**
 * Whether a piece belongs to a call. Endpoints that give all calls one index, or none, still begin each with an id or a name
 * of its own; others repeat id and name with each piece.
 */
function continues(call: PartialCall, piece: Pick<PartialCall, "index" | "id" | "name">): boolean {
  if (piece.index !== null && call.index !== null && piece.index !== call.index) return false;
  if (piece.id !== null && call.id !== null) return piece.id === call.id;
  return piece.name === null || call.name === null || piece.name === call.name;
}

/** The pieces' text; where each piece repeats the one before and adds to it, the last one. */
function joinFragments(fragments: readonly string[]): Pick<RawCall, "arguments" | "repaired"> {
  const joined = fragments.join("");
  if (fragments.length < 2 || tryParseJson(joined) !== undefined) return { arguments: joined };
  const last = fragments.at(-1) ?? "";
  const grows = fragments.every((fragment, at) => at === 0 || fragment.startsWith(fragments[at - 1] ?? ""));
  if (!grows || !isJsonObject(tryParseJson(last))) return { arguments: joined };
  return { arguments: last, repaired: `${fragments.length} pieces, each of which repeats the one before` };
}
