import type { Json } from "../../base/json.ts";
import { ExpressionError } from "./error.ts";
import { defineDraw, type FunctionTable } from "./function.ts";
import { asList, asWhole, misfit } from "./values.ts";

function whole(low: Json | undefined, high: Json | undefined): readonly [number, number] {
  const [from, to] = [asWhole(low, "int"), asWhole(high, "int")];
  if (from > to) throw misfit(`int needs low ≤ high, got ${from} and ${to}`);
  return [from, to];
}

/** Functions that draw from the seed, for `given` only. */
export const drawFunctions: FunctionTable = {
  pick: defineDraw("list", ([from], random) => {
    const list = asList(from, "pick");
    if (list.length === 0) throw new ExpressionError("empty", "pick has nothing to take: the list is empty");
    return random.pick(list);
  }),
  sample: defineDraw("list, count", ([from, count], random) => {
    const list = asList(from, "sample");
    const wanted = asWhole(count, "sample");
    if (list.length < wanted) {
      throw new ExpressionError("empty", `sample needs ${wanted} to take, the list has ${list.length}`);
    }
    return random.sample(list, wanted);
  }),
  int: defineDraw("low, high", ([low, high], random) => random.int(...whole(low, high))),
};
