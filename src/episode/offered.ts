import { createHash } from "node:crypto";
import { hashJson } from "../base/canonical-json.ts";
import type { JsonObject } from "../base/json.ts";
import type { Random } from "../base/random.ts";
import type { OfferedTool } from "../pool/pool.ts";
import type { SideOffer } from "./open-side.ts";

/** What an agent was offered: how many tools, and a hash of their names, descriptions and schemas. */
export interface Offer {
  readonly tools: number;
  readonly hash: string;
}

/**
 * The tools that an agent is told of: those that the plan calls, and distractors drawn by query and seed.
 * @param most number of distractors; null offers the whole pool
 */
export function chooseOffer(
  tools: readonly OfferedTool[],
  of: { readonly needed: ReadonlySet<string>; readonly most: number | null; readonly draw: Random },
): SideOffer {
  if (of.most === null) return { tools, restricted: false };
  const isNeeded = ({ server, tool }: OfferedTool) => of.needed.has(`${server}.${tool}`);
  const distractors = new Set(
    of.draw.sample(
      tools.filter((tool) => !isNeeded(tool)),
      of.most,
    ),
  );
  return { tools: tools.filter((tool) => isNeeded(tool) || distractors.has(tool)), restricted: true };
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
