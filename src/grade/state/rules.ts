import { fromPointer } from "../../base/pointer.ts";
import type { TextComparer } from "../../suite/schema.ts";
import { type LeafRule, PLAIN } from "./comparers.ts";

/** How a state is compared; each list holds JSON Pointer patterns with `*` (one part) and `**` (any number of parts). */
export interface RulePatterns {
  readonly ignore?: readonly string[];
  readonly ordered?: readonly string[];
  readonly numericText?: readonly string[];
  readonly text?: Readonly<Record<string, TextComparer>>;
}

/**
 * What the patterns say at one path and below. `null` in its place means that no pattern can match at or below the
 * path, so that a walk through a large state pays for patterns only where they lead.
 */
export interface RuleNode {
  readonly rule: LeafRule;
  /** The node one part further down. */
  child(part: string): RuleNode | null;
}

type Effect = Partial<LeafRule>;

/**
 * Compiles patterns into a tree of nodes that is built as it is walked. All patterns are laid out in one list of parts, a
 * node is the set of places in that list that are reached, and equal sets are one node.
 */
export function compileRules(patterns: RulePatterns): RuleNode | null {
  const layout: (string | Effect)[] = [];
  const starts: number[] = [];
  const append = (pattern: string, effect: Effect) => {
    starts.push(layout.length);
    layout.push(...fromPointer(pattern), effect);
  };
  for (const pattern of patterns.ignore ?? []) append(pattern, { ignored: true });
  for (const pattern of patterns.ordered ?? []) append(pattern, { ordered: true });
  for (const pattern of patterns.numericText ?? []) append(pattern, { numeric: true });
  for (const [pattern, comparer] of Object.entries(patterns.text ?? {})) append(pattern, { comparer });

  const nodes = new Map<string, RuleNode>();

  /** The places reached at once: `**` also stands for no part. */
  function reach(place: number, into: Set<number>): void {
    into.add(place);
    if (layout[place] === "**") reach(place + 1, into);
  }

  function nodeOf(places: ReadonlySet<number>): RuleNode | null {
    if (places.size === 0) return null;
    const sorted = [...places].sort((a, b) => a - b);
    const name = sorted.join();
    const known = nodes.get(name);
    if (known !== undefined) return known;
    const made = makeNode(sorted);
    nodes.set(name, made);
    return made;
  }

  function makeNode(places: readonly number[]): RuleNode {
    let rule = PLAIN;
    const named = new Set<string>();
    for (const place of places) {
      const part = layout[place];
      if (typeof part === "object") rule = { ...rule, ...part };
      else if (part !== undefined && part !== "*" && part !== "**") named.add(part);
    }
    const children = new Map<string | null, RuleNode | null>();
    return {
      rule,
      child(part) {
        const key = named.has(part) ? part : null;
        let next = children.get(key);
        if (next === undefined) {
          const reached = new Set<number>();
          for (const place of places) {
            const wanted = layout[place];
            if (wanted === "**") reach(place, reached);
            else if (wanted === "*" || (wanted === part && key !== null)) reach(place + 1, reached);
          }
          next = nodeOf(reached);
          children.set(key, next);
        }
        return next;
      },
    };
  }

  const first = new Set<number>();
  for (const start of starts) reach(start, first);
  return nodeOf(first);
}
