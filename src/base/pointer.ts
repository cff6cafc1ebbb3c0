/** JSON Pointer (RFC 6901) of a path. The empty path is the empty text. */
export function toPointer(path: readonly (string | number)[]): string {
  return path.map((part) => `/${escapePart(String(part))}`).join("");
}

/** Path of a JSON Pointer. */
export function fromPointer(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** One part as it is written inside a pointer. */
export function escapePart(part: string): string {
  return part.includes("~") || part.includes("/") ? part.replaceAll("~", "~0").replaceAll("/", "~1") : part;
}

/**
 * A matcher for a list of JSON Pointer patterns, in which a part `*` stands for any one part and `**` for any number
 * of parts, none included. It is built once and asked often, so patterns are kept as a tree that is walked part by part.
 */
export interface PointerMatcher {
  /** True if a pattern matches the whole of `path`. */
  matches(path: readonly string[]): boolean;
}

/** Builds a matcher. A list without patterns matches nothing. */
export function pointerMatcher(patterns: readonly string[]): PointerMatcher {
  const parsed = patterns.map(fromPointer);
  if (parsed.length === 0) return { matches: () => false };
  return { matches: (path) => parsed.some((pattern) => matchParts(pattern, 0, path, 0)) };
}

function matchParts(pattern: readonly string[], at: number, path: readonly string[], from: number): boolean {
  for (let p = at, i = from; ; p++, i++) {
    if (p === pattern.length) return i === path.length;
    const part = pattern[p];
    if (part === "**") {
      for (let skip = i; skip <= path.length; skip++) if (matchParts(pattern, p + 1, path, skip)) return true;
      return false;
    }
    if (i === path.length || (part !== "*" && part !== path[i])) return false;
  }
}
