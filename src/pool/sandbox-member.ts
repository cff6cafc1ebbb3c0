import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { z } from "zod";
import type { SandboxServerConfig } from "../config/server-config.ts";
import { toolDefinitions } from "../sandbox/catalog.ts";
import type { SandboxApp } from "../sandbox/define.ts";
import { envelopeText, sandboxServer } from "../sandbox/mcp-server.ts";
import { type FaultKind, faultText, type World } from "../sandbox/world.ts";
import { describeError } from "./errors.ts";
import { type Member, offeredTools } from "./member.ts";
import { type Answer, plainAnswer, sandboxAnswer } from "./results.ts";
import { newClient } from "./session.ts";

/**
 * A server of the sandbox as a member: a real client and server over the in-memory transport, made at the first call. Its
 * tools are known without it. Faults are drawn here, once per call, before the server is asked.
 */
export function sandboxMember(config: SandboxServerConfig, world: World, app: SandboxApp): Member {
  let client: Promise<Client> | undefined;
  const tools = offeredTools(config, toolDefinitions(app));
  return {
    config,
    tools: async () => tools,
    // It is there as soon as it is called.
    start: async () => {},
    async call(tool, args, signal) {
      signal?.throwIfAborted();
      const fault = world.nextFault(app.name, tool);
      if (fault !== null && fault !== "delay") return faultAnswer(fault, app.name);
      try {
        client ??= connect(world, app);
        const connected = await client;
        const request = { method: "tools/call" as const, params: { name: tool, arguments: { ...args } } };
        return { ...sandboxAnswer(await connected.request(request, z.unknown())), fault };
      } catch (thrown) {
        // A tool's own defect is an answer; what ends here is a defect around it.
        return plainAnswer("broken", `The connection to ${app.name} broke: ${describeError(thrown)}.`, fault);
      }
    },
    async close() {
      await (await client?.catch(() => undefined))?.close();
    },
  };
}

async function connect(world: World, app: SandboxApp): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = newClient();
  await sandboxServer(world, app).connect(there);
  await client.connect(here);
  return client;
}

/** What a call answers that a fault hit: the same envelope as the server's own. */
function faultAnswer(fault: Exclude<FaultKind, "delay">, app: string): Answer {
  const text = faultText(fault, app);
  return {
    outcome: "transient",
    text: envelopeText("internal error", text),
    value: text,
    writes: [],
    fault,
    structured: null,
  };
}
