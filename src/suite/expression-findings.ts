import { callableNames } from "./expression/check.ts";
import { checkExpression, ExpressionError, expressionsIn, isExpression, type Visible } from "./expression.ts";
import { nearestName, withSuggestion } from "./nearest.ts";
import type { Finding } from "./problem.ts";
import type { Path } from "./source.ts";
import { templateParts } from "./template.ts";

/** Says more of a name that is not known here than that it is not; null if there is nothing to say. */
export type ExplainName = (name: string) => Pick<Finding, "code" | "found" | "expected"> | null;

/** What is wrong with the expressions inside a value. */
export function valueFindings(value: unknown, path: Path, visible: Visible, explain?: ExplainName): Finding[] {
  return expressionsIn(value, path).flatMap(({ text, path: place }) =>
    checkExpression(text, visible).map((error) => findingOf(error, text, place, 0, visible, explain)),
  );
}

/** As {@link valueFindings}, for a place where there must be an expression and nothing else. */
export function expressionFindings(value: string, path: Path, visible: Visible, explain?: ExplainName): Finding[] {
  if (isExpression(value)) return valueFindings(value, path, visible, explain);
  return [
    {
      code: "query.bad-expression",
      path,
      found: `"${value}"`,
      expected: "an expression, which begins with =",
    },
  ];
}

/** What is wrong with a text that has `{{expression}}` in it. */
export function templateFindings(template: string, path: Path, visible: Visible): Finding[] {
  try {
    return templateParts(template).flatMap((part) =>
      part.kind === "text"
        ? []
        : checkExpression(part.text, visible).map((error) => findingOf(error, part.text, path, part.offset, visible)),
    );
  } catch (thrown) {
    if (!(thrown instanceof ExpressionError)) throw thrown;
    const offset = thrown.span?.start ?? 0;
    return [
      {
        code: "query.bad-template",
        path,
        offset,
        found: `"${template.slice(offset, offset + 40)}"`,
        expected: `{{expression}}: ${thrown.message}`,
      },
    ];
  }
}

function findingOf(
  error: ExpressionError,
  text: string,
  path: Path,
  offset: number,
  visible: Visible,
  explain?: ExplainName,
): Finding {
  const place = { path, offset: offset + (error.span?.start ?? 0) };
  const where = `in "${text.trim()}" at character ${(error.span?.start ?? 0) + 1}`;
  const name = error.unknown ?? "";
  if (error.fault === "unknown-name") {
    const explained = explain?.(name) ?? null;
    if (explained !== null) return { ...explained, ...place, found: `${explained.found} ${where}` };
    const names = [...visible.names];
    const expected = names.length === 0 ? "no name: none is known here" : `one of ${names.join(", ")}`;
    return {
      code: "query.unknown-name",
      ...place,
      found: `the unknown name ${name} ${where}`,
      expected: withSuggestion(expected, name, names),
    };
  }
  if (error.fault === "unknown-function") {
    const near = nearestName(name, callableNames);
    const expected = near === null || near === name ? "a function listed in docs/expressions.md" : `${near}()`;
    return { code: "query.unknown-function", ...place, found: `${error.message} ${where}`, expected };
  }
  return { code: "query.bad-expression", ...place, found: `${error.message} ${where}`, expected: "a CEL expression" };
}
