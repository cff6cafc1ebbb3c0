import { isJsonObject, type Json } from "../base/json.ts";
import type { Prices } from "../config/project-schema.ts";
import type { Usage } from "../record/trajectory.ts";

/** What is known of a turn whose endpoint tells nothing. */
export const UNKNOWN_USAGE: Usage = { prompt: null, cachedPrompt: null, output: null, reasoning: null };

/**
 * Token counts of a response's `usage`, in the spellings of OpenAI and of those that follow it. What is missing, or is no
 * count, is null: unknown is never zero.
 */
export function readUsage(usage: unknown): Usage {
  if (!isJsonObject(usage)) return UNKNOWN_USAGE;
  const prompt = usage.prompt_tokens ?? usage.input_tokens;
  const output = usage.completion_tokens ?? usage.output_tokens;
  const promptDetails = usage.prompt_tokens_details ?? usage.input_tokens_details;
  const outputDetails = usage.completion_tokens_details ?? usage.output_tokens_details;
  return {
    prompt: count(prompt),
    cachedPrompt: count(partOf(promptDetails, "cached_tokens") ?? usage.prompt_cache_hit_tokens),
    output: count(output),
    reasoning: count(partOf(outputDetails, "reasoning_tokens")),
  };
}

function partOf(details: Json | undefined, key: string): Json | undefined {
  return isJsonObject(details) ? details[key] : undefined;
}

function count(value: Json | undefined): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

const PER = 1_000_000;

/**
 * What a turn cost, in US dollars: (prompt − cached) · input + cached · cachedInput + output · output, each per million
 * tokens. An endpoint that tells nothing of a cache is billed as one without.
 * @returns null if prices, prompt or output are unknown
 */
export function costOf({ prompt, cachedPrompt, output }: Usage, prices: Prices | undefined): number | null {
  if (prices === undefined || prompt === null || output === null) return null;
  const cached = Math.min(cachedPrompt ?? 0, prompt);
  const { input, cachedInput = input } = prices;
  return ((prompt - cached) * input + cached * cachedInput + output * prices.output) / PER;
}

const BYTES_PER_TOKEN = 4;

/** A rule of thumb for what no endpoint has counted: UTF-8 bytes / 4. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
