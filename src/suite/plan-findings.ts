import { isJsonObject } from "../base/json.ts";
import { ID_PATTERN } from "../base/random.ts";
import { isExpression } from "./expression.ts";
import { type ExplainName, expressionFindings, valueFindings } from "./expression-findings.ts";
import type { Finding } from "./problem.ts";
import { givenNames, reservedFinding, reservedNames, serverFindings } from "./query-findings.ts";
import type { AnswerFact, Plan, Query, Step } from "./schema.ts";
import { shown } from "./schema-findings.ts";
import type { Path } from "./source.ts";

/** The names of one place in a plan. */
interface Names {
  /** What can be used: given values, steps above, elements of loops around. */
  readonly visible: Set<string>;
  /** Ids of all steps of the plan, wherever they are. */
  readonly all: ReadonlySet<string>;
  /** Ids of steps that come later in the lists around this place. */
  readonly later: ReadonlySet<string>;
}

/** What is wrong with a plan beyond the shape of its fields. The query gives the first names. */
export function planFindings(plan: Plan, query: Pick<Query, "given" | "servers">): Finding[] {
  const given = givenNames(query);
  const outside = { visible: new Set(given), all: new Set<string>(), later: new Set<string>() };
  const own = listFindings(plan.steps, ["steps"], given, plan.answer, ["answer"], query);
  const variantIds = (plan.variants ?? []).map(({ id }) => id);
  return [
    ...own,
    ...(plan.recover ?? []).flatMap((rule, i) => [
      ...valuesIn(rule.with, ["recover", i, "with"], outside),
      ...serverFindings(rule.call, ["recover", i, "call"], query),
    ]),
    ...(plan.variants ?? []).flatMap((variant, i) => [
      ...(variantIds.indexOf(variant.id) < i ? [duplicate(variant.id, ["variants", i, "id"])] : []),
      ...listFindings(
        variant.steps,
        ["variants", i, "steps"],
        given,
        variant.answer ?? plan.answer,
        variant.answer === undefined ? null : ["variants", i, "answer"],
        query,
      ).map((finding) => (finding.path.length === 0 ? inherited(finding, ["variants", i, "id"], variant.id) : finding)),
    ]),
  ];
}

/** Checks a whole list of steps with the answer that follows it. Findings in an answer without a place have an empty path. */
function listFindings(
  steps: readonly Step[],
  path: Path,
  given: ReadonlySet<string>,
  answer: Readonly<Record<string, AnswerFact>> | undefined,
  answerPath: Path | null,
  query: Pick<Query, "servers">,
): Finding[] {
  const names: Names = { visible: new Set(given), all: new Set(idsOf(steps)), later: new Set() };
  const found = stepsFindings(steps, path, names, query);
  const facts = Object.entries(answer ?? {}).flatMap(([name, fact]) =>
    valuesIn(fact, [...(answerPath ?? []), name], names).map((finding) =>
      answerPath === null ? { ...finding, path: [] } : finding,
    ),
  );
  return [...found, ...facts];
}

function inherited(finding: Finding, path: Path, id: string): Finding {
  const { code, found, expected } = finding;
  return {
    code,
    path,
    found: `the plan's answer with ${found}`,
    expected: `${expected}, or an answer of ${id} itself`,
  };
}

function stepsFindings(steps: readonly Step[], path: Path, names: Names, query: Pick<Query, "servers">): Finding[] {
  return steps.flatMap((step, i) => {
    const later = new Set([...names.later, ...steps.slice(i).flatMap(({ id }) => (id === undefined ? [] : [id]))]);
    const place = [...path, i];
    const found = stepFindings(step, place, { ...names, later }, query);
    if (step.id === undefined) return found;
    const clash = nameClash(step.id, [...place, "id"], names);
    names.visible.add(step.id);
    return [...found, ...clash];
  });
}

function stepFindings(step: Step, path: Path, names: Names, query: Pick<Query, "servers">): Finding[] {
  const found: Finding[] = [];
  if (typeof step.when === "string") {
    found.push(...expressionFindings(step.when, [...path, "when"], seenFrom(names), explainer(names)));
  }
  if ("call" in step) {
    found.push(...serverFindings(step.call, [...path, "call"], query));
    found.push(...valuesIn(step.with, [...path, "with"], names), ...valuesIn(step.else, [...path, "else"], names));
  } else if ("let" in step) {
    found.push(...valuesIn(step.let, [...path, "let"], names));
  } else {
    found.push(...valuesIn(step.for, [...path, "for"], names));
    if (!isExpression(step.for) && !Array.isArray(step.for)) {
      const expected = "a list, or an expression that gives one";
      found.push({ code: "query.bad-field", path: [...path, "for"], found: shown(step.for), expected });
    }
    found.push(...nameClash(step.as, [...path, "as"], names));
    const inside = { ...names, visible: new Set([...names.visible, step.as]) };
    found.push(...stepsFindings(step.do, [...path, "do"], inside, query));
    found.push(...valuesIn(step.yield, [...path, "yield"], inside));
  }
  return found;
}

function nameClash(name: string, path: Path, names: Names): Finding[] {
  if (reservedNames.includes(name)) return [{ ...reservedFinding(name, path), onKey: false }];
  return names.visible.has(name) ? [duplicate(name, path)] : [];
}

function duplicate(name: string, path: Path): Finding {
  return { code: "query.duplicate-id", path, found: `the id ${name} again`, expected: "an id that is not taken here" };
}

/** Expressions in a value, and ids that belong to one seed. */
function valuesIn(value: unknown, path: Path, names: Names): Finding[] {
  return [...valueFindings(value, path, seenFrom(names), explainer(names)), ...seedIds(value, path)];
}

function seenFrom(names: Names): { names: ReadonlySet<string>; draws: false } {
  return { names: names.visible, draws: false };
}

function explainer(names: Names): ExplainName {
  return (name) => {
    if (names.later.has(name)) {
      return { code: "query.later-step", found: `the step ${name}, which comes later,`, expected: "a step above" };
    }
    if (!names.all.has(name)) return null;
    return {
      code: "query.unknown-step",
      found: `the step ${name}, which is inside a loop,`,
      expected: "the id of the loop, whose yield gives values out",
    };
  };
}

/** A plan holds for any seed, so it cannot name an id of the sandbox. */
function seedIds(value: unknown, path: Path): Finding[] {
  if (typeof value === "string") {
    return (value.match(ID_PATTERN) ?? []).map((id) => ({
      code: "query.seed-value",
      path,
      found: `the id ${id}`,
      expected: "an expression that finds it, since ids differ from seed to seed",
    }));
  }
  if (Array.isArray(value)) return value.flatMap((item, i) => seedIds(item, [...path, i]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => seedIds(item, [...path, key]));
}

function idsOf(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => [
    ...(step.id === undefined ? [] : [step.id]),
    ...("do" in step ? [step.as, ...idsOf(step.do)] : []),
  ]);
}
