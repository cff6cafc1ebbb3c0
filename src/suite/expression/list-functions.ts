import type { Json } from "../../base/json.ts";
import { ExpressionError } from "./error.ts";
import { define, type FunctionTable } from "./function.ts";
import {
  asList,
  asNumber,
  asObject,
  asText,
  asWhole,
  type Charge,
  checkListLength,
  describe,
  equal,
  finite,
  misfit,
  order,
  requiredAt,
  textOf,
  valueAt,
} from "./values.ts";

function nonEmpty(value: Json | undefined, what: string): readonly [Json, ...Json[]] {
  const list = asList(value, what);
  const [head, ...rest] = list;
  if (head === undefined) throw new ExpressionError("empty", `${what} has nothing to take: the list is empty`);
  return [head, ...rest];
}

/** The numbers of a list, or of the field at the path `key` of its elements. */
function numbersOf(args: readonly Json[], what: string): number[] {
  const list = asList(args[0], what);
  const key = args[1];
  return list.map((item) => asNumber(key === undefined ? item : requiredAt(item, asText(key, what)), what));
}

/** The first element whose value at the path `key` comes first by `sign` times the order. */
function extremeBy(args: readonly Json[], what: string, sign: 1 | -1): Json {
  const [head, ...rest] = nonEmpty(args[0], what);
  const key = asText(args[1], what);
  let best = head;
  let bestValue = requiredAt(head, key);
  for (const item of rest) {
    const value = requiredAt(item, key);
    if (sign * order(value, bestValue) < 0) [best, bestValue] = [item, value];
  }
  return best;
}

/** Smallest or largest of a list, or of several arguments. */
function extreme(args: readonly Json[], what: string, sign: 1 | -1): Json {
  const [head, ...rest] = nonEmpty(args.length === 1 ? args[0] : args, what);
  return rest.reduce((best, item) => (sign * order(item, best) < 0 ? item : best), head);
}

function sortBy(args: readonly Json[]): Json {
  const list = asList(args[0], "sortBy");
  const key = asText(args[1], "sortBy");
  const direction = args[2] ?? "asc";
  if (direction !== "asc" && direction !== "desc") {
    throw misfit(`sortBy's third argument is 'asc' or 'desc', got ${describe(direction)}`);
  }
  const sign = direction === "asc" ? 1 : -1;
  const keyed = list.map((item) => ({ item, value: requiredAt(item, key) }));
  return keyed.sort((a, b) => sign * order(a.value, b.value)).map(({ item }) => item);
}

function distinct(args: readonly Json[], charge: Charge): Json {
  const key = args[1];
  const seen = new Set<string>();
  return asList(args[0], "distinct").filter((item) => {
    const value = key === undefined ? item : requiredAt(item, asText(key, "distinct"));
    // Texts are marked, so that "1" and 1 differ; objects are told apart by content, whatever the order of their fields.
    const mark = typeof value === "string" ? `"${value}` : textOf(sorted(value, charge), charge);
    return !seen.has(mark) && seen.add(mark);
  });
}

function sorted(value: Json, charge: Charge): Json {
  charge(1);
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item, charge));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, sorted(item, charge)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => order(a, b)));
}

function groupBy(args: readonly Json[], charge: Charge): Json {
  const groups = new Map<string, Json[]>();
  for (const item of asList(args[0], "groupBy")) {
    const name = textOf(requiredAt(item, asText(args[1], "groupBy")), charge);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return Object.fromEntries(groups);
}

function flatten(args: readonly Json[]): Json {
  const list = asList(args[0], "flatten");
  const length = list.reduce((sum: number, item) => sum + (Array.isArray(item) ? item.length : 1), 0);
  checkListLength(length);
  return list.flat();
}

/** Functions on lists and objects. */
export const listFunctions: FunctionTable = {
  sum: define("list, key?", (args) =>
    finite(
      numbersOf(args, "sum").reduce((sum, number) => sum + number, 0),
      "sum",
    ),
  ),
  avg: define("list, key?", (args) => {
    nonEmpty(args[0], "avg");
    const numbers = numbersOf(args, "avg");
    return finite(numbers.reduce((sum, number) => sum + number, 0) / numbers.length, "avg");
  }),
  min: define("list, …more?", (args) => extreme(args, "min", 1)),
  max: define("list, …more?", (args) => extreme(args, "max", -1)),
  minBy: define("list, key", (args) => extremeBy(args, "minBy", 1)),
  maxBy: define("list, key", (args) => extremeBy(args, "maxBy", -1)),
  sortBy: define("list, key, direction?", sortBy),
  sort: define("list", (args) => [...asList(args[0], "sort")].sort(order)),
  groupBy: define("list, key", (args, { charge }) => groupBy(args, charge)),
  distinct: define("list, key?", (args, { charge }) => distinct(args, charge)),
  flatten: define("list", flatten),
  indexWhere: define("list, key, value", (args, { charge }) => {
    const key = asText(args[1], "indexWhere");
    return asList(args[0], "indexWhere").findIndex((item) => equal(valueAt(item, key), args[2], charge));
  }),
  first: define("list", (args) => nonEmpty(args[0], "first")[0]),
  last: define("list", (args) => nonEmpty(args[0], "last").at(-1) ?? null),
  take: define("list, count", (args) => asList(args[0], "take").slice(0, Math.max(0, asWhole(args[1], "take")))),
  drop: define("list, count", (args) => asList(args[0], "drop").slice(Math.max(0, asWhole(args[1], "drop")))),
  reverse: define("list", (args) => [...asList(args[0], "reverse")].reverse()),
  range: define("low, high", (args, { charge }) => {
    const low = asWhole(args[0], "range");
    const length = Math.max(0, asWhole(args[1], "range") - low + 1);
    checkListLength(length);
    charge(length);
    return Array.from({ length }, (_, i) => low + i);
  }),
  keys: define("object", (args) => Object.keys(asObject(args[0], "keys"))),
  values: define("object", (args) => Object.values(asObject(args[0], "values"))),
  get: define("value, path, otherwise", (args) => {
    const found = valueAt(args[0] ?? null, asText(args[1], "get"));
    return found ?? args[2] ?? null;
  }),
};
