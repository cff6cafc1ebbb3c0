import { createNormaliser, type NormalisedCall } from "../../model/calls/normalise-call.ts";
import type { ChatCall, ChatMessage, ChatRequest, ChatTool, ChatTurn } from "../../model/chat.ts";
import { stripThinking } from "../../model/thinking.ts";
import { parseTextTurn, textProtocolPrompt, toolResultsMessage } from "./text-protocol.ts";

/** What a model's turn holds. */
export interface Reading {
  readonly calls: readonly NormalisedCall[];
  /** The answer, if the turn is one; null if it holds calls. */
  readonly answer: string | null;
}

/** The result of a call, in the order of the calls. */
export interface CallAnswer {
  readonly call: NormalisedCall;
  readonly text: string;
}

/** A conversation in one of the protocols. */
export interface Conversation {
  request(tools: readonly ChatTool[], repeat: number): ChatRequest;
  /** Adds the model's turn. @param isKnown whether there is a tool of a name */
  take(turn: ChatTurn, isKnown: (name: string) => boolean): Reading;
  /** Adds the results of all calls of the last turn. */
  answerCalls(answers: readonly CallAnswer[]): void;
  /** Tells the model why its turn could not be used. */
  nudge(text: string): void;
}

/** Both protocols begin with what the model is told of its work, and the task. */
export interface Opening {
  readonly system: string;
  readonly task: string;
  /** Whether arguments are mended, see the setting `arguments` of `tandem.config.yaml`. */
  readonly lenient: boolean;
}

/** Tool calls in the field that the endpoint has for them, each answered by a message of its own. */
export function nativeConversation({ system, task, lenient }: Opening): Conversation {
  const messages: ChatMessage[] = [
    { role: "system", content: system },
    { role: "user", content: task },
  ];
  const normalise = createNormaliser(lenient);
  return {
    request: (tools, repeat) => ({ messages: [...messages], tools, repeat }),
    take: (turn, isKnown) => {
      const calls = normalise(turn.calls, isKnown);
      messages.push({ role: "assistant", content: turn.text, calls: calls.map(historyCall) });
      return { calls, answer: calls.length > 0 ? null : answerOf(turn) };
    },
    answerCalls: (answers) => {
      for (const { call, text } of answers) messages.push({ role: "tool", callId: call.id, content: text });
    },
    nudge: (content) => void messages.push({ role: "user", content }),
  };
}

/** Tool calls in the text, for models and endpoints without another way. */
export function textConversation({ system, task, lenient }: Opening): Conversation {
  const messages: ChatMessage[] = [{ role: "user", content: task }];
  const normalise = createNormaliser(lenient);
  return {
    request: (tools, repeat) => ({
      messages: [{ role: "system", content: `${system}\n\n${textProtocolPrompt(tools)}` }, ...messages],
      repeat,
    }),
    take: (turn, isKnown) => {
      const parsed = parseTextTurn(turn.text);
      const calls = normalise(parsed.calls, isKnown);
      messages.push({ role: "assistant", content: turn.text, calls: [] });
      return { calls, answer: calls.length > 0 ? null : (parsed.answer ?? "") };
    },
    answerCalls: (answers) => {
      const results = answers.map(({ call, text }) => ({ name: call.name, text }));
      messages.push({ role: "user", content: toolResultsMessage(results) });
    },
    nudge: (content) => void messages.push({ role: "user", content }),
  };
}

/** A call as the model finds it in its history: endpoints refuse a whole conversation for one that is no JSON. */
function historyCall({ id, name, arguments: args, raw }: NormalisedCall): ChatCall {
  return { id, name: name === "" ? "unknown" : name, arguments: JSON.stringify(args ?? { invalid: raw }) };
}

function answerOf({ text, refusal }: ChatTurn): string {
  const answer = stripThinking(text).trim();
  return answer === "" ? (refusal ?? "") : answer;
}
