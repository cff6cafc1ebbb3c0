import { createHash } from "node:crypto";
import { hashJson } from "../base/canonical-json.ts";
import type { JsonObject } from "../base/json.ts";
import type { OfferedTool } from "../pool/pool.ts";

/** What an agent was offered: how many tools, and a hash of their names, descriptions and schemas. */
export interface Offer {
  readonly tools: number;
  readonly hash: string;
}

const schemaHashes = new WeakMap<JsonObject, string>();

/** Sums up the tools of a side. A schema is hashed once per process. */
export function offerOf(tools: readonly OfferedTool[]): Offer {
  const hash = createHash("sha256");
  for (const { name, description, inputSchema } of tools) {
    hash.update(JSON.stringify([name, description, schemaHash(inputSchema)]));
  }
  return { tools: tools.length, hash: hash.digest("hex") };
}

function schemaHash(schema: JsonObject): string {
  let hash = schemaHashes.get(schema);
  if (hash === undefined) {
    hash = hashJson(schema);
    schemaHashes.set(schema, hash);
  }
  return hash;
}
