import { type ASTNode, Environment, ParseError } from "@marcbachmann/cel-js";
import { errorMessage } from "../../base/errors.ts";
import { ExpressionError } from "./error.ts";

export type { ASTNode } from "@marcbachmann/cel-js";

/** Longest text of an expression. */
const MOST_SOURCE = 5000;
const CACHED = 5000;

const environment = new Environment({
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 1000, maxDepth: 60 },
});

const cache = new Map<string, ASTNode>();

/**
 * The syntax tree of a CEL expression. Trees are kept, so a text is parsed once however often it is evaluated.
 * @throws ExpressionError `syntax`, or `limit` if the text is too long
 */
export function parseExpression(source: string): ASTNode {
  const known = cache.get(source);
  if (known !== undefined) return known;
  if (source.length > MOST_SOURCE) {
    throw new ExpressionError("limit", `an expression of ${source.length} characters is longer than ${MOST_SOURCE}`);
  }
  const tree = parsed(source);
  if (cache.size >= CACHED) cache.clear();
  cache.set(source, tree);
  return tree;
}

function parsed(source: string): ASTNode {
  try {
    return environment.parse(source).ast;
  } catch (thrown) {
    if (!(thrown instanceof ParseError)) throw new ExpressionError("syntax", errorMessage(thrown));
    const span = thrown.range === undefined ? null : { start: thrown.range.start, end: thrown.range.end };
    throw new ExpressionError("syntax", thrown.summary, span);
  }
}
