import type { World } from "../sandbox/world.ts";
import { schemaProblems } from "./arguments.ts";
import type { CallResult, OfferedTool } from "./pool.ts";
import type { Answer } from "./results.ts";

/** An answer as the caller of a pool gets it. */
export function toResult(answer: Answer, tool: OfferedTool | null, world: World | null): CallResult {
  const { structured, ...shown } = answer;
  const violation = structured === null ? null : violationOf(answer, tool);
  return { ...shown, violation, tool, worldTime: world?.now() ?? null };
}

/** A result that breaks its tool's output schema reaches the agent as it is; how it breaks it is recorded. */
function violationOf({ outcome, value, structured }: Answer, tool: OfferedTool | null): string | null {
  if (tool?.outputSchema === undefined || outcome !== "ok") return null;
  return structured
    ? schemaProblems(tool.outputSchema, value)
    : "it has an output schema and gave no structured content";
}
