import { z } from "zod";
import { refuse } from "../../define.ts";
import { exact, ofWholeTest, type StatelessTool, tool } from "./number.ts";

/** The largest n whose factorial is below 2^53. */
const MOST_FACTORIAL = 18;
/** The largest n whose Fibonacci number is below 2^53. */
const MOST_FIBONACCI = 78;

const pair = {
  a: z.int().describe("the first whole number"),
  b: z.int().describe("the second whole number"),
};

/** Number theory on whole numbers. Results are exact or refused. */
export const integerTools: readonly StatelessTool[] = [
  tool({
    name: "factorial",
    text: `Factorial n! of a whole number from 0 to ${MOST_FACTORIAL}; larger results would not be exact and are refused.`,
    input: { n: z.int().describe(`a whole number from 0 to ${MOST_FACTORIAL}`) },
    output: z.int(),
    run: (_, { n }) => {
      if (n < 0) refuse(`a negative number has no factorial: ${n}`);
      if (n > MOST_FACTORIAL) refuse(`${n}! is too large to be exact: the limit is n = ${MOST_FACTORIAL}`);
      let product = 1;
      for (let i = 2; i <= n; i++) product *= i;
      return product;
    },
  }),
  tool({
    name: "nth_fibonacci",
    text: `The n-th Fibonacci number, with F(0) = 0 and F(1) = 1, for n from 0 to ${MOST_FIBONACCI}.`,
    input: { n: z.int().describe(`a whole number from 0 to ${MOST_FIBONACCI}`) },
    output: z.int(),
    run: (_, { n }) => {
      if (n < 0) refuse(`Fibonacci numbers are counted from 0, so there is none for ${n}`);
      if (n > MOST_FIBONACCI) refuse(`F(${n}) is too large to be exact: the limit is n = ${MOST_FIBONACCI}`);
      let [current, next] = [0, 1];
      for (let i = 0; i < n; i++) [current, next] = [next, current + next];
      return current;
    },
  }),
  tool({
    name: "gcd",
    text: "Greatest common divisor of two whole numbers, never negative. gcd(0, 0) is 0.",
    input: pair,
    output: z.int(),
    run: (_, { a, b }) => greatestCommonDivisor(a, b),
  }),
  tool({
    name: "lcm",
    text: "Least common multiple of two whole numbers, never negative. It is 0 if one of them is 0.",
    input: pair,
    output: z.int(),
    run: (_, { a, b }) => (a === 0 || b === 0 ? 0 : exact(Math.abs((a / greatestCommonDivisor(a, b)) * b))),
  }),
  ofWholeTest("is_even", "True if the whole number is divisible by 2.", (n) => n % 2 === 0),
  ofWholeTest("is_odd", "True if the whole number is not divisible by 2.", (n) => n % 2 !== 0),
  ofWholeTest("is_prime", "True if the whole number is a prime. Numbers below 2 are not.", isPrime),
];

function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [Math.abs(a), Math.abs(b)];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

/** These witnesses decide every number below 3.8e18 (Jiang and Deng 2014), so all that an input can be. */
const WITNESSES = [2, 3, 5, 7, 11, 13, 17, 19, 23];

/** Miller-Rabin test with fixed witnesses. */
function isPrime(n: number): boolean {
  if (n < 2) return false;
  for (const prime of WITNESSES) if (n % prime === 0) return n === prime;
  const modulus = BigInt(n);
  let odd = modulus - 1n;
  let twos = 0;
  for (; odd % 2n === 0n; odd /= 2n) twos += 1;
  return WITNESSES.every((witness) => {
    let power = powerModulo(BigInt(witness), odd, modulus);
    if (power === 1n || power === modulus - 1n) return true;
    for (let i = 1; i < twos; i++) {
      power = (power * power) % modulus;
      if (power === modulus - 1n) return true;
    }
    return false;
  });
}

function powerModulo(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let square = base % modulus, left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}
