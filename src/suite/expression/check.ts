import { ExpressionError } from "./error.ts";
import { functionNames, functionsOf } from "./functions.ts";
import type { ASTNode } from "./parse.ts";
import { listed } from "./values.ts";

/** The macros that walk over a list: their argument counts. The first argument is the name of the element. */
const walks: Readonly<Record<string, readonly number[]>> = {
  all: [2],
  exists: [2],
  exists_one: [2],
  filter: [2],
  map: [2, 3],
};

/** Names that exist beside functions, for suggestions. */
export const callableNames: readonly string[] = [...functionNames, ...Object.keys(walks), "has"];

/** A macro or function call, told apart by its shape. */
export type Call =
  | {
      readonly kind: "walk";
      readonly name: string;
      readonly over: ASTNode;
      readonly element: string;
      readonly body: readonly ASTNode[];
    }
  | { readonly kind: "has"; readonly of: ASTNode }
  | { readonly kind: "bind"; readonly element: string; readonly value: ASTNode; readonly body: ASTNode }
  | { readonly kind: "function"; readonly name: string; readonly args: readonly ASTNode[] };

/** What a call node means. `x.f(y)` is `f(x, y)`. */
export function callOf(node: ASTNode): Call | null {
  if (node.op === "call") {
    const [name, args] = node.args;
    const [only] = args;
    if (name === "has" && only !== undefined && args.length === 1) return { kind: "has", of: only };
    return { kind: "function", name, args };
  }
  if (node.op !== "rcall") return null;
  const [name, receiver, args] = node.args;
  const [first, second, third] = args;
  if (first?.op === "id" && second !== undefined) {
    if (Object.hasOwn(walks, name) && walks[name]?.includes(args.length)) {
      return { kind: "walk", name, over: receiver, element: first.args, body: args.slice(1) };
    }
    if (name === "bind" && receiver.op === "id" && receiver.args === "cel" && third !== undefined) {
      return { kind: "bind", element: first.args, value: second, body: third };
    }
  }
  return { kind: "function", name, args: [receiver, ...args] };
}

/** What an expression may use. */
export interface Visible {
  readonly names: ReadonlySet<string>;
  /** True where `pick`, `sample` and `int(low, high)` are allowed. */
  readonly draws: boolean;
}

/**
 * All that is wrong with an expression before it runs: unknown names and functions, wrong numbers of arguments, literals
 * that JSON has not got. Empty if it is sound.
 */
export function checkTree(tree: ASTNode, visible: Visible): ExpressionError[] {
  const found: ExpressionError[] = [];
  visit(tree, visible, found);
  return found;
}

function visit(node: ASTNode, visible: Visible, found: ExpressionError[]): void {
  const call = callOf(node);
  if (call !== null) {
    visitCall(call, node, visible, found);
    return;
  }
  switch (node.op) {
    case "value":
      if (!isJsonLiteral(node.args)) found.push(problem("syntax", "this literal has no JSON value", node));
      return;
    case "id":
      if (!visible.names.has(node.args)) {
        found.push(problem("unknown-name", `there is no name ${node.args} here`, node, node.args));
      }
      return;
    default:
      for (const child of childrenOf(node)) visit(child, visible, found);
  }
}

function visitCall(call: Call, node: ASTNode, visible: Visible, found: ExpressionError[]): void {
  switch (call.kind) {
    case "has":
      if (call.of.op === ".") visit(call.of, visible, found);
      else found.push(problem("arguments", "has takes a field, as in has(x.name)", node));
      return;
    case "walk":
      visit(call.over, visible, found);
      for (const part of call.body) visit(part, withName(visible, call.element), found);
      return;
    case "bind":
      visit(call.value, visible, found);
      visit(call.body, withName(visible, call.element), found);
      return;
    case "function":
      checkFunction(call.name, call.args.length, node, visible, found);
      for (const argument of call.args) visit(argument, visible, found);
  }
}

function checkFunction(name: string, count: number, node: ASTNode, visible: Visible, found: ExpressionError[]): void {
  const known = functionsOf(name);
  if (Object.hasOwn(walks, name)) {
    const form = name === "map" ? "(name, value) or (name, condition, value)" : "(name, condition)";
    found.push(problem("arguments", `${name} is written list.${name}${form}`, node));
  } else if (known.length === 0) {
    found.push(problem("unknown-function", `there is no function ${name}`, node, name));
  } else {
    const allowed = known.filter(({ draws }) => draws !== true || visible.draws);
    if (allowed.length === 0) {
      found.push(problem("unknown-function", `${name} draws from the seed, which only given may do`, node, name));
    } else if (!allowed.some(({ count: [fewest, most] }) => count >= fewest && count <= most)) {
      const forms = allowed.map(({ takes }) => `${name}(${takes})`);
      found.push(problem("arguments", `${name} got ${count} arguments and is ${listed(forms, name)}`, node));
    }
  }
}

function withName(visible: Visible, name: string): Visible {
  return { ...visible, names: new Set([...visible.names, name]) };
}

function problem(
  fault: "syntax" | "unknown-name" | "unknown-function" | "arguments",
  message: string,
  node: ASTNode,
  unknown: string | null = null,
): ExpressionError {
  return new ExpressionError(fault, message, { start: node.start, end: node.end }, unknown);
}

function isJsonLiteral(value: unknown): boolean {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value));
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value === "string" || typeof value === "boolean" || value === null;
}

/** The parts of a node that are neither a literal, a name nor a call. */
function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case "value":
    case "id":
    case "call":
    case "rcall":
      return [];
    case ".":
    case ".?":
      return [node.args[0]];
    case "!_":
    case "-_":
      return [node.args];
    case "map":
      return node.args.flat();
    default:
      return node.args;
  }
}
