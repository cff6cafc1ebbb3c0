// Kind 4: what endpoints do. One test per case, named by its id, each over a real connection to a scripted endpoint.
import { describe, expect, it } from "vitest";
import { play, toolTexts } from "../model-server/play.ts";
import { dialogue, lastResult, sequence } from "../model-server/scripts.ts";
import { stdioEntry } from "../servers/pools.ts";

const done = { text: "It is done." };
/** A stream of chunks with these deltas, and a finish. */
const streamOf = (deltas: readonly object[], finish = "tool_calls") => ({
  chunks: [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
  ],
});
const callDelta = (index: number | undefined, id: string | undefined, name: string | undefined, args: string) => ({
  tool_calls: [
    {
      ...(index === undefined ? {} : { index }),
      ...(id === undefined ? {} : { id, type: "function" }),
      function: { ...(name === undefined ? {} : { name }), arguments: args },
    },
  ],
});

describe("kind 4: endpoints", () => {
  it.each([[""], [" \n"], [undefined], [null], ["null"], ["{}"], [{}]])(
    "C80 arguments %j are none, and the call is made",
    async (args) => {
      const { calls, quirks, record } = await play(dialogue({ calls: [{ name: "echo", arguments: args }] }, done));
      expect(calls).toMatchObject([{ name: "echo", outcome: "ok", arguments: {}, text: "{}" }]);
      expect(quirks).toEqual(args === "{}" || (typeof args === "object" && args !== null) ? [] : ["empty-arguments"]);
      expect(record.tested?.stop).toBe("answered");
    },
  );

  it("C80 arguments that are no object are told to the model and reach no server", async () => {
    const wrong = ["[]", "5", '"x"'];
    const { calls, quirks, messages, record } = await play(
      dialogue(...wrong.map((args) => ({ calls: [{ name: "echo", arguments: args }] })), done),
    );
    expect(calls.map(({ outcome }) => outcome)).toEqual(["syntactic", "syntactic", "syntactic"]);
    expect(toolTexts(messages)).toEqual(wrong.map(() => expect.stringContaining("must be a JSON object")));
    expect(quirks).toEqual(wrong.map(() => "invalid-arguments"));
    expect(record.tested).toMatchObject({ stop: "answered", calls: { syntactic: 3, valid: 0, failed: 0 } });
  });

  it("C82 malformed arguments are the agent's error and are not mended", async () => {
    const wrong = ['{"a": foo"}', "{'a':1}", '{"a":1,}', '{"a":"x\ny"}', '```json\n{"a":1}\n```', '{"a":1} trailing'];
    const { calls, messages } = await play(
      dialogue(...wrong.map((args) => ({ calls: [{ name: "echo", arguments: args }] })), done),
    );
    expect(calls.map(({ outcome }) => outcome)).toEqual(wrong.map(() => "syntactic"));
    for (const text of toolTexts(messages)) expect(text).toMatch(/cannot be used: .*(position|token|line|column)/is);
    // The history holds JSON, or the next request would be refused; what was written stands in the trajectory.
    for (const message of messages) {
      for (const call of message.tool_calls ?? []) expect(() => JSON.parse(call.function.arguments)).not.toThrow();
    }
    expect(calls[0]?.arguments).toBe(wrong[0]);
    const endless = await play(dialogue({ calls: [{ name: "echo", arguments: "{" }] }), {
      episode: { limits: { rounds: 4 } },
    });
    expect(endless.record.tested).toMatchObject({ stop: "rounds", calls: { syntactic: 3 } });
  });

  it.each(["length", "max_tokens", "MAX_TOKENS", "model_length"])(
    "C83 no call of a turn that ended with %s is made",
    async (finish) => {
      const cut = { calls: [{ name: "echo", arguments: { text: "half" } }], finish };
      const { calls, messages, record, quirks } = await play(dialogue(cut, done));
      expect(calls).toEqual([]);
      expect(toolTexts(messages)).toEqual([expect.stringContaining("cut by the output limit")]);
      expect(quirks).toEqual(["length"]);
      expect(record.tested?.stop).toBe("answered");
      const endless = await play(dialogue(cut));
      expect(endless.record.tested).toMatchObject({ stop: "truncated", answer: null, calls: { total: 0 } });
      expect(endless.server.counts.requests).toBe(3);
      expect(endless.record.outcome).toBe("fail");
    },
  );

  it("C85 copies of one object are that object, different ones an error", async () => {
    const plain = await play(
      dialogue(
        { calls: [{ name: "echo", arguments: '{"a":1}{"a":1}' }] },
        { calls: [{ name: "echo", arguments: '{"a":1}{"b":2}' }] },
        done,
      ),
    );
    expect(plain.calls).toMatchObject([
      { outcome: "ok", arguments: { a: 1 } },
      { outcome: "syntactic", arguments: '{"a":1}{"b":2}' },
    ]);
    expect(plain.quirks).toEqual(["repaired-arguments", "invalid-arguments"]);
    const pieces = [
      ["{}", '{"a":1}'],
      ['{"a"', '{"a":1}'],
      ['{"a":1}', '{"a":1}'],
    ];
    const streamed = await play(
      dialogue(
        ...pieces.map(([first = "", second = ""]) =>
          streamOf([callDelta(0, "c", "echo", first), callDelta(0, undefined, undefined, second)]),
        ),
        streamOf([{ content: "Done." }], "stop"),
      ),
      { model: { stream: true } },
    );
    expect(streamed.calls.map(({ arguments: args }) => args)).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }]);
    expect(streamed.quirks.filter((kind) => kind === "repaired-arguments")).toHaveLength(3);
  });

  it.each([
    ["index 0 for all", [0, 0]],
    ["no index", [undefined, undefined]],
    ["indices from 1", [1, 2]],
  ])("C86 calls of one streamed turn with %s are told apart", async (_, [first, second]) => {
    const turn = streamOf([
      callDelta(first, "c1", "echo", '{"x":'),
      callDelta(first, undefined, undefined, "1}"),
      callDelta(second, "c2", "stored", "{}"),
    ]);
    const { calls } = await play(dialogue(turn, streamOf([{ content: "Done." }], "stop")), { model: { stream: true } });
    expect(calls).toMatchObject([
      { name: "echo", arguments: { x: 1 } },
      { name: "stored", arguments: {} },
    ]);
  });

  it("C88 repeated ids become unique, and results go by position", async () => {
    const { messages, quirks } = await play(
      dialogue(
        {
          calls: [
            { id: "call_0", name: "echo", arguments: { n: 1 } },
            { id: "call_0", name: "echo", arguments: { n: 2 } },
          ],
        },
        { calls: [{ id: "call_0", name: "echo", arguments: { n: 3 } }] },
        { calls: [{ id: null, name: "echo", arguments: { n: 4 } }] },
        done,
      ),
    );
    const asked = messages.flatMap((message) => message.tool_calls ?? []);
    expect(new Set(asked.map(({ id }) => id)).size).toBe(4);
    for (const { id, function: called } of asked) {
      expect(messages.find((message) => message.tool_call_id === id)?.content).toBe(called.arguments);
    }
    expect(quirks).toEqual(["call-id", "call-id", "call-id"]);
  });

  it("C89 each call of a turn has one result, in their order, failed and cut-off ones too", async () => {
    const turn = {
      calls: [
        { name: "late", arguments: {} },
        { name: "fail", arguments: {} },
        { name: "echo", arguments: { fast: true } },
      ],
    };
    const { messages, calls } = await play(dialogue(turn, done));
    expect(toolTexts(messages)).toEqual(["late", "no such thing", '{"fast":true}']);
    expect(calls.map(({ outcome }) => outcome)).toEqual(["ok", "refused", "ok"]);
    const stopped = await play(dialogue({ calls: [{ name: "hang", arguments: {} }, ...turn.calls] }), {
      episode: { limits: { timeSeconds: 1 } },
    });
    expect(stopped.record.tested?.stop).toBe("time");
    expect(stopped.calls).toMatchObject([{ name: "hang", server: "Fixture", outcome: "timeout" }]);
    expect(stopped.events).toContainEqual(
      expect.objectContaining({ kind: "not-executed", detail: expect.stringContaining("3 calls") }),
    );
  });

  it("C91 content is always there: null or a text beside calls, as the model's entry says", async () => {
    const script = () => dialogue({ text: null, calls: [{ name: "echo", arguments: {} }] }, done);
    const contents = async (model: object) => {
      const { messages } = await play(script(), { model });
      return messages.filter(({ role }) => role === "assistant").map((message) => message.content);
    };
    expect(await contents({})).toEqual([null]);
    expect(await contents({ emptyContent: "text" })).toEqual([""]);
    const empty = await play(dialogue({ text: null }, { text: "" }, done));
    expect(empty.messages.filter(({ role }) => role === "assistant").map(({ content }) => content)).toEqual(["", ""]);
    expect(empty.quirks).toEqual(["empty-answer", "empty-answer"]);
    const never = await play(dialogue({ text: "" }));
    expect(never.record.tested).toMatchObject({ stop: "answered", answer: "" });
    expect(JSON.stringify(never.record)).not.toContain('"null"');
  });

  it("C92 a tool message holds one text, whatever the tool returned", async () => {
    const { messages } = await play(
      dialogue(
        {
          calls: [
            {
              name: "media",
              arguments: {
                content: [
                  { type: "text", text: "a" },
                  { type: "text", text: "b" },
                  { type: "image", mimeType: "image/png", data: "AAAA" },
                ],
              },
            },
          ],
        },
        done,
      ),
    );
    const [said] = messages.filter(({ role }) => role === "tool");
    expect(said?.content).toMatch(/^a\nb\n\[image/);
  });

  it.each([
    '<tool_call>{"name":"echo","arguments":{"a":1}}</tool_call>',
    '```json\n{"name":"echo","arguments":{}}\n```',
    "<function=echo><parameter=a>1</parameter></function>",
    '<tool_call>{"name":"echo"',
    '{"name": "echo", "arguments": {}}',
  ])("C94 the call written as text in %j is not made, and told", async (text) => {
    const { calls, quirks, messages, record } = await play(dialogue({ text }, done));
    expect(calls).toEqual([]);
    expect(quirks).toEqual(["text-call"]);
    expect(messages.at(-1)?.content).toContain("written as text");
    expect(record.tested?.answer).toBe("It is done.");
    const stubborn = await play(dialogue({ text }));
    expect(stubborn.record.tested).toMatchObject({ stop: "answered", answer: text, calls: { total: 0 } });
    expect(new Set(stubborn.quirks)).toEqual(new Set(["text-call"]));
  });

  it("C94 an answer that explains a call, or repeats a result, is an answer", async () => {
    for (const text of [
      'I would write <tool_call>{"name":"echo","arguments":{}}</tool_call> to call it, which I did.',
      'Call it so:\n```json\n{"name":"echo","arguments":{}}\n```\nThat is all.',
      '{"name": "somebody else", "arguments": {}}',
    ]) {
      const { quirks, record } = await play(dialogue({ text }));
      expect(quirks).toEqual([]);
      expect(record.tested?.answer).toBe(text);
    }
  });

  it("C95 names are cleaned by a list that is recorded, and the clean one stands in the history", async () => {
    const names = ["echo<|channel|>commentary", "functions.echo", " echo ", "echo\n"];
    const { calls, quirks, messages } = await play(
      dialogue(...names.map((name) => ({ calls: [{ name, arguments: {} }] })), done),
    );
    expect(calls.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual(names.map(() => "echo ok"));
    expect(quirks).toEqual(names.map(() => "repaired-name"));
    const history = messages.flatMap((message) => message.tool_calls ?? []);
    expect(history.map((call) => call.function.name)).toEqual(names.map(() => "echo"));
    const other = await play(dialogue({ calls: [{ name: "ECHO", arguments: {} }] }, done));
    expect(other.calls).toMatchObject([{ name: "ECHO", outcome: "syntactic" }]);
  });

  it("C97 chunks without choices or delta, comments and other line ends are no error", async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 };
    const chunk = (value: unknown) => `data:${JSON.stringify(value)}\r\n\r\n`;
    const { record, server } = await play(
      () => ({
        chunks: [
          ":keep-alive\n\n",
          { choices: [] },
          chunk({ choices: [{ index: 0, finish_reason: null }] }),
          chunk({ choices: [{ index: 0, delta: { content: "a" }, finish_reason: null }] }),
          { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
          { choices: null, usage },
        ],
      }),
      { model: { stream: true } },
    );
    expect(record.tested).toMatchObject({ stop: "answered", answer: "a" });
    expect(record.tokens.agent).toMatchObject({ prompt: 9, output: 1 });
    expect(server.requests[0]?.body.stream_options).toEqual({ include_usage: true });
  });

  it.each([[null], [{ total_tokens: 12 }], [{ prompt_tokens: -1, completion_tokens: "5", total_tokens: null }]])(
    "C98 with usage %j tokens and cost are unknown, and limits go by an estimate",
    async (usage) => {
      const script = dialogue({ calls: [{ name: "echo", arguments: {} }], usage });
      const { record, events } = await play(script, {
        model: { prices: { input: 1, output: 2 } },
        episode: { limits: { tokens: 2000 } },
      });
      expect(record.tokens.agent).toMatchObject({ prompt: null, output: null });
      expect(record.costUsd.agent).toBeNull();
      expect(record.tested?.stop).toBe("tokens");
      for (const event of events) if (event.type === "model") expect(event.estimated).toBeGreaterThan(0);
    },
  );

  it.each([408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529])(
    "C100 status %i passes, and a later attempt counts",
    async (status) => {
      const { record, events } = await play(
        sequence({ error: { status, message: "busy", headers: { "retry-after-ms": "1" } } }, done),
      );
      expect(record.tested?.stop).toBe("answered");
      expect(events.find(({ type }) => type === "model")).toMatchObject({ attempts: [{ status, waitMs: 1 }] });
    },
  );

  it("C100 what lasts is an error of the episode and no score", async () => {
    const model = { attempts: 2 };
    const busy = { error: { status: 503, message: "busy", headers: { "retry-after-ms": "1" } } };
    const overloaded = await play(sequence(busy), { model });
    expect(overloaded.server.counts.requests).toBe(2);
    const hung = await play(sequence({ hang: true }), { model: { ...model, timeout: 0.2, attempts: 1 } });
    const broken = await play(sequence({ break: true }), { model: { attempts: 1 } });
    const cut = await play(sequence({ chunks: [], end: "cut" }), { model: { attempts: 1, stream: true } });
    const nowhere = await play(sequence(done), { model: { endpoint: "http://127.0.0.1:9/v1", attempts: 1 } });
    for (const { record } of [overloaded, hung, broken, cut, nowhere]) {
      expect(record).toMatchObject({ outcome: "error", state: null, judges: {}, tested: { stop: "model" } });
      expect(record.error?.code).toBe("model.unavailable");
    }
    for (const status of [501, 505]) {
      const { server, record } = await play(sequence({ error: { status, message: "never" } }));
      expect(server.counts.requests).toBe(1);
      expect(record.outcome).toBe("error");
    }
  });

  it.each([
    [400, "model.rejected"],
    [401, "credentials.rejected"],
    [403, "credentials.rejected"],
    [404, "model.unknown"],
    [422, "model.rejected"],
  ])("C101 status %i is not sent again", async (status, code) => {
    const { server, record } = await play(sequence({ error: { status, message: "no such thing" } }));
    expect(server.counts.requests).toBe(1);
    expect(record).toMatchObject({ outcome: "error", error: { code } });
    expect(record.error?.message).toContain("no such thing");
  });

  it.each([
    [400, "context_length_exceeded", "too much"],
    [400, null, "This model's maximum context length is 8192 tokens."],
    [400, null, "Input length (70001) exceeds model's maximum context length (65536)."],
    [400, null, "Prompt too long: 9000 tokens exceeds max_seq_len 8192"],
    [400, null, "the request exceeds the available context size"],
    [413, null, "Payload Too Large"],
  ])("C103 %i %s %s: the conversation outgrew the context", async (status, code, message) => {
    const { server, record } = await play(
      dialogue({ calls: [{ name: "echo", arguments: {} }] }, { error: { status, code, message } }),
    );
    expect(server.counts.requests).toBe(2);
    expect(record).toMatchObject({ outcome: "fail", tested: { stop: "context" } });
  });

  it.each([
    [400, "max_tokens exceeds the model output limit"],
    [400, "schema is too long"],
    [400, "temperature exceeds maximum"],
    [429, "Too many tokens, please slow down"],
  ])("C103 %i %s is something else", async (status, message) => {
    const { record } = await play(sequence({ error: { status, message, headers: { "retry-after-ms": "1" } } }), {
      model: { attempts: 2 },
    });
    expect(record).toMatchObject({ outcome: "error", tested: { stop: "model" } });
  });

  it("C104 parameters are the model's configuration, and a refused one says which field to set", async () => {
    const { server } = await play(sequence(done), {
      model: { maxOutputTokens: 50, maxTokensParameter: "max_tokens", temperature: 0, extraBody: { top_k: 1 } },
    });
    expect(server.requests[0]?.body).toMatchObject({ max_tokens: 50, temperature: 0, top_k: 1 });
    const plain = await play(sequence(done), { model: { maxOutputTokens: 50 } });
    expect(plain.server.requests[0]?.body).toMatchObject({ max_completion_tokens: 50 });
    expect(plain.server.requests[0]?.body).not.toHaveProperty("temperature");
    const refused = await play(
      sequence({ error: { status: 400, code: "unsupported_parameter", param: "max_tokens", message: "Unsupported" } }),
    );
    expect(refused.record.outcome).toBe("error");
    expect(refused.record.error?.message).toContain("Unsupported");
  });

  it("C106 arguments go as the model wrote them, unless the setting mends them", async () => {
    const written = { ids: '["a"]', o: '{"k":1}', content: '{"keep":"me"}' };
    const properties = { ids: { type: "array" }, o: { type: "object" }, content: { type: "string" } };
    const entry = stdioEntry("given", { env: { TOOL_SCHEMA: JSON.stringify({ type: "object", properties }) } });
    const script = () => dialogue({ calls: [{ name: "echo", arguments: written }] }, done);
    const asWritten = await play(script(), { entry });
    expect(asWritten.calls).toMatchObject([{ outcome: "syntactic", arguments: written }]);
    const lenient = await play(script(), { entry, project: { arguments: "lenient" } });
    expect(lenient.calls).toMatchObject([
      { outcome: "ok", arguments: { ids: ["a"], o: { k: 1 }, content: '{"keep":"me"}' } },
    ]);
    expect(lenient.quirks).toEqual(["coerced-arguments"]);
    const twice = await play(
      dialogue({ calls: [{ name: "echo", arguments: JSON.stringify('{"content":"x"}') }] }, done),
      { entry, project: { arguments: "lenient" } },
    );
    expect(twice.calls).toMatchObject([{ outcome: "ok", arguments: { content: "x" } }]);
    const list = await play(dialogue({ calls: [{ name: "echo", arguments: { ids: "a,b" } }] }, done), {
      entry,
      project: { arguments: "lenient" },
    });
    expect(list.calls).toMatchObject([{ outcome: "syntactic", arguments: { ids: "a,b" } }]);
  });

  it("C107 a number that would lose digits is refused, others arrive as written", async () => {
    const refused = ['{"id":1844674407370955297}', '{"id":1e400}'];
    const kept = ['{"id":0.1}', '{"id":1.0}', '{"id":-0}'];
    const { calls, messages } = await play(
      dialogue(...[...refused, ...kept].map((args) => ({ calls: [{ name: "echo", arguments: args }] })), done),
    );
    expect(calls.map(({ outcome }) => outcome)).toEqual(["syntactic", "syntactic", "ok", "ok", "ok"]);
    expect(toolTexts(messages)[0]).toContain("1844674407370955297");
    expect(calls.slice(2).map(({ arguments: args }) => (args as { id: number }).id)).toEqual([0.1, 1, -0]);
    let seen = "";
    await play(
      dialogue({ calls: [{ name: "bigint", arguments: {} }] }, (request) => {
        seen = lastResult(request);
        return done;
      }),
    );
    expect(seen).toBe('{"id":1844674407370955297}');
  });
});
