/** A part of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Up to this many words may stand between a cue and the value. */
const REACH = 4;

const BEFORE =
  /(?:\b(?:not|never|cannot|without|except|excluding|unlike|neither|nor)|n't|\binstead of|\brather than|\bno longer)\b/i;
const AFTER =
  /^\W*(?:\w+\W+){0,2}?(?:before|earlier|previously|originally|formerly|at first|is wrong|was wrong|is not|isn't)\b/i;

/**
 * Whether a text rejects what stands at `span` rather than stating it. Cues in the same clause, at most four words before: not,
 * never, cannot, -n't, without, except, excluding, unlike, neither, nor, instead of, rather than, no longer. Cues after it:
 * before, earlier, previously, originally, formerly, at first, is wrong, is not. A clause ends at `. ; , : ! ?`, a line break, and
 * before `but`, `and`, `so` and `which`.
 */
export function isRejected(text: string, { start, end }: Span): boolean {
  const before = text.slice(0, start);
  const clause = before.slice(clauseStart(before));
  const words = clause.trimEnd().split(" ");
  if (BEFORE.test(words.slice(-REACH - 2).join(" "))) return true;
  const rest = text.slice(end);
  return AFTER.test(rest.slice(0, clauseEnd(rest)));
}

const BOUNDARY = /[.;,:!?](?=\s|$)|\n|\b(?:but|and|so|which)\b/gi;

function clauseStart(before: string): number {
  let start = 0;
  for (const match of before.matchAll(BOUNDARY)) start = match.index + match[0].length;
  return start;
}

function clauseEnd(rest: string): number {
  return rest.search(BOUNDARY) < 0 ? rest.length : rest.search(BOUNDARY);
}
