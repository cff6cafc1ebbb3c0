import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { notesApp } from "../../test/servers/notes-app.ts";
import { sandboxApps, toolDefinitions } from "./catalog.ts";
import { sandboxServer } from "./mcp-server.ts";
import { createWorld, type World } from "./world.ts";

async function connect(world: World): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  await sandboxServer(world, notesApp).connect(there);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(here);
  return client;
}

describe("toolDefinitions", () => {
  it("describes input, the envelope of the output, and the effect", () => {
    const definitions = new Map(toolDefinitions(notesApp).map((tool) => [tool.name, tool]));
    expect(definitions.get("add_note")).toMatchObject({
      description: "Adds a note.",
      inputSchema: {
        type: "object",
        properties: { title: { type: "string", minLength: 1, description: "title of the note" } },
        required: ["title"],
        additionalProperties: false,
      },
      outputSchema: {
        type: "object",
        properties: { status: { enum: ["ok", "failed", "internal error"] }, output: { anyOf: expect.any(Array) } },
        required: ["status", "output"],
      },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    });
    expect(definitions.get("list_notes")?.annotations).toMatchObject({ readOnlyHint: true, idempotentHint: true });
    expect(definitions.get("delete_note")?.annotations).toMatchObject({ destructiveHint: true });
  });

  it("is made once", () => {
    expect(toolDefinitions(notesApp)).toBe(toolDefinitions(notesApp));
  });

  it("gives every tool of the catalogue schemas that compile", () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const app of sandboxApps) {
      for (const tool of toolDefinitions(app)) {
        expect(tool.inputSchema.type, `${app.name}.${tool.name}`).toBe("object");
        ajv.compile(tool.inputSchema);
        ajv.compile(tool.outputSchema ?? {});
      }
    }
  });
});

describe("sandboxServer", () => {
  it("speaks the protocol: the SDK's own client lists, calls and validates the output", async () => {
    const client = await connect(createWorld({ seed: 1, apps: [notesApp] }));
    expect(client.getServerVersion()).toMatchObject({ name: "Notes", title: "Notes" });
    expect((await client.listTools()).tools).toHaveLength(notesApp.tools.length);
    const added = await client.callTool({ name: "add_note", arguments: { title: "Tea" } });
    expect(added).toMatchObject({ isError: false, structuredContent: { status: "ok" } });
    expect(added._meta?.["tandem/writes"]).toEqual([expect.stringMatching(/^\/Notes\/notes\/note_/)]);
    const listed = await client.callTool({ name: "list_notes" });
    expect(listed.content).toEqual([{ type: "text", text: JSON.stringify(listed.structuredContent) }]);
    await client.close();
  });

  it("marks refusals, defects and bad input as errors, in words", async () => {
    const world = createWorld({ seed: 1, apps: [notesApp] });
    const client = await connect(world);
    await client.listTools();
    expect(await client.callTool({ name: "delete_note", arguments: { id: "x" } })).toMatchObject({
      isError: true,
      structuredContent: { status: "failed", output: "There is no note x." },
    });
    expect(await client.callTool({ name: "break_down" })).toMatchObject({
      isError: true,
      structuredContent: { status: "internal error" },
    });
    const bad = await client.callTool({ name: "add_note", arguments: { title: "Tea", stars: 9 } });
    expect(bad).toMatchObject({ isError: true, structuredContent: { output: expect.stringContaining("stars:") } });
    await expect(client.callTool({ name: "no_such_tool" })).rejects.toThrow("no tool no_such_tool");
    expect(world.timeMs).toBe(createWorld({ seed: 1, apps: [notesApp] }).timeMs);
    await client.close();
  });
});
