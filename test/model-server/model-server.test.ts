import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { dialogue, sequence } from "./scripts.ts";
import { useModelServer } from "./use-model-server.ts";

const hello = [{ role: "user", content: "Hello" }] as const;
const clientOf = (baseURL: string, apiKey = "any") => new OpenAI({ baseURL, apiKey, maxRetries: 0 });

describe("the scripted model server, asked by the OpenAI client", () => {
  it("answers with text and counts what it tells", async () => {
    const server = await useModelServer(dialogue({ text: "Hi.", usage: { prompt: 7, cached: 2, output: 3 } }));
    const turn = await clientOf(server.url).chat.completions.create({ model: "m", messages: [...hello] });
    expect(turn.choices[0]?.message.content).toBe("Hi.");
    expect(turn.usage?.prompt_tokens_details?.cached_tokens).toBe(2);
    expect(server.counts).toMatchObject({
      requests: 1,
      completed: 1,
      promptTokens: 7,
      cachedTokens: 2,
      outputTokens: 3,
    });
  });

  it("streams text and calls, with usage where it is asked for", async () => {
    const server = await useModelServer(dialogue({ text: "So", calls: [{ name: "add", arguments: { a: 1 } }] }));
    const stream = clientOf(server.url).chat.completions.stream({
      model: "m",
      messages: [...hello],
      stream_options: { include_usage: true },
    });
    const turn = await stream.finalChatCompletion();
    const [call] = turn.choices[0]?.message.tool_calls ?? [];
    expect(turn.choices[0]?.message.content).toBe("So");
    expect(call).toMatchObject({ function: { name: "add", arguments: '{"a":1}' } });
    expect(turn.usage?.total_tokens).toBe(server.counts.promptTokens + server.counts.outputTokens);
  });

  it("refuses a wrong key and an unknown model, and fails and breaks on demand", async () => {
    const { url } = await useModelServer(sequence({ error: { status: 529, message: "busy" } }, { break: true }), {
      key: "right",
      models: ["m"],
    });
    const ask = (key: string, model: string) =>
      clientOf(url, key).chat.completions.create({ model, messages: [...hello] });
    await expect(ask("wrong", "m")).rejects.toThrow(OpenAI.AuthenticationError);
    await expect(ask("right", "n")).rejects.toThrow(OpenAI.NotFoundError);
    await expect(ask("right", "m")).rejects.toMatchObject({ status: 529 });
    await expect(ask("right", "m")).rejects.toThrow(OpenAI.APIConnectionError);
  });

  it("makes near vectors of texts that share words", async () => {
    const server = await useModelServer(dialogue({ text: "" }));
    const { data } = await clientOf(server.url).embeddings.create({
      model: "m",
      input: ["send a message", "a message to send", "weather forecast"],
      encoding_format: "float",
    });
    const dot = (i: number, j: number) =>
      data[i]?.embedding.reduce((sum, value, at) => sum + value * (data[j]?.embedding[at] ?? 0), 0) ?? 0;
    expect(dot(0, 1)).toBeGreaterThan(dot(0, 2));
  });
});
