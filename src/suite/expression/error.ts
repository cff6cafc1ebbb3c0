/**
 * What is wrong with an expression.
 * - `syntax`: it is no expression of the language
 * - `unknown-name`, `unknown-function`, `arguments`: found before it runs
 * - `value`: a value does not fit, found while it runs
 * - `empty`: something had to be taken from an empty list
 * - `limit`: it builds or does more than is allowed
 */
export type ExpressionFault =
  | "syntax"
  | "unknown-name"
  | "unknown-function"
  | "arguments"
  | "value"
  | "empty"
  | "limit";

/** Where in an expression's text something is: offsets of characters, from 0. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** An expression that cannot be understood or evaluated. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  readonly fault: ExpressionFault;
  /** Null until the place is known: a function does not know where it is called. */
  readonly span: Span | null;
  /** The name that is not known, for `unknown-name` and `unknown-function`. */
  readonly unknown: string | null;

  constructor(fault: ExpressionFault, message: string, span: Span | null = null, unknown: string | null = null) {
    super(message);
    this.fault = fault;
    this.span = span;
    this.unknown = unknown;
  }

  /** The same error at `span`, unless its place is known already. */
  at(span: Span): ExpressionError {
    return this.span === null ? new ExpressionError(this.fault, this.message, span, this.unknown) : this;
  }
}
