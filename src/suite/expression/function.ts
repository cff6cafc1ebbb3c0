import type { Json } from "../../base/json.ts";
import type { Random } from "../../base/random.ts";
import { ExpressionError } from "./error.ts";
import type { Charge } from "./values.ts";

/** What a function may use beside its arguments. */
export interface CallContext {
  readonly charge: Charge;
  /** The stream of a query's `given` value; undefined everywhere else. */
  readonly random: Random | undefined;
}

/**
 * A function of the expression language. It may be written both ways: `sum(xs)` and `xs.sum()`; what stands before the dot
 * is the first argument.
 */
export interface ExpressionFunction {
  /** The parameters, for messages: `list, key`. */
  readonly takes: string;
  /** Fewest and most arguments. */
  readonly count: readonly [number, number];
  /** True if it draws from the seed, which only `given` may do. */
  readonly draws?: true;
  readonly run: (args: readonly Json[], context: CallContext) => Json;
}

/** Functions by name. */
export type FunctionTable = Readonly<Record<string, ExpressionFunction>>;

/** Declares a function whose parameters are `takes`; those with a question mark may be left out. */
export function define(takes: string, run: ExpressionFunction["run"]): ExpressionFunction {
  const names = takes === "" ? [] : takes.split(", ");
  const open = names.at(-1)?.startsWith("…") ?? false;
  const fewest = names.filter((name) => !name.endsWith("?")).length;
  return { takes, count: [fewest, open ? 32 : names.length], run };
}

/** Declares a function that draws from the seed. */
export function defineDraw(
  takes: string,
  run: (args: readonly Json[], random: Random, context: CallContext) => Json,
): ExpressionFunction {
  return {
    ...define(takes, (args, context) => {
      if (context.random === undefined) throw new ExpressionError("value", "only given may draw from the seed");
      return run(args, context.random, context);
    }),
    draws: true,
  };
}
