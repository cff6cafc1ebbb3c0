import { TandemError } from "../../base/errors.ts";

/**
 * How a model gets to know tools: all of them; the `k` that are nearest to the task, chosen once; or those that it looks for
 * while it works.
 */
export type Strategy =
  | { readonly type: "full-context" }
  | { readonly type: "rag"; readonly k: number }
  | { readonly type: "iterative-rag" };

/** Reads `full-context`, `rag:K` or `iterative-rag`. @throws TandemError `usage.bad-strategy` */
export function parseStrategy(text: string): Strategy {
  if (text === "full-context" || text === "iterative-rag") return { type: text };
  const k = Number(/^rag:(\d{1,4})$/.exec(text)?.[1]);
  if (Number.isSafeInteger(k) && k > 0) return { type: "rag", k };
  throw new TandemError("usage.bad-strategy", `there is no strategy ${text}`, {
    hint: "Choose full-context, rag:K with a number of tools as in rag:30, or iterative-rag.",
  });
}

/** A strategy as it is written. */
export function strategyText(strategy: Strategy): string {
  return strategy.type === "rag" ? `rag:${strategy.k}` : strategy.type;
}
