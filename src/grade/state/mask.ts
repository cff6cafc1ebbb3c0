import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { checkDepth } from "./tree.ts";

/** What stands where a side's workdir was. */
export const WORKDIR_TOKEN = "${workdir}";

/**
 * A state with `text` replaced by {@link WORKDIR_TOKEN} in keys and texts. Parts without it stay the same objects, so that
 * states go on sharing them.
 */
export function maskState(state: Json, text: string): Json {
  if (text === "") return state;
  const memory = new Map<object, Json>();
  const clean = (part: string) => part.replaceAll(text, WORKDIR_TOKEN);

  function mask(value: Json, depth: number): Json {
    if (typeof value === "string") return value.includes(text) ? clean(value) : value;
    if (typeof value !== "object" || value === null) return value;
    const known = memory.get(value);
    if (known !== undefined) return known;
    checkDepth(depth);
    const masked = isJsonObject(value) ? maskObject(value, depth) : maskArray(value as readonly Json[], depth);
    memory.set(value, masked);
    return masked;
  }

  function maskArray(items: readonly Json[], depth: number): Json {
    const masked = items.map((item) => mask(item, depth + 1));
    return masked.some((item, at) => item !== items[at]) ? masked : items;
  }

  function maskObject(object: JsonObject, depth: number): Json {
    let changed = false;
    const entries = Object.entries(object).map(([key, value]): [string, Json] => {
      const name = key.includes(text) ? clean(key) : key;
      const masked = value === undefined ? value : mask(value, depth + 1);
      if (name !== key || masked !== value) changed = true;
      return [name, masked];
    });
    // fromEntries defines own properties, also for a key like __proto__.
    return changed ? Object.fromEntries(entries) : object;
  }

  return mask(state, 0);
}
