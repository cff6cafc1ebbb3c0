import { isRejected } from "./negation.ts";
import { namesIn } from "./words.ts";

/** A place that says yes or no. */
export interface BooleanMention {
  readonly means: boolean;
  readonly words: string;
}

const EXPLICIT = /\b(?:yes|no|true|false)\b/i;

/**
 * What an answer says of a yes-or-no fact. A sentence that has all words of the fact's name (`is_open`: is, open) means yes or no
 * by its yes, no, true or false; without one it means yes, unless the last word of the name is rejected ("is not open"). Where no
 * sentence has the name, a yes or no at the beginning of the answer counts.
 */
export function findBooleans(text: string, name: string): BooleanMention[] {
  const sentences = text.split(/(?<=[.!?;])\s+|\n/).filter((sentence) => sentence.trim() !== "");
  const found = sentences.filter((sentence) => namesIn(sentence, name)).map((sentence) => meaningOf(sentence, name));
  if (found.length > 0) return found;
  const [first = ""] = sentences;
  const word = /^\W*(yes|no|true|false)\b/i.exec(first)?.[1];
  return word === undefined ? [] : [{ means: isYes(word), words: word }];
}

function meaningOf(sentence: string, name: string): BooleanMention {
  const words = sentence.trim();
  const explicit = EXPLICIT.exec(sentence)?.[0];
  if (explicit !== undefined) return { means: isYes(explicit), words };
  const last = name.split("_").at(-1) ?? name;
  const at = sentence.toLowerCase().lastIndexOf(last.length > 4 ? last.slice(0, -1) : last);
  const start = Math.max(0, at);
  return { means: !isRejected(sentence, { start, end: start + last.length }), words };
}

function isYes(word: string): boolean {
  return /^(?:yes|true)$/i.test(word);
}
