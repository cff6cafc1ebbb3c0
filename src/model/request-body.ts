import type { JsonObject } from "../base/json.ts";
import type { ModelEntry } from "../config/project-schema.ts";
import type { ChatMessage, ChatRequest } from "./chat.ts";

/** The body of a chat completion request, as the model's entry wants it. */
export function requestBody(request: ChatRequest, model: string, entry: ModelEntry): JsonObject {
  const { messages, tools = [], format } = request;
  const body = {
    model,
    messages: messages.map((message) => wireMessage(message, entry)),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: "function", function: { ...tool } })) }),
    ...(entry.temperature === null ? {} : { temperature: entry.temperature }),
    ...(entry.maxOutputTokens === undefined ? {} : { [entry.maxTokensParameter]: entry.maxOutputTokens }),
    ...(format === undefined || !entry.structured
      ? {}
      : { response_format: { type: "json_schema", json_schema: { ...format, strict: true } } }),
    ...(entry.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...entry.extraBody,
  };
  return body as unknown as JsonObject;
}

function wireMessage(message: ChatMessage, { emptyContent }: ModelEntry): object {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.content };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.content };
    case "assistant": {
      const { content, calls } = message;
      if (calls.length === 0) return { role: "assistant", content };
      return {
        role: "assistant",
        content: content === "" && emptyContent === "null" ? null : content,
        tool_calls: calls.map(({ id, name, arguments: args }) => ({
          id,
          type: "function",
          function: { name, arguments: args },
        })),
      };
    }
  }
}
