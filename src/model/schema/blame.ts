import type { ChatTool } from "../chat.ts";

/** Places of a tool in a request, as endpoints write them: `tools[3].function.parameters`, `tools.3.custom`, `/tools/3/…`. */
const PLACES: readonly RegExp[] = [
  /\bfunction_declarations\[(\d+)\]/i,
  /\btools\[(\d+)\]/i,
  /\btools[./](\d+)\b/i,
  /\btool (?:at )?index (\d+)\b/i,
];

/**
 * The tool that an endpoint means when it refuses a request: by its place among the tools, or by its name in quotes or
 * alone. A name that is part of a longer word, or one of several named, is no blame.
 * @param message all that the endpoint said, its `param` included
 * @returns the tool's name as the model knows it, or null
 */
export function blamedTool(message: string, tools: readonly ChatTool[]): string | null {
  for (const place of PLACES) {
    const index = place.exec(message)?.[1];
    const tool = index === undefined ? undefined : tools[Number(index)];
    if (tool !== undefined) return tool.name;
  }
  const words = new Set(message.split(/[^a-zA-Z0-9_-]+/));
  const named = tools.filter(({ name }) => words.has(name));
  const quoted = named.filter(({ name }) => new RegExp(`['"\`]${name}['"\`]`).test(message));
  if (quoted.length === 1) return quoted[0]?.name ?? null;
  // Names that are common words would be found in any sentence.
  const telling = named.filter(({ name }) => /[_-]|[a-z][A-Z]/.test(name));
  return quoted.length === 0 && telling.length === 1 ? (telling[0]?.name ?? null) : null;
}
