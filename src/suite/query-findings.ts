import { isExpression } from "./expression.ts";
import { expressionFindings, templateFindings, valueFindings } from "./expression-findings.ts";
import type { Finding } from "./problem.ts";
import type { Query } from "./schema.ts";
import type { Path } from "./source.ts";

/** Names that mean something of their own, so that nothing else may have them. */
export const reservedNames: readonly string[] = ["start", "end", "answer", "now", "cel"];

/** Names that a query's text, files, `arrange` and plan see: its given values and the time at the start. */
export function givenNames(query: Pick<Query, "given">): ReadonlySet<string> {
  return new Set(["now", ...Object.keys(query.given)]);
}

/** What is wrong with a query beyond the shape of its fields. */
export function queryFindings(query: Query): Finding[] {
  const visible = { names: givenNames(query), draws: false };
  const goalNames = { names: new Set([...visible.names, "start", "end", "answer"]), draws: false };
  return [
    ...givenFindings(query),
    ...query.arrange.flatMap((call, i) => [
      ...valueFindings(call.with, ["arrange", i, "with"], visible),
      ...serverFindings(call.call, ["arrange", i, "call"], query),
    ]),
    ...query.faults.flatMap((fault, i) => serverFindings(fault.tool, ["faults", i, "tool"], query)),
    ...Object.entries(query.files).flatMap(([name, content]) => [
      ...filePathFindings(name),
      ...(isExpression(content)
        ? valueFindings(content, ["files", name], visible)
        : templateFindings(content, ["files", name], visible)),
    ]),
    ...templateFindings(query.text, ["text"], visible),
    ...query.goal.flatMap((goal, i) => expressionFindings(goal, ["goal", i], goalNames)),
    ...stateFindings(query, visible.names),
  ];
}

function givenFindings(query: Query): Finding[] {
  const names = new Set(["start", "now"]);
  return Object.entries(query.given).flatMap(([name, value]) => {
    const found = valueFindings(value, ["given", name], { names: new Set(names), draws: true });
    names.add(name);
    return reservedNames.includes(name) ? [...found, reservedFinding(name, ["given", name])] : found;
  });
}

/** The finding that a name is one of {@link reservedNames}. */
export function reservedFinding(name: string, path: Path): Finding {
  return {
    code: "query.duplicate-id",
    path,
    onKey: true,
    found: `the name ${name}`,
    expected: `a name other than ${reservedNames.join(", ")}`,
  };
}

/** A call must go to a server that the query lists: only those are sure to be in the pool. */
export function serverFindings(tool: string, path: Path, query: Pick<Query, "servers">): Finding[] {
  const server = tool.slice(0, tool.indexOf("."));
  if (query.servers.includes(server)) return [];
  const expected = `one of the query's servers: ${query.servers.join(", ")}`;
  return [{ code: "query.unknown-server", path, found: `a call to ${tool}`, expected }];
}

function filePathFindings(name: string): Finding[] {
  const parts = name.split("/");
  if (!name.includes("\\") && parts.every((part) => part !== "" && part !== "." && part !== "..")) return [];
  return [
    {
      code: "query.bad-path",
      path: ["files", name],
      onKey: true,
      found: `the path ${name}`,
      expected: "a path below ${workdir} such as notes/plan.txt",
    },
  ];
}

function stateFindings(query: Query, names: ReadonlySet<string>): Finding[] {
  const { ignore, ordered, numericText, text } = query.state;
  const lists = Object.entries({ ignore, ordered, numericText }).flatMap(([field, pointers]) =>
    pointers.flatMap((pointer, i) => pointerFindings(pointer, ["state", field, i], false)),
  );
  const comparers = Object.entries(text).flatMap(([pointer, comparer]) => [
    ...pointerFindings(pointer, ["state", "text", pointer], true),
    ...valueFindings(comparer, ["state", "text", pointer], { names, draws: false }),
  ]);
  return [...lists, ...comparers];
}

function pointerFindings(pointer: string, path: Path, onKey: boolean): Finding[] {
  if (pointer.startsWith("/")) return [];
  const expected = "a JSON Pointer from the server's name on, such as /LightShop/cart/*";
  return [{ code: "query.bad-pointer", path, onKey, found: `"${pointer}"`, expected }];
}
