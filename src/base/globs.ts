/** True if a glob of `globs` (`*` any text, `?` one character) covers the whole of `name`. */
export function matchesGlobs(name: string, globs: readonly string[]): boolean {
  return globs.some((glob) => {
    const source = glob
      .replace(/[\\^$.+()[\]{}|]/g, "\\$&")
      .replaceAll("*", "[\\s\\S]*")
      .replaceAll("?", "[\\s\\S]");
    return new RegExp(`^${source}$`).test(name);
  });
}
