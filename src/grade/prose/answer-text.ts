import { isJsonObject, type Json, tryParseJson } from "../../base/json.ts";

/**
 * The part of an answer that is its own words, ready to be searched: Unicode NFC, quotes and dashes folded, Markdown marks taken
 * away, one blank between words; lines stay apart.
 *
 * Tool output is no statement of anything. Lines and fenced blocks that are JSON are left out, unless the whole answer is one JSON value that is no tool envelope: then each of its leaves is a line `name: value`.
 */
export function answerText(answer: string): string {
  const whole = tryParseJson(unfenced(answer.trim()));
  const isAnswer = typeof whole === "object" && whole !== null && !isEnvelope(whole);
  return isAnswer ? leaves(whole, "").join("\n") : clean(withoutJson(answer));
}

function unfenced(text: string): string {
  return /^```[a-z]*\n([\s\S]*)\n```$/i.exec(text)?.[1] ?? text;
}

function isEnvelope(value: Json): boolean {
  return isJsonObject(value) && Object.hasOwn(value, "status") && Object.hasOwn(value, "output");
}

function leaves(value: Json, name: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => leaves(item, name));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([key, item]) => leaves(item, key));
  return [clean(`${name.replaceAll("_", " ")}: ${String(value)}`)];
}

/** A line that opens a JSON value which goes on in the next lines. */
const OPENS = /^[[{](?:.*[[{,])?$/;

/** Blocks that span lines are found by their first and last line. */
function withoutJson(text: string): string {
  const fences = text.replace(/```[a-z]*\n([\s\S]*?)```/gi, (block, inside: string) =>
    tryParseJson(inside) === undefined ? block : "\n",
  );
  const kept: string[] = [];
  let block: string[] = [];
  for (const line of fences.split("\n")) {
    const trimmed = line.trim();
    if (block.length > 0) {
      block.push(line);
      if (/^[\]}]/.test(trimmed) && tryParseJson(block.join("\n")) !== undefined) block = [];
    } else if (!isJsonLine(trimmed)) {
      (OPENS.test(trimmed) ? block : kept).push(line);
    }
  }
  // An opened block that never became JSON was text after all.
  return [...kept, ...block.filter((line) => !isJsonLine(line.trim()))].join("\n");
}

function isJsonLine(line: string): boolean {
  const value = tryParseJson(line);
  return typeof value === "object" && value !== null;
}

function clean(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2013\u2212]/g, "-")
    .replace(/\u2014/g, " - ")
    .replace(/\*\*|__|^#+ |^> /gm, "")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim();
}
