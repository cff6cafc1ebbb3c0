import { matchesGlobs } from "../base/globs.ts";
import type { ToolDefinition } from "../sandbox/catalog.ts";
import { nearestNames } from "../suite/nearest.ts";
import type { Member } from "./member.ts";
import { exposedNames } from "./names.ts";
import type { OfferedTool } from "./pool.ts";

/** A tool on offer, and whose it is. */
export interface Found {
  readonly member: Member;
  readonly offered: OfferedTool;
}

/** The tools of all members under their names in the pool. */
export function offer(members: readonly Member[], tools: readonly (readonly ToolDefinition[])[]): Found[] {
  const flat = members.flatMap((member, at) => (tools[at] ?? []).map((tool) => ({ member, tool })));
  const names = exposedNames(flat.map(({ member, tool }) => ({ server: member.config.name, tool: tool.name })));
  return flat.map(({ member, tool }, at) => ({
    member,
    offered: {
      name: names[at] ?? tool.name,
      server: member.config.name,
      tool: tool.name,
      description: tool.description,
      inputSchema: tool.inputSchema,
      outputSchema: tool.outputSchema,
      effect: effectOf(tool),
    },
  }));
}

function effectOf({ annotations }: ToolDefinition): OfferedTool["effect"] {
  if (annotations?.readOnlyHint !== undefined) return annotations.readOnlyHint ? "read" : "write";
  return annotations?.destructiveHint === undefined ? null : "write";
}

/** What is told to who calls a tool that is not on offer: that it is disabled, or which names are near. */
export function noSuchTool(name: string, members: readonly Member[], listed: readonly Found[]): string {
  const owner = members.find(({ config }) => {
    const own = name.startsWith(`${config.name}.`) ? name.slice(config.name.length + 1) : name;
    return matchesGlobs(own, config.disabledTools);
  });
  if (owner !== undefined) {
    return `The tool ${JSON.stringify(name)} of ${owner.config.name} is disabled in the configuration.`;
  }
  return noSuchToolText(
    name,
    listed.map(({ offered }) => offered.name),
  );
}

const MOST_NAMED = 20;

/** That a tool does not exist, which names are near, and some of those that there are. */
export function noSuchToolText(name: string, names: readonly string[]): string {
  const near = nearestNames(name.slice(name.lastIndexOf(".") + 1), names, 3);
  const advice = near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  const available = names.length === 0 ? "" : ` Available: ${names.slice(0, MOST_NAMED).join(", ")}${more}.`;
  return `There is no tool ${JSON.stringify(name)}.${advice}${available}`;
}
