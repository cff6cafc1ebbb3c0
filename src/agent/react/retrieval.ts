import MiniSearch from "minisearch";
import { hashJson } from "../../base/canonical-json.ts";
import { isJsonObject } from "../../base/json.ts";
import type { Embedder } from "../../model/chat.ts";
import type { OfferedTool } from "../../pool/pool.ts";

/** Finds the tools that fit a need. */
export interface Retriever {
  /** At most `k` tools, best first; equal ones in their order on offer. @throws as `Embedder.embed` */
  retrieve(query: string, k: number, signal?: AbortSignal): Promise<readonly OfferedTool[]>;
}

/** Sets of tools whose index is kept: episodes of one run share few. */
const MOST_INDICES = 32;
const indices = new Map<string, MiniSearch>();

/** Retrieval by BM25 over names, descriptions and parameters. It works offline, and each set of tools is indexed once. */
export function bm25Retriever(tools: readonly OfferedTool[]): Retriever {
  const documents = tools.map((tool, id) => ({
    id,
    name: words(tool.name),
    description: words(tool.description),
    parameters: words(parameterText(tool)),
  }));
  const key = hashJson(documents);
  let index = indices.get(key);
  if (index === undefined) {
    index = new MiniSearch({
      fields: ["name", "description", "parameters"],
      searchOptions: { boost: { name: 2, parameters: 0.5 }, prefix: (term) => term.length > 3 },
    });
    index.addAll(documents);
    const [oldest] = indices.keys();
    if (indices.size === MOST_INDICES && oldest !== undefined) indices.delete(oldest);
    indices.set(key, index);
  }
  const searched = index;
  return {
    retrieve: async (query, k) => {
      const found = searched.search(words(query)).map(({ id, score }) => ({ at: Number(id), score }));
      return best(tools, found, k);
    },
  };
}

/** Vectors by embedder and text, of length 1. A tool is embedded once, whatever sets it is in. */
const vectors = new WeakMap<Embedder, Map<string, Promise<readonly number[]>>>();

/** Retrieval by the cosine of embeddings. */
export function embeddingRetriever(tools: readonly OfferedTool[], embedder: Embedder): Retriever {
  let known = vectors.get(embedder);
  if (known === undefined) {
    known = new Map();
    vectors.set(embedder, known);
  }
  const kept = known;
  return {
    retrieve: async (query, k, signal) => {
      const texts = tools.map((tool) => `${tool.name}: ${tool.description}\n${parameterText(tool)}`);
      const [[wanted = []], offered] = await Promise.all([
        embedder.embed([query], signal),
        vectorsOf(texts, kept, embedder),
      ]);
      const unit = normalise(wanted);
      return best(
        tools,
        offered.map((vector, at) => ({ at, score: dot(unit, vector) })),
        k,
      );
    },
  };
}

/** Texts that are sent in one request. */
const BATCH = 128;

async function vectorsOf(
  texts: readonly string[],
  kept: Map<string, Promise<readonly number[]>>,
  embedder: Embedder,
): Promise<(readonly number[])[]> {
  const missing = [...new Set(texts)].filter((text) => !kept.has(text));
  for (let from = 0; from < missing.length; from += BATCH) {
    const batch = missing.slice(from, from + BATCH);
    // Without a signal: other episodes wait for the same vectors.
    const made = embedder.embed(batch);
    batch.forEach((text, at) => {
      const vector = made.then((all) => normalise(all[at] ?? []));
      kept.set(text, vector);
      // What failed is asked again by who needs it next.
      vector.catch(() => kept.delete(text));
    });
  }
  return Promise.all(texts.map((text) => kept.get(text) ?? []));
}

function best(
  tools: readonly OfferedTool[],
  scored: readonly { readonly at: number; readonly score: number }[],
  k: number,
): OfferedTool[] {
  return [...scored]
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, k)
    .flatMap(({ at }) => tools[at] ?? []);
}

function normalise(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector) || 1;
  return vector.map((x) => x / length);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
}

/** Names such as `get_cartSummary` as the words that they are made of. */
function words(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_\-.]/g, " ");
}

function parameterText({ inputSchema }: OfferedTool): string {
  const { properties } = inputSchema as { readonly properties?: unknown };
  if (!isJsonObject(properties)) return "";
  return Object.entries(properties)
    .map(([name, schema]) => {
      const about = isJsonObject(schema) && typeof schema.description === "string" ? ` ${schema.description}` : "";
      return `${name}${about}`;
    })
    .join("\n");
}
