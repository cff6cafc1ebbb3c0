import { createHash } from "node:crypto";

/** A tool by its server and the server's own name of it. */
export interface ToolKey {
  readonly server: string;
  readonly tool: string;
}

const LONGEST = 64;

/**
 * The names under which tools are offered, in the order given: `^[a-zA-Z0-9_-]{1,64}$` and all different. A tool keeps its
 * own name if that fits and no tool before it has it, else it becomes `<Server>_<tool>`, and if that does not help
 * either, it gets a suffix from its hash. The result depends on the tools and their order alone.
 */
export function exposedNames(tools: readonly ToolKey[]): string[] {
  const taken = new Set<string>();
  const names = new Map<ToolKey, string>();
  const fits = (key: ToolKey) => fitting(key.tool) === key.tool;
  // Names that already fit go first: `get_item` keeps its name although `get.item` stands before it.
  for (const key of [...tools.filter(fits), ...tools.filter((key) => !fits(key))]) {
    const full = `${key.server}_${key.tool}`;
    const candidates = [fitting(key.tool), fitting(full)];
    let name = candidates.find((candidate) => candidate.length <= LONGEST && !taken.has(candidate));
    name ??= hashed(full, key);
    // A name that already ends in this very hash is hardly an accident, but it must not hide a tool.
    for (let round = 1; taken.has(name); round++) name = hashed(full, { ...key, tool: `${key.tool}\0${round}` });
    taken.add(name);
    names.set(key, name);
  }
  return tools.map((key) => names.get(key) ?? fitting(key.tool));
}

function fitting(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_") || "_";
}

function hashed(name: string, { server, tool }: ToolKey): string {
  const hash = createHash("sha256").update(`${server}\0${tool}`).digest("hex").slice(0, 8);
  return `${fitting(name).slice(0, LONGEST - 9)}_${hash}`;
}
