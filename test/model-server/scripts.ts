import type { ModelRequest, Script } from "./model-server.ts";
import type { Reply } from "./replies.ts";

/** One reply after the other, over all conversations; the last one again and again. */
export function sequence(...replies: readonly Reply[]): Script {
  return ({ number }) => replies[Math.min(number, replies.length - 1)] ?? { text: "" };
}

/** One reply per turn of a conversation; the last one again and again. */
export function dialogue(...turns: readonly (Reply | ((request: ModelRequest) => Reply))[]): Script {
  return (request) => {
    const turn = turns[Math.min(request.turn, turns.length - 1)] ?? { text: "" };
    return typeof turn === "function" ? turn(request) : turn;
  };
}

/** A script of its own for each task, found by a part of the conversation's first messages. */
export function byTask(scripts: Readonly<Record<string, Script>>): Script {
  return (request) => {
    const opening = request.messages
      .filter(({ role }) => role === "system" || role === "user")
      .map(({ content }) => String(content))
      .join("\n");
    const found = Object.entries(scripts).find(([part]) => opening.includes(part));
    if (found === undefined) throw new Error(`no script for: ${opening.slice(-300)}`);
    return found[1](request);
  };
}

/** What the tool said last. */
export function lastResult({ messages }: ModelRequest): string {
  return String(messages.findLast(({ role }) => role === "tool")?.content ?? "");
}
