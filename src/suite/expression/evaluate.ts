import { isJsonObject, type Json } from "../../base/json.ts";
import type { Random } from "../../base/random.ts";
import { type Call, callOf } from "./check.ts";
import { ExpressionError } from "./error.ts";
import { findFunction } from "./functions.ts";
import type { ASTNode } from "./parse.ts";
import {
  asNumber,
  type Charge,
  checkListLength,
  checkTextLength,
  describe,
  equal,
  fieldOf,
  finite,
  listed,
  misfit,
  order,
} from "./values.ts";

/** Most work of one evaluation: nodes visited, elements compared or built. */
export const MOST_STEPS = 1_000_000;

/** The values that an expression sees, by name. */
export type Scope = Readonly<Record<string, unknown>>;

/** A name bound by a macro, and those around it. */
interface Local {
  readonly name: string;
  readonly value: Json;
  readonly outer: Local | null;
}

interface Run {
  readonly scope: Scope;
  readonly random: Random | undefined;
  readonly charge: Charge;
}

/**
 * Evaluates a syntax tree over plain JSON. All numbers are JSON's (double precision), so `7 / 2` is 3.5 wherever the 7 came
 * from. The library's own evaluator is not used because it has no bound on work, has a `matches` that can hang, cuts
 * integer quotients and refuses to compare values of different kinds.
 * @throws ExpressionError with the place in the source
 */
export function evaluateTree(tree: ASTNode, scope: Scope, random?: Random): Json {
  let left = MOST_STEPS;
  const charge: Charge = (units) => {
    left -= units;
    if (left < 0) throw new ExpressionError("limit", `it takes more than the ${MOST_STEPS} steps allowed`);
  };
  return evaluate(tree, { scope, random, charge }, null);
}

function evaluate(node: ASTNode, run: Run, local: Local | null): Json {
  try {
    run.charge(1);
    return evaluateNode(node, run, local);
  } catch (thrown) {
    if (thrown instanceof ExpressionError) throw thrown.at({ start: node.start, end: node.end });
    throw thrown;
  }
}

function evaluateNode(node: ASTNode, run: Run, local: Local | null): Json {
  switch (node.op) {
    case "value":
      return literal(node.args);
    case "id":
      return lookUp(node.args, run, local);
    case ".":
      return field(evaluate(node.args[0], run, local), node.args[1]);
    case "[]":
      return element(evaluate(node.args[0], run, local), evaluate(node.args[1], run, local));
    case "call":
    case "rcall": {
      const call = callOf(node);
      return call === null ? null : evaluateCall(call, run, local);
    }
    case "list":
      return node.args.map((item) => evaluate(item, run, local));
    case "map":
      return Object.fromEntries(
        node.args.map(([key, value]) => [mapKey(evaluate(key, run, local)), evaluate(value, run, local)]),
      );
    case "?:": {
      const condition = truth(evaluate(node.args[0], run, local), "the condition");
      return evaluate(condition ? node.args[1] : node.args[2], run, local);
    }
    case "||":
      return decide(node.args, true, run, local);
    case "&&":
      return decide(node.args, false, run, local);
    case "!_":
      return !truth(evaluate(node.args, run, local), "!");
    case "-_":
      return 0 - asNumber(evaluate(node.args, run, local), "-");
    case ".?":
    case "[?]":
      throw new ExpressionError("syntax", "optional access is not part of the language; use has() or get()");
    default: {
      const left = evaluate(node.args[0], run, local);
      return binary(node.op, left, evaluate(node.args[1], run, local), run.charge);
    }
  }
}

function literal(value: unknown): Json {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null) {
    return value;
  }
  throw new ExpressionError("syntax", "this literal has no JSON value");
}

function lookUp(name: string, run: Run, local: Local | null): Json {
  for (let at = local; at !== null; at = at.outer) if (at.name === name) return at.value;
  const value = Object.hasOwn(run.scope, name) ? run.scope[name] : undefined;
  if (value === undefined) throw new ExpressionError("unknown-name", `there is no name ${name} here`, null, name);
  // Scopes hold JSON: given values, results of calls, states. A result is checked before it leaves.
  return value as Json;
}

function field(value: Json, name: string): Json {
  const found = fieldOf(value, name);
  if (found !== undefined) return found;
  const has = isJsonObject(value) ? `an object with ${listed(Object.keys(value), "no fields")}` : describe(value);
  throw misfit(`there is no field ${name} in ${has}`);
}

function element(value: Json, key: Json): Json {
  if (!Array.isArray(value)) {
    if (typeof key === "string") return field(value, key);
    throw misfit(`${describe(key)} cannot index ${describe(value)}`);
  }
  const found: Json | undefined = value[asNumber(key, "an index")];
  if (found !== undefined) return found;
  throw misfit(`there is no element ${describe(key)} in ${describe(value)}`);
}

function mapKey(key: Json): string {
  if (typeof key === "string") return key;
  throw misfit(`a field's name is a text, got ${describe(key)}`);
}

function truth(value: Json, what: string): boolean {
  if (typeof value === "boolean") return value;
  throw misfit(`${what} must be true or false, got ${describe(value)}`);
}

/**
 * `||` (decided by true) and `&&` (decided by false). As CEL has it, one side that decides is enough even if the other side
 * fails; errors of size are never passed over.
 */
