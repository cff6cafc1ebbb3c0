import type { Span } from "./negation.ts";

/** Places of a text, in any case and as whole words; or of a pattern that has the flag g. */
export function findText(text: string, wanted: string | RegExp): Span[] {
  const pattern = typeof wanted === "string" ? wholeWords(wanted) : wanted;
  if (pattern === null) return [];
  return [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

function wholeWords(wanted: string): RegExp | null {
  const words = wanted
    .normalize("NFC")
    .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2013\u2212]/g, "-")
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return null;
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped.join("\\s+")}(?![\\p{L}\\p{N}_])`, "giu");
}

/** Whether a text has all words of a fact's name, each as the beginning of a word of the text. */
export function namesIn(text: string, name: string): boolean {
  const lower = text.toLowerCase();
  return name.split("_").every((word) => {
    const stem = word.length > 4 ? word.slice(0, -1) : word;
    return new RegExp(`(?<![\\p{L}\\p{N}])${stem}`, "u").test(lower);
  });
}
