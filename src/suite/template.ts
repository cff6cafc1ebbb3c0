import type { Json } from "../base/json.ts";
import { ExpressionError, evaluateExpression, type Scope } from "./expression.ts";

/** A part of a text: itself, or an expression (with the equals sign that it would have alone) whose value goes in. */
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "expression"; readonly text: string; readonly offset: number };

/**
 * Takes a text with `{{expression}}` in it apart. The first `}}` ends an expression.
 * @throws ExpressionError `syntax` for a `{{` that is not closed or holds nothing
 */
export function templateParts(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  for (let from = 0; from < template.length; ) {
    const open = template.indexOf("{{", from);
    if (open < 0) return [...parts, { kind: "text", text: template.slice(from) }];
    const close = template.indexOf("}}", open + 2);
    const span = { start: open, end: open + 2 };
    if (close < 0) throw new ExpressionError("syntax", "{{ is not closed by }}", span);
    const inner = template.slice(open + 2, close);
    if (inner.trim() === "") throw new ExpressionError("syntax", "{{}} holds no expression", span);
    if (open > from) parts.push({ kind: "text", text: template.slice(from, open) });
    parts.push({ kind: "expression", text: `=${inner}`, offset: open + 1 });
    from = close + 2;
  }
  return parts;
}

/**
 * A text with the values of its expressions in place. Lists of plain values become `a, b, c`.
 * @throws ExpressionError if an expression fails, or gives null or an object: neither reads well in a sentence
 */
export function renderTemplate(template: string, scope: Scope): string {
  return templateParts(template)
    .map((part) => (part.kind === "text" ? part.text : inSentence(evaluateExpression(part.text, scope), part.text)))
    .join("");
}

function inSentence(value: Json, expression: string): string {
  if (Array.isArray(value)) return value.map((item: Json) => inSentence(item, expression)).join(", ");
  if (typeof value === "object") {
    const what = value === null ? "null" : "an object";
    throw new ExpressionError("value", `{{${expression.slice(1)}}} gives ${what}, which no sentence can hold`);
  }
  return String(value);
}
