// Texts of servers, models and agents are not ours: whatever is printed goes through one of these functions first.

/** Characters that move a cursor, hide text or turn its direction: C0, DEL, C1, zero-width, bidirectional, separators. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/**
 * `text` for a terminal or a plain file: hidden characters become visible escapes (`\u{1b}`), so that no escape sequence
 * reaches the terminal. Line breaks and tabs stay.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(HIDDEN, (found) => (found === "\n" || found === "\t" ? found : escaped(found)));
}

/** {@link visibleText} on one line, blanks folded. */
export function oneLine(text: string): string {
  return visibleText(text).replace(/\s+/g, " ").trim();
}

/** The first `length` characters of `text`; the last of them is … if something was cut off. Never splits a character. */
export function cut(text: string, length: number): string {
  const characters = Array.from(text.length > 4 * length ? text.slice(0, 4 * length) : text);
  if (characters.length <= length && characters.join("").length === text.length) return text;
  return length < 1 ? "" : `${characters.slice(0, length - 1).join("")}…`;
}

/** `text` as plain words inside a line or a table cell of Markdown: no markup, HTML or link takes effect. */
export function markdownText(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_[\]<>&|~$]|:(?=\/\/)/g, "\\$&")
    .replace(/www\./gi, (found) => found.replace(".", "\\."))
    .replace(/^[#+\-=]/, "\\$&")
    .replace(/^(\d+)([.)])(?=\s|$)/, "$1\\$2");
}

/** `text` as a code span of Markdown, also inside a table cell. */
export function markdownCode(text: string): string {
  const line = oneLine(text).replaceAll("|", "\\|");
  const fence = "`".repeat(longestRun(line) + 1);
  return fence.length === 1 && line !== "" ? `\`${line}\`` : `${fence} ${line} ${fence}`;
}

/** `text` as a fenced block of Markdown. */
export function markdownBlock(text: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${visibleText(text)}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
