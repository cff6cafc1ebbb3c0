import { isJsonObject, type Json, type JsonObject, tryParseJson } from "../base/json.ts";
import type { CallOutcome } from "../record/trajectory.ts";
import { WRITES_META_KEY } from "../sandbox/mcp-server.ts";

/** What a server's answer to a call comes to. */
export interface Answer {
  readonly outcome: CallOutcome;
  readonly text: string;
  readonly value: Json;
  readonly writes: readonly string[];
  readonly fault: string | null;
  /** Whether `value` is structured content; null where nobody may expect any. */
  readonly structured: boolean | null;
}

/** An answer in words alone. */
export function plainAnswer(outcome: CallOutcome, text: string, fault: string | null = null): Answer {
  return { outcome, text, value: text, writes: [], fault, structured: null };
}

/**
 * The answer in a sandbox server's result: the envelope's status gives the outcome, its `output` is the value, and the
 * envelope's text is what an agent sees.
 */
export function sandboxAnswer(result: unknown): Answer {
  if (!isRecord(result) || !isRecord(result.structuredContent)) return thirdPartyAnswer(result);
  const { status, output } = result.structuredContent;
  const outcome = status === "ok" ? "ok" : status === "failed" ? "refused" : "transient";
  const writes = isRecord(result._meta) ? result._meta[WRITES_META_KEY] : [];
  return {
    outcome,
    text: contentText(result.content),
    value: output as Json,
    writes: Array.isArray(writes) ? writes.filter((path) => typeof path === "string") : [],
    fault: null,
    structured: null,
  };
}

/**
 * The answer in any other server's result. The text is that of its content, text and text resources inlined and a
 * placeholder for anything else; without content it is the structured content. The value is the structured content, else the
 * text as JSON, else the text. A result that breaks the protocol or its output schema still shows what it has.
 */
export function thirdPartyAnswer(result: unknown): Answer {
  const { content, structuredContent, isError } = isRecord(result) ? result : {};
  const structured = structuredContent === undefined ? undefined : wellFormed(structuredContent as Json);
  let text = wellFormed(contentText(content));
  if (text === "") text = structured === undefined ? bareText(result) : JSON.stringify(structured);
  const refused = isError === true;
  const value = structured ?? (refused ? text : (tryParseJson(text) ?? text));
  const outcome = refused ? "refused" : "ok";
  return { outcome, text, value, writes: [], fault: null, structured: structured !== undefined };
}

function contentText(content: unknown): string {
  if (!Array.isArray(content)) return "";
  return content
    .map(blockText)
    .filter((text) => text !== "")
    .join("\n");
}

function blockText(block: unknown): string {
  if (!isRecord(block)) return "";
  if (block.type === "text") return typeof block.text === "string" ? block.text : "";
  if (block.type === "resource" && isRecord(block.resource)) {
    const { text, blob, mimeType, uri } = block.resource;
    return typeof text === "string" ? text : placeholder("resource", { mimeType, data: blob, uri });
  }
  const { type, mimeType, data, uri, name } = block;
  return placeholder(typeof type === "string" ? type : "unknown content", { mimeType, data, uri, name });
}

/** One line that stands for what cannot be shown as text: its type, MIME type, size and address. */
function placeholder(
  type: string,
  parts: Readonly<Record<"mimeType" | "data" | "uri" | "name", unknown>> | object,
): string {
  const { mimeType, data, uri, name } = parts as Record<string, unknown>;
  const size = typeof data === "string" ? `${Buffer.byteLength(data, "base64")} bytes` : undefined;
  const shown = [type.replaceAll("_", " "), mimeType, size, name, uri].filter((part) => typeof part === "string");
  return `[${shown.join(", ")}]`;
}

function bareText(result: unknown): string {
  if (!isRecord(result)) return "(the tool returned nothing)";
  const { content, _meta, isError, structuredContent, ...rest } = result;
  return Object.keys(rest).length === 0 ? "(the tool returned nothing)" : JSON.stringify(rest);
}

/** The value with lone surrogates in its texts replaced by U+FFFD, so that it can be written as UTF-8 anywhere. */
export function wellFormed<T extends Json>(value: T): T;
export function wellFormed(value: Json): Json {
  if (typeof value === "string") return value.replace(/\p{Surrogate}/gu, "\uFFFD");
  if (Array.isArray(value)) return value.map((item: Json) => wellFormed(item));
  if (isJsonObject(value)) return mapObject(value);
  return value;
}

function mapObject(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [wellFormed(key), wellFormed(item)]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
