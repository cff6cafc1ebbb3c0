import type { Json } from "../../base/json.ts";
import { toPointer } from "../../base/pointer.ts";
import type { StateGrade, StatePath } from "../../record/grades.ts";
import { createAligner, type Three } from "./align.ts";
import { identifyMinted } from "./colours.ts";
import { lookAlikeHint, TOLERANCE } from "./comparers.ts";
import { contentHasher } from "./content.ts";
import type { Identity, Side } from "./identity.ts";
import { findMinted, type IdForms } from "./minted.ts";
import { compileRules, type RuleNode, type RulePatterns } from "./rules.ts";
import { createWalk, type DiffEntry, type Walk } from "./walk.ts";

/** The three states of a diff: any JSON values. */
export interface DiffInput {
  /** The start state (old). */
  readonly before: Json;
  /** The reference's end state (gt). */
  readonly reference: Json;
  /** The tested agent's end state (new). */
  readonly after: Json;
  /**
   * Ids that each side made during the run. Left out: every id of the sandbox form and every UUID that occurs nowhere in
   * the start state.
   */
  readonly minted?: { readonly reference: readonly string[]; readonly after: readonly string[] };
}

/** How states are compared. Paths are JSON Pointer patterns with `*` and `**`. */
export interface DiffOptions extends RulePatterns {
  /** Largest difference of equal numbers, absolute or relative; 1e-9 if left out. */
  readonly tolerance?: number;
}

/** T, M, Mb, W, what follows from them, and the paths behind them (DESIGN §6). */
export type StateDiff = Omit<StateGrade, "effects">;

/**
 * Compares the end state of a tested agent with that of the reference, leaf by leaf.
 * @throws TandemError `server.state-too-deep` if a state nests deeper than 1000 levels
 */
export function diffState(input: DiffInput, options: DiffOptions = {}): StateDiff {
  const found = findDifferences(input, options, input.minted === undefined ? "all" : "none");
  return summarise(found.entries, found.approximate, (entry) => pathOf(entry));
}

/** T, M, Mb, W, Rc, Rb, P and F1 of a list of differences. */
export function summarise(
  entries: readonly DiffEntry[],
  approximate: boolean,
  show: (entry: DiffEntry) => StatePath,
): StateDiff {
  const count = { modified: 0, missed: 0, wrong: 0, misbehaving: 0 };
  for (const entry of entries) count[entry.kind]++;
  const { modified, missed, wrong, misbehaving } = count;
  const required = modified + missed + wrong;
  const changed = modified + wrong + misbehaving;
  return {
    required,
    modified,
    misbehaving,
    wrong,
    completionRate: required === 0 ? null : modified / required,
    misbehavingRate: required === 0 ? null : misbehaving / required,
    precision: changed === 0 ? null : modified / changed,
    // 2PR/(P + R) with P = M/changed and R = M/T; also defined where nothing was changed, as 0.
    f1: required === 0 ? null : (2 * modified) / (changed + required),
    success: modified === required && misbehaving === 0,
    approximate,
    paths: entries.map(show),
  };
}

/** A difference as it is recorded. */
export function pathOf(entry: DiffEntry): StatePath {
  const hint = entry.kind === "modified" ? undefined : lookAlikeHint(entry.reference, entry.after);
  return {
    path: toPointer(entry.path),
    kind: entry.kind,
    ...(entry.before === undefined ? {} : { before: entry.before }),
    ...(entry.reference === undefined ? {} : { reference: entry.reference }),
    ...(entry.after === undefined ? {} : { after: entry.after }),
    ...(hint === undefined ? {} : { hint }),
  };
}

/**
 * All paths at which something was to change or changed.
 * @param forms which ids that no list names are taken for minted
 */
export function findDifferences(
  input: DiffInput,
  options: DiffOptions,
  forms: IdForms,
): { entries: DiffEntry[]; approximate: boolean } {
  const { before, reference, after } = input;
  const tolerance = options.tolerance ?? TOLERANCE;
  const rules = compileRules(options);
  const hasher = contentHasher();
  const states = { before, reference, after };
  const ids = findMinted(states, input.minted ?? { reference: [], after: [] }, forms);
  const identified = identifyMinted({ ...states, rules, ids, hasher });
  const { identity, rounds } = identified;
  const aligner = createAligner(identity, rounds, hasher, tolerance);

  settle(identity, createWalk({ identity, aligner, tolerance, settle: true, onEntry: () => {} }), states, rules);
  const entries: DiffEntry[] = [];
  createWalk({ identity, aligner, tolerance, settle: false, onEntry: (entry) => entries.push(entry) })(states, rules);
  return { entries, approximate: identified.approximate || aligner.approximate };
}

/** Passes over records that refer to each other; each can make certain what the next one builds on. */
const MAX_PASSES = 4;

/**
 * Finds out what belongs together in spite of differences, so that afterwards every leaf is compared with the same
 * knowledge of who is who. Passes are repeated while they bring pairs and records are left that need them.
 */
function settle(identity: Identity, walk: Walk, states: Three<Json>, rules: RuleNode | null): void {
  const isOpen = ({ partner }: Side) => partner.includes(-1);
  const hasOpenRecord = ({ partner, keyed }: Side) => partner.some((other, id) => other === -1 && keyed[id] === 1);
  if (!isOpen(identity.reference) || !isOpen(identity.after)) return;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = identity.pairs;
    walk(states, rules);
    if (identity.pairs === before || !hasOpenRecord(identity.reference) || !hasOpenRecord(identity.after)) return;
  }
}
