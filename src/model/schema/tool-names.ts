import { createHash } from "node:crypto";

const LONGEST = 64;
const ACCEPTED = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Names that endpoints accept, in the order given: `^[a-zA-Z0-9_-]{1,64}$` and all different. A name that fits is kept, unless
 * one before it is the same; any other gets a suffix from its hash. The result depends on the names and their order alone.
 */
export function acceptedNames(names: readonly string[]): string[] {
  const taken = new Set(names.filter((name) => ACCEPTED.test(name)));
  const seen = new Set<string>();
  return names.map((name) => {
    if (ACCEPTED.test(name) && !seen.has(name)) {
      seen.add(name);
      return name;
    }
    const accepted = rewritten(name, taken);
    taken.add(accepted);
    return accepted;
  });
}

function rewritten(name: string, taken: ReadonlySet<string>): string {
  const start = name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, LONGEST - 9) || "tool";
  for (let round = 0; ; round++) {
    const hash = createHash("sha256").update(`${name}\0${round}`).digest("hex").slice(0, 8);
    const candidate = `${start}_${hash}`;
    if (!taken.has(candidate)) return candidate;
  }
}
