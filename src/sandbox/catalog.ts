import { z } from "zod";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import { lightOs } from "./apps/light-os.ts";
import { lightShop } from "./apps/light-shop/light-shop.ts";
import { lightTalk } from "./apps/light-talk/light-talk.ts";
import type { SandboxApp, SandboxTool } from "./define.ts";
import { math } from "./stateless/math.ts";
import { time } from "./stateless/time.ts";

/** All servers of the sandbox. */
export const sandboxApps: readonly SandboxApp[] = [lightOs, lightTalk, lightShop, math, time];

/** The sandbox server of that name, or undefined. */
export function sandboxApp(name: string): SandboxApp | undefined {
  return sandboxApps.find((app) => app.name === name);
}

/** A tool as `tools/list` describes it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
}

/** What a server says about a tool's effect; each hint is the server's own word. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

const definitions = new WeakMap<SandboxApp, readonly ToolDefinition[]>();

/** The definitions of an app's tools. They are the same for every world, so each process makes them once, when asked. */
export function toolDefinitions(app: SandboxApp): readonly ToolDefinition[] {
  let made = definitions.get(app);
  if (made === undefined) {
    made = app.tools.map(define);
    definitions.set(app, made);
  }
  return made;
}

function define(tool: SandboxTool<unknown>): ToolDefinition {
  const reads = tool.effect === "read";
  return {
    name: tool.name,
    description: tool.text,
    inputSchema: jsonSchema(tool.input, "input"),
    outputSchema: jsonSchema(envelope(tool.output), "output"),
    annotations: {
      readOnlyHint: reads,
      destructiveHint: tool.effect === "destroy",
      idempotentHint: tool.idempotent,
      openWorldHint: false,
    },
  };
}

/** The shape of every result: a refusal and a failure say why in words. */
function envelope(output: z.ZodType): z.ZodType {
  return z.strictObject({
    status: z.enum(["ok", "failed", "internal error"]),
    output: output instanceof z.ZodString ? output : z.union([output, z.string()]),
  });
}

/** JSON Schema 2020-12, the default of the protocol, so `$schema` says nothing and is left out. */
function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema: _, "~standard": __, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  const plain: unknown = rest;
  if (!isJsonObject(plain)) throw new TypeError("a tool's schema is an object");
  return plain;
}
