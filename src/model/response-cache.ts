import { get, put } from "cacache";
import { hashJson } from "../base/canonical-json.ts";
import { isJsonObject, type JsonObject, tryParseJson } from "../base/json.ts";

/** Keeps responses on disk, so that equal requests of equal repeats are sent once. */
export interface ResponseCache {
  /** The response that was kept under a key; undefined if there is none, or if it was damaged on disk. */
  read(key: string): Promise<JsonObject | undefined>;
  write(key: string, response: JsonObject): Promise<void>;
}

/** What decides whether two requests share a response. */
export function cacheKey(of: {
  readonly endpoint: string;
  readonly body: JsonObject;
  readonly repeat: number;
}): string {
  return hashJson({ ...of });
}

/** A cache in a folder, which several processes may use at once. */
export function responseCache(folder: string): ResponseCache {
  return {
    read: async (key) => {
      try {
        const value = tryParseJson((await get(folder, key)).data.toString("utf8"));
        return isJsonObject(value) ? value : undefined;
      } catch {
        return undefined;
      }
    },
    write: async (key, response) => {
      await put(folder, key, JSON.stringify(response));
    },
  };
}
