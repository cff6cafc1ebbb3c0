import { isJsonObject, tryParseJson } from "../../base/json.ts";

/** A tool call that stands in a text. */
export interface TextCall {
  readonly name: string;
  /** How it is written. */
  readonly form: "tool tag" | "function tag" | "fenced JSON" | "bare JSON";
}

const OBJECT_TAG = /^[ \t]*<(tool_call|tool|function_call)>\s*(\{[\s\S]*?)(?:<\/\1>|$(?![\s\S]))/gm;
const FUNCTION_TAG = /^[ \t]*(?:<tool_call>\s*)?<function=([^>\s]+)>/gm;
const FENCE = /^```[^\n]*\n([\s\S]*?)^```[ \t]*$/gm;
const NAME = /"name"\s*:\s*"([^"]*)"/;

/**
 * Finds tool calls that a model wrote into its text instead of the field that its endpoint has for them. They are found to be
 * told, not to be made. Only a known tool's name at the start of a line counts, and fenced or bare JSON only if nothing else
 * follows: a text that explains how a call looks is an answer.
 */
export function findTextCalls(text: string, isKnown: (name: string) => boolean): TextCall[] {
  const outside = text.replace(FENCE, "");
  const found: TextCall[] = [
    ...[...outside.matchAll(OBJECT_TAG)].map((match) => tagged("tool tag", NAME.exec(match[2] ?? "")?.[1])),
    ...[...outside.matchAll(FUNCTION_TAG)].map((match) => tagged("function tag", match[1])),
  ].filter(({ name }) => isKnown(name));
  if (found.length > 0) return found;
  const bare = callName(text);
  if (bare !== null) return isKnown(bare) ? [{ name: bare, form: "bare JSON" }] : [];
  const last = [...text.matchAll(FENCE)].at(-1);
  if (last === undefined || text.slice(last.index + last[0].length).trim() !== "") return [];
  const fenced = callName(last[1] ?? "");
  return fenced !== null && isKnown(fenced) ? [{ name: fenced, form: "fenced JSON" }] : [];
}

function tagged(form: TextCall["form"], name: string | undefined): TextCall {
  return { name: name ?? "", form };
}

/** The tool's name if all of a text is a call as JSON. */
function callName(text: string): string | null {
  const value = tryParseJson(text.trim());
  if (!isJsonObject(value)) return null;
  const { name, arguments: args, parameters } = value;
  return typeof name === "string" && (args !== undefined || parameters !== undefined) ? name : null;
}
