const BLOCK = /^\s*<(think|thinking|reasoning)>[\s\S]*?<\/\1>/;
const OPEN = /^\s*<(?:think|thinking|reasoning)>/;
/** A template may have swallowed the opening tag; a text that has one further on holds the tags as text. */
const CLOSED = /^[\s\S]*?<\/(?:think|thinking|reasoning)>/;
const ANY_OPEN = /<(?:think|thinking|reasoning)>/;

/**
 * A model's text without the thoughts that it begins with: blocks in thinking tags, or all before a closing tag that has no
 * opening one. Thoughts that never end leave nothing. Tags inside the text after them, such as in a JSON string, stay.
 */
export function stripThinking(text: string): string {
  let rest = text;
  while (BLOCK.test(rest)) rest = rest.replace(BLOCK, "");
  if (OPEN.test(rest)) return "";
  const closed = CLOSED.exec(rest)?.[0];
  if (closed !== undefined && !ANY_OPEN.test(closed)) rest = rest.slice(closed.length);
  return rest;
}
