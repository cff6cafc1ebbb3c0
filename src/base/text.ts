/** The longest beginning of a text with at most `most` UTF-16 units that ends between two characters. */
export function cutEnd(text: string, most: number): string {
  if (text.length <= most) return text;
  const inside = isLow(text.charCodeAt(most)) && isHigh(text.charCodeAt(most - 1));
  return text.slice(0, inside ? most - 1 : most);
}

/** The longest end of a text with at most `most` UTF-16 units that begins between two characters. */
export function cutStart(text: string, most: number): string {
  if (text.length <= most) return text;
  const from = text.length - most;
  const inside = isLow(text.charCodeAt(from)) && isHigh(text.charCodeAt(from - 1));
  return text.slice(inside ? from + 1 : from);
}

/**
 * A text of any length as at most about `most` UTF-16 units: beginning and end in equal parts, and between them a line that
 * says how many characters are left out. A shorter text stays as it is.
 */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = cutEnd(text, Math.ceil(most / 2));
  const tail = cutStart(text, Math.floor(most / 2));
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}

/** The most characters of a tool's result that an agent is shown. The record keeps all. */
export const MOST_SHOWN = 100_000;

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
