import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { ID_PATTERN } from "../../base/random.ts";
import { checkDepth, own } from "./tree.ts";

const UUID = String.raw`\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`;
/** Ids of a form that is recognised anywhere. */
const KNOWN_FORMS = new RegExp(`${ID_PATTERN.source}|${UUID}`, "g");
const KNOWN_FORM = new RegExp(`^(?:${ID_PATTERN.source}|${UUID})$`);
const ONLY_UUID = new RegExp(`^${UUID}$`);
/** The shortest text that holds an id of a known form: one letter, an underscore and 22 characters. */
const SHORTEST_KNOWN = 24;
/** Words in which a listed id of another form is looked for. */
const WORDS = /[A-Za-z0-9]+(?:[_-]+[A-Za-z0-9]+)*/g;

/** The ids that one side made during the run. Inside the state diff an id is the number of its place in `ids`. */
export interface MintedIds {
  readonly ids: readonly string[];
  /** The number of an id, or undefined if `text` as a whole is none. */
  indexOf(text: string): number | undefined;
  /** `text` cut at the minted ids in it: texts and numbers of ids; null if it holds none. */
  split(text: string): (string | number)[] | null;
}

/** Makes the look-up for a set of minted ids. */
export function mintedIds(ids: Iterable<string>): MintedIds {
  const list = [...new Set(ids)].filter((id) => id !== "");
  const numbers = new Map(list.map((id, number) => [id, number]));
  const shortest = list.reduce((length, id) => Math.min(length, id.length), Number.POSITIVE_INFINITY);
  const words = !list.every(isKnownId);

  function cut(text: string, form: RegExp): (string | number)[] | null {
    const parts: (string | number)[] = [];
    let end = 0;
    eachMatch(text, form, (id, at) => {
      const number = numbers.get(id);
      if (number === undefined) return;
      parts.push(text.slice(end, at), number);
      end = at + id.length;
    });
    if (end === 0) return null;
    parts.push(text.slice(end));
    return parts;
  }

  return {
    ids: list,
    indexOf: (text) => (text.length < shortest ? undefined : numbers.get(text)),
    split(text) {
      if (text.length < shortest) return null;
      const whole = numbers.get(text);
      if (whole !== undefined) return ["", whole, ""];
      if (!words) return cut(text, KNOWN_FORMS);
      const parts = (cut(text, KNOWN_FORMS) ?? [text]).flatMap((part) =>
        typeof part === "string" ? (cut(part, WORDS) ?? part) : part,
      );
      return parts.length === 1 ? null : parts;
    },
  };
}

/** True if a text as a whole is an id of the sandbox form or a UUID. */
export function isKnownId(text: string): boolean {
  return text.length >= SHORTEST_KNOWN && KNOWN_FORM.test(text);
}

/** The part of an id that says what it names: the prefix of the sandbox form, `uuid`, or nothing. */
export function idPrefix(id: string): string {
  if (!isKnownId(id)) return "";
  return ONLY_UUID.test(id) ? "uuid" : id.slice(0, id.indexOf("_"));
}

/** Which ids are taken for minted where no list names them. */
export type IdForms = "all" | "uuid" | "none";

/**
 * The minted ids of the two ends: those that are listed, and those of a known form that an end state has in keys, values
 * or texts; of either kind only what occurs nowhere in the start state.
 */
export function findMinted(
  states: { readonly before: Json | undefined; readonly reference: Json | undefined; readonly after: Json | undefined },
  listed: { readonly reference: readonly string[]; readonly after: readonly string[] },
  forms: IdForms,
): { reference: MintedIds; after: MintedIds } {
  const reference = new Set(listed.reference);
  const after = new Set(listed.after);
  if (forms !== "none") {
    collectIds(states.reference, states.before, forms, reference);
    collectIds(states.after, states.before, forms, after);
  }
  if (reference.size + after.size > 0) {
    const known = mintedIds([...reference, ...after]);
    eachText(states.before, undefined, 0, (text) => {
      for (const part of known.split(text) ?? []) {
        if (typeof part === "string") continue;
        const id = known.ids[part] as string;
        reference.delete(id);
        after.delete(id);
      }
    });
  }
  return { reference: mintedIds(reference), after: mintedIds(after) };
}

function collectIds(tree: Json | undefined, before: Json | undefined, forms: IdForms, into: Set<string>): void {
  eachText(tree, before, 0, (text) => {
    eachMatch(text, KNOWN_FORMS, (id) => {
      if (forms === "all" || ONLY_UUID.test(id)) into.add(id);
    });
  });
}

/** Calls `visit` with each match of a global expression, and where it begins. */
function eachMatch(text: string, form: RegExp, visit: (match: string, at: number) => void): void {
  // Most texts cannot hold an id of a known form, and a look for its separator is cheaper than the expression.
  if (form === KNOWN_FORMS && (text.length < SHORTEST_KNOWN || (text.indexOf("_") < 1 && text.indexOf("-") < 8)))
    return;
  form.lastIndex = 0;
  for (let match = form.exec(text); match !== null; match = form.exec(text)) visit(match[0], match.index);
}

/**
 * Calls `visit` with the keys and texts of `tree`. What is the same at the same place of `same` is left out, as whoever
 * looks for what is new needs not see it.
 */
function eachText(tree: Json | undefined, same: Json | undefined, depth: number, visit: (text: string) => void): void {
  if (tree === same) return;
  if (typeof tree === "string") {
    visit(tree);
    return;
  }
  if (typeof tree !== "object" || tree === null) return;
  checkDepth(depth);
  if (Array.isArray(tree)) {
    const twin: readonly Json[] = Array.isArray(same) ? same : [];
    for (let i = 0; i < tree.length; i++) eachText(tree[i], twin[i], depth + 1, visit);
    return;
  }
  const object = tree as JsonObject;
  const twin = isJsonObject(same) ? same : undefined;
  for (const key of Object.keys(object)) {
    const old = own(twin, key);
    if (old === undefined) visit(key);
    eachText(object[key], old, depth + 1, visit);
  }
}
