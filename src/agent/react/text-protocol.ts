import { errorMessage } from "../../base/errors.ts";
import { isJsonObject, type Json } from "../../base/json.ts";
import type { ChatTool, RawCall } from "../../model/chat.ts";
import { stripThinking } from "../../model/thinking.ts";

/** A turn of the text protocol. */
export interface TextTurn {
  readonly calls: readonly RawCall[];
  /** The answer if there are no calls; null if there are. */
  readonly answer: string | null;
}

const CALL = /<tool>([\s\S]*?)(<\/tool>|$(?![\s\S]))/g;
const END = "[END]";

/**
 * Reads a turn: any number of `<tool>{…}</tool>` with text around them, or else an answer, which ends at `[END]` or with the
 * text. A turn that holds calls and an answer is read as calls, since the model cannot know yet what they return.
 */
export function parseTextTurn(text: string): TextTurn {
  const said = stripThinking(text);
  const calls = [...said.matchAll(CALL)].map(([, body = "", close]) => readCall(body.trim(), close !== ""));
  if (calls.length > 0) return { calls, answer: null };
  const end = said.indexOf(END);
  return { calls, answer: (end < 0 ? said : said.slice(0, end)).trim() };
}

function readCall(body: string, closed: boolean): RawCall {
  if (!closed) return unreadable(body, "The call has no </tool> at its end. Send it again, whole.");
  let value: Json;
  try {
    value = JSON.parse(body) as Json;
  } catch (thrown) {
    return unreadable(
      body,
      `What stands between <tool> and </tool> is no JSON: ${errorMessage(thrown)}. Send it again.`,
    );
  }
  if (!isJsonObject(value) || typeof value.name !== "string") {
    return unreadable(body, 'Between <tool> and </tool> there has to be {"name": …, "arguments": {…}}. Send it again.');
  }
  // As text, so that numbers are read with all their digits.
  return { id: null, name: value.name, arguments: argumentsText(body) ?? value.arguments };
}

/** The text of the arguments, if they are the last member, as the prompt shows it. */
function argumentsText(body: string): string | null {
  const from = /"arguments"\s*:\s*(?=\{)/.exec(body);
  if (from === null) return null;
  const text = body.slice(from.index + from[0].length).replace(/\}\s*$/, "");
  try {
    JSON.parse(text);
    return text;
  } catch {
    return null;
  }
}

function unreadable(body: string, problem: string): RawCall {
  const name = /"name"\s*:\s*"([^"]*)"/.exec(body)?.[1] ?? null;
  return { id: null, name, arguments: body, problem };
}

/** What a model is told of the protocol, with the tools that it has. */
export function textProtocolPrompt(tools: readonly ChatTool[]): string {
  const listed = tools.map(({ name, description, parameters }) =>
    [`## ${name}`, description, `Arguments: ${JSON.stringify(parameters)}`].filter((line) => line !== "").join("\n"),
  );
  return `To call a tool, write on a line of its own:
<tool>{"name": "the tool's name", "arguments": {"parameter": "value"}}</tool>
You may write several; they are carried out in their order, and their results come in the next message. Write no results yourself. When you are done, write your final answer without any call, and ${END} after it.

# Tools

${listed.join("\n\n")}`;
}

/** The message that gives results back, in the order of the calls. */
export function toolResultsMessage(results: readonly { readonly name: string; readonly text: string }[]): string {
  return results.map(({ name, text }) => `<result tool=${JSON.stringify(name)}>\n${text}\n</result>`).join("\n");
}
