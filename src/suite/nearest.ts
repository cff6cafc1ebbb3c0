import Fuse from "fuse.js";

/** The name that `wanted` was most likely meant to be, or null if none is like it. */
export function nearestName(wanted: string, names: readonly string[]): string | null {
  return nearestNames(wanted, names, 1)[0] ?? null;
}

/** Up to `most` names that are like `wanted`, the likest first; among equals, those of the same length. */
export function nearestNames(wanted: string, names: readonly string[], most: number): string[] {
  const word = wanted.slice(0, 32);
  const search = new Fuse(names, { threshold: 0.5, ignoreLocation: true, includeScore: true });
  return search
    .search(word)
    .map(({ item, score }) => ({ item, distance: (score ?? 1) + Math.abs(item.length - word.length) / 100 }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ item }) => item);
}

/** `expected` with "did you mean", if a name is near. */
export function withSuggestion(expected: string, wanted: string, names: readonly string[]): string {
  const near = nearestName(wanted, names);
  return near === null ? expected : `${expected} (did you mean ${near}?)`;
}