function decide(sides: readonly [ASTNode, ASTNode], by: boolean, run: Run, local: Local | null): boolean {
  const [left, right] = sides;
  const what = by ? "||" : "&&";
  let failure: ExpressionError;
  try {
    if (truth(evaluate(left, run, local), what) === by) return by;
    return truth(evaluate(right, run, local), what);
  } catch (thrown) {
    if (!isPassable(thrown)) throw thrown;
    failure = thrown;
  }
  if (truth(evaluate(right, run, local), what) === by) return by;
  throw failure;
}

function isPassable(thrown: unknown): thrown is ExpressionError {
  return thrown instanceof ExpressionError && (thrown.fault === "value" || thrown.fault === "empty");
}

function binary(op: string, a: Json, b: Json, charge: Charge): Json {
  switch (op) {
    case "==":
      return equal(a, b, charge);
    case "!=":
      return !equal(a, b, charge);
    case "<":
      return order(a, b) < 0;
    case "<=":
      return order(a, b) <= 0;
    case ">":
      return order(a, b) > 0;
    case ">=":
      return order(a, b) >= 0;
    case "in":
      return isIn(a, b, charge);
    case "+":
      return plus(a, b, charge);
    default:
      return arithmetic(op, asNumber(a, op), asNumber(b, op));
  }
}

function isIn(part: Json, whole: Json, charge: Charge): boolean {
  if (Array.isArray(whole)) return whole.some((item: Json) => equal(item, part, charge));
  if (isJsonObject(whole)) return typeof part === "string" && Object.hasOwn(whole, part);
  throw misfit(`in needs a list or an object on its right, got ${describe(whole)}`);
}

function plus(a: Json, b: Json, charge: Charge): Json {
  if (typeof a === "number" && typeof b === "number") return finite(a + b, "+");
  if (typeof a === "string" && typeof b === "string") {
    checkTextLength(a.length + b.length);
    return a + b;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    checkListLength(a.length + b.length);
    charge((a.length + b.length) / 10);
    return [...a, ...b];
  }
  const hint = typeof a === "string" || typeof b === "string" ? "; text() turns a value into text" : "";
  throw misfit(`+ cannot join ${describe(a)} and ${describe(b)}${hint}`);
}

function arithmetic(op: string, a: number, b: number): number {
  switch (op) {
    case "-":
      return finite(a - b, op);
    case "*":
      return finite(a * b, op);
    case "/":
      if (b === 0) throw misfit("division by zero");
      return finite(a / b, op);
    case "%":
      if (b === 0) throw misfit("remainder by zero");
      return (a % b) + 0;
    default:
      throw new ExpressionError("syntax", `${op} is not part of the language`);
  }
}

function evaluateCall(call: Call, run: Run, local: Local | null): Json {
  switch (call.kind) {
    case "has":
      return hasField(call.of, run, local);
    case "bind": {
      const value = evaluate(call.value, run, local);
      return evaluate(call.body, run, { name: call.element, value, outer: local });
    }
    case "walk":
      return walk(call, run, local);
    case "function": {
      const known = findFunction(call.name, call.args.length);
      if (known === undefined) throw new ExpressionError("unknown-function", `there is no function ${call.name}`);
      const args = call.args.map((argument) => evaluate(argument, run, local));
      for (const argument of args) if (Array.isArray(argument)) run.charge(argument.length / 4);
      const result = known.run(args, { charge: run.charge, random: run.random });
      if (typeof result === "string") checkTextLength(result.length);
      return result;
    }
  }
}

/** Whether a field is there. A missing or null step on the way to it is a no, not an error. */
function hasField(node: ASTNode, run: Run, local: Local | null): boolean {
  if (node.op !== ".") throw new ExpressionError("arguments", "has takes a field, as in has(x.name)");
  const [of, name] = node.args;
  if (of.op === "." && !hasField(of, run, local)) return false;
  return fieldOf(evaluate(of, run, local), name) !== undefined;
}

/** The macros over a list, or over the names of an object's fields. */
function walk(call: Extract<Call, { kind: "walk" }>, run: Run, local: Local | null): Json {
  const over = evaluate(call.over, run, local);
  const items: readonly Json[] = Array.isArray(over)
    ? over
    : isJsonObject(over)
      ? Object.keys(over)
      : notWalkable(over);
  const [body, second] = call.body;
  if (body === undefined) throw new ExpressionError("arguments", `${call.name} needs a body`);
  const test = (item: Json, part = body) =>
    truth(evaluate(part, run, { name: call.element, value: item, outer: local }), `the condition of ${call.name}`);
  const value = (item: Json, part: ASTNode) => evaluate(part, run, { name: call.element, value: item, outer: local });
  switch (call.name) {
    case "filter":
      return items.filter((item) => test(item));
    case "map":
      if (second === undefined) return items.map((item) => value(item, body));
      return items.filter((item) => test(item)).map((item) => value(item, second));
    case "exists_one":
      return items.filter((item) => test(item)).length === 1;
    case "exists":
      return quantify(items, test, true);
    default:
      return quantify(items, test, false);
  }
}

/** `exists` (stops at true) and `all` (stops at false): one element that decides outweighs others that fail. */
function quantify(items: readonly Json[], test: (item: Json) => boolean, stop: boolean): boolean {
  let failure: ExpressionError | null = null;
  for (const item of items) {
    try {
      if (test(item) === stop) return stop;
    } catch (thrown) {
      if (!isPassable(thrown)) throw thrown;
      failure ??= thrown;
    }
  }
  if (failure !== null) throw failure;
  return !stop;
}

function notWalkable(value: Json): never {
  throw misfit(`only a list or an object has elements to go through, got ${describe(value)}`);
}
