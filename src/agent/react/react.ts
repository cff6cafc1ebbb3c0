import type { JsonObject } from "../../base/json.ts";
import { findTextCalls } from "../../model/calls/text-call.ts";
import type { ChatRequest, ChatTurn, Embedder } from "../../model/chat.ts";
import type { OpenModel } from "../../model/models.ts";
import { estimateTokens } from "../../model/usage.ts";
import { type Agent, type AgentAnswer, type AgentTask, Stopped } from "../agent.ts";
import {
  type CallAnswer,
  type Conversation,
  nativeConversation,
  type Reading,
  textConversation,
} from "./conversation.ts";
import { NUDGES, REACT_PROMPT, RETRIEVAL_PROMPT } from "./prompt.ts";
import type { Strategy } from "./strategy.ts";
import { openToolbox, type Toolbox } from "./toolbox.ts";

/** What a ReAct agent is made of. */
export interface ReactSetting {
  readonly name: string;
  readonly model: OpenModel;
  readonly strategy: Strategy;
  readonly embedder: Embedder | null;
  readonly lenient: boolean;
  /** What the model is told of its work; the common prompt of tested agents, if left out. */
  readonly system?: string;
}

/** Turns in a row that may be cut by the output limit before the agent is stopped. */
const MOST_TRUNCATED = 3;
/** Turns in a row that are neither call nor answer before the last one is taken for the answer. */
const MOST_NUDGES = 2;

/**
 * A model that works in rounds of thought, call and result until it answers (ReAct). Calls of one turn run in order. Whatever
 * is wrong with a turn is recorded as a quirk and told to the model, which can go on.
 */
export function reactAgent(setting: ReactSetting): Agent {
  return { name: setting.name, run: (task) => work(task, setting) };
}

async function work(task: AgentTask, setting: ReactSetting): Promise<AgentAnswer> {
  const { model, strategy, embedder, lenient } = setting;
  const { protocol, schemas, maxTools } = model.entry;
  // The text protocol has no list of tools that an endpoint could refuse.
  const most = protocol === "text" ? Number.POSITIVE_INFINITY : maxTools;
  const toolbox = await openToolbox(task, { strategy, embedder, schemas, maxTools: most, lenient });
  const system = setting.system ?? systemPrompt(strategy);
  const conversation = (protocol === "text" ? textConversation : nativeConversation)({
    system,
    task: task.query,
    lenient,
  });
  let truncated = 0;
  let nudges = 0;
  for (;;) {
    task.beginTurn();
    const request = conversation.request(toolbox.tools(), task.repeat);
    const turn = await model.complete(request, task.signal);
    const reading = conversation.take(turn, toolbox.isKnown);
    recordTurn(task, setting, request, turn, reading);
    if (turn.finish === "length") {
      truncated += 1;
      if (truncated === MOST_TRUNCATED) return truncatedAnswer();
      refuseCut(conversation, reading);
      continue;
    }
    truncated = 0;
    if (reading.calls.length > 0) {
      nudges = 0;
      conversation.answerCalls(await carryOut(task, toolbox, reading));
      continue;
    }
    const wrong = nudges < MOST_NUDGES && turn.finish !== "filtered" ? whyNoAnswer(reading, protocol, toolbox) : null;
    recordNoAnswer(task, reading, protocol, toolbox);
    if (wrong === null) return { text: reading.answer ?? "" };
    nudges += 1;
    conversation.nudge(wrong);
  }
}

function systemPrompt(strategy: Strategy): string {
  return strategy.type === "iterative-rag" ? `${REACT_PROMPT}\n\n${RETRIEVAL_PROMPT}` : REACT_PROMPT;
}

function truncatedAnswer(): AgentAnswer {
  const detail = `${MOST_TRUNCATED} turns in a row were cut by the model's output limit`;
  return { text: null, reason: "truncated", detail };
}

/** A turn that was cut is not carried out, not even the parts that look whole. */
function refuseCut(conversation: Conversation, { calls }: Reading): void {
  if (calls.length === 0) conversation.nudge(NUDGES.length);
  else conversation.answerCalls(calls.map((call) => ({ call, text: NUDGES.cutCall })));
}

async function carryOut(task: AgentTask, toolbox: Toolbox, { calls }: Reading): Promise<CallAnswer[]> {
  const answers: CallAnswer[] = [];
  for (const call of calls) {
    try {
      answers.push({ call, text: await callOne(task, toolbox, call) });
    } catch (thrown) {
      const left = calls.length - answers.length - 1;
      if (thrown instanceof Stopped && left > 0) {
        task.record({ type: "quirk", kind: "not-executed", detail: `${left} calls, because the side was stopped` });
      }
      throw thrown;
    }
  }
  return answers;
}

async function callOne(task: AgentTask, toolbox: Toolbox, call: Reading["calls"][number]): Promise<string> {
  const { name, arguments: args, raw, problem } = call;
  if (args === null || problem !== null) return task.reject(name, raw, problem ?? "The call cannot be read.").text;
  return toolbox.call(name, args);
}

/** Why a turn without calls is no answer; null if it is one. */
function whyNoAnswer({ answer }: Reading, protocol: "native" | "text", toolbox: Toolbox): string | null {
  if (answer === null || answer === "") return NUDGES.empty;
  return protocol === "native" && findTextCalls(answer, toolbox.isKnown).length > 0 ? NUDGES.textCall : null;
}

function recordNoAnswer(task: AgentTask, { answer }: Reading, protocol: "native" | "text", toolbox: Toolbox): void {
  if (answer === null || answer === "") {
    task.record({ type: "quirk", kind: "empty-answer", detail: "neither text nor a call" });
    return;
  }
  for (const { name, form } of protocol === "native" ? findTextCalls(answer, toolbox.isKnown) : []) {
    task.record({ type: "quirk", kind: "text-call", detail: `${name}, as ${form}` });
  }
}

function recordTurn(
  task: AgentTask,
  { model }: ReactSetting,
  request: ChatRequest,
  turn: ChatTurn,
  { calls }: Reading,
): void {
  const quirks = calls.flatMap((call) => call.quirks);
  if (turn.finish === "length")
    quirks.push({ kind: "length", detail: `the turn was cut; ${calls.length} calls of it are not made` });
  if (turn.finish === "filtered")
    quirks.push({ kind: "filtered", detail: turn.refusal ?? "ended by a content filter" });
  const { usage } = turn;
  const known = usage.prompt !== null && usage.output !== null;
  const estimated = () =>
    estimateTokens(JSON.stringify([request.messages, request.tools ?? []])) + estimateTokens(turn.text);
  try {
    task.record({
      type: "model",
      ms: Math.round(turn.ms * 100) / 100,
      model: model.name,
      text: turn.text,
      calls: turn.finish === "length" ? 0 : calls.length,
      finish: turn.finish,
      usage,
      ...(known ? {} : { estimated: estimated() }),
      costUsd: turn.costUsd,
      ...(turn.attempts.length === 0 ? {} : { attempts: [...turn.attempts] }),
      ...(turn.cached ? { cached: true } : {}),
    });
  } finally {
    for (const quirk of quirks) task.record({ type: "quirk", ...quirk });
  }
}

/** What of a ReAct agent decides its results, for the run's configuration. */
export function reactConfiguration({ model, strategy, embedder, lenient }: ReactSetting): JsonObject {
  return {
    model: model.configuration,
    strategy: { ...strategy },
    embedder: embedder?.name ?? null,
    arguments: lenient ? "lenient" : "as-written",
  };
}
