import { median, product, sampleVariance, sum, variance } from "simple-statistics";
import { z } from "zod";
import { refuse } from "../../define.ts";
import { finite, type StatelessTool, tool } from "./number.ts";

const values = z.array(z.number()).describe("a list of numbers");
const sample = z
  .boolean()
  .optional()
  .describe("true: the list is a sample, divide by n - 1; false or left out: it is all there is, divide by n")
  .meta({ default: false });

/** Sums and statistics of a list of numbers. */
export const listTools: readonly StatelessTool[] = [
  ofList("sum_of_list", "Sum of a list of numbers; 0 for an empty list.", (list) => sum([...list])),
  ofList("product_of_list", "Product of a list of numbers; 1 for an empty list.", (list) =>
    list.includes(0) ? 0 : product([...list]),
  ),
  ofList("mean", "Arithmetic mean of a list of numbers. Fails on an empty list.", (list) => {
    const total = sum(filled(list));
    return Number.isFinite(total) ? total / list.length : sum(list.map((value) => value / list.length));
  }),
  ofList(
    "median",
    "Median of a list of numbers; the mean of the middle two if their count is even. Fails on an empty list.",
    (list) => median(filled(list)),
  ),
  ofList(
    "mode",
    "Most frequent number of a list; the one that comes first in the list if several are as frequent. Fails on an empty list.",
    (list) => mostFrequent(filled(list)),
  ),
  ofSpread("variance", "Variance of a list of numbers: the mean squared distance from the mean.", spread),
  ofSpread(
    "standard_deviation",
    "Standard deviation of a list of numbers: the square root of the variance.",
    (list, of) => Math.sqrt(spread(list, of)),
  ),
];

function ofList(name: string, text: string, compute: (list: readonly number[]) => number): StatelessTool {
  return tool({ name, text, input: { values }, output: z.number(), run: (_, input) => finite(compute(input.values)) });
}

function ofSpread(
  name: string,
  text: string,
  compute: (list: readonly number[], sample: boolean) => number,
): StatelessTool {
  return tool({
    name,
    text: `${text} Fails on an empty list, and on a single number if sample is true.`,
    input: { values, sample },
    output: z.number(),
    run: (_, input) => finite(compute(input.values, input.sample ?? false)),
  });
}

function filled(list: readonly number[]): number[] {
  return list.length === 0 ? refuse("the list is empty: give at least one number") : [...list];
}

function spread(list: readonly number[], ofSample: boolean): number {
  const numbers = filled(list);
  if (!ofSample) return variance(numbers);
  if (numbers.length < 2) refuse("the variance of a sample needs at least two numbers");
  return sampleVariance(numbers);
}

function mostFrequent(list: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of list) counts.set(value, (counts.get(value) ?? 0) + 1);
  // Keys are in the order of the list, so only a higher count may replace an earlier number.
  let [best, most] = [Number.NaN, 0];
  for (const [value, count] of counts) if (count > most) [best, most] = [value, count];
  return best;
}
