import { TandemError } from "../base/errors.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { random } from "../base/random.ts";
import { textOf } from "./expression/values.ts";
import { ExpressionError, evaluateExpression, isExpression, resolveValue, type Scope } from "./expression.ts";
import type { Query, StateRules, TextComparer } from "./schema.ts";
import { renderTemplate } from "./template.ts";

/** What a query is drawn from. */
export interface Drawing {
  readonly seed: number;
  /** Text of a sealed run's salt, or the empty text. */
  readonly salt: string;
  /** What expressions see of each server's start state, by server. */
  readonly start: Readonly<Record<string, Json>>;
  /** World time at the start. */
  readonly now: string;
}

/** A call that is made on the start state. */
export interface ArrangedCall {
  readonly server: string;
  readonly tool: string;
  readonly with: JsonObject;
}

/** A query for one seed: everything in it has its value. */
export interface QueryInstance {
  readonly text: string;
  readonly given: JsonObject;
  /** Contents by path below `${workdir}`. */
  readonly files: Readonly<Record<string, string>>;
  readonly arrange: readonly ArrangedCall[];
  /** Compare rules without expressions. */
  readonly state: StateRules;
  /** What the plan sees: given values and `now`. */
  readonly scope: JsonObject;
}

/**
 * Draws a query's given values for a seed and fills them in. Each value has a stream of its own, a function of seed, salt,
 * query and name, so that a new one never moves the others.
 * @throws TandemError `query.no-candidate` if a value is drawn from nothing, `query.bad-value` if an expression fails;
 *   both name the query, the field and the seed
 */
export function instantiate(query: Query, drawing: Drawing): QueryInstance {
  const { seed, salt, start, now } = drawing;
  const given: Record<string, Json> = {};
  for (const [name, value] of Object.entries(query.given)) {
    given[name] = inField(query, seed, `given.${name}`, () =>
      resolveValue(value, { start, now, ...given }, random(seed, `given/${query.id}/${name}`, salt)),
    );
  }
  const scope: JsonObject = { ...given, now };
  return {
    text: inField(query, seed, "text", () => renderTemplate(query.text, scope)),
    given,
    files: Object.fromEntries(
      Object.entries(query.files).map(([path, content]) => [
        path,
        inField(query, seed, `files.${path}`, () => fileContent(content, scope)),
      ]),
    ),
    arrange: query.arrange.map((call, i) => {
      const dot = call.call.indexOf(".");
      const args = inField(query, seed, `arrange[${i}].with`, () => resolveFields(call.with ?? {}, scope));
      return { server: call.call.slice(0, dot), tool: call.call.slice(dot + 1), with: args };
    }),
    state: {
      ...query.state,
      text: Object.fromEntries(
        Object.entries(query.state.text).map(([path, comparer]) => [
          path,
          inField(query, seed, `state.text.${path}`, () => concrete(comparer, scope)),
        ]),
      ),
    },
    scope,
  };
}

/** Arguments with their expressions evaluated. @throws ExpressionError */
export function resolveFields(fields: Readonly<Record<string, unknown>>, scope: Scope): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, resolveValue(value, scope)]));
}

function fileContent(content: string, scope: Scope): string {
  if (content.startsWith("==")) return renderTemplate(content.slice(1), scope);
  return isExpression(content) ? textOf(evaluateExpression(content, scope), () => {}) : renderTemplate(content, scope);
}

function concrete(comparer: TextComparer, scope: Scope): TextComparer {
  if (typeof comparer === "string") return comparer;
  const { contains } = comparer;
  const texts = (typeof contains === "string" ? [contains] : contains).map((text) => resolveValue(text, scope));
  return { contains: texts.flat().map((text: Json) => textOf(text, () => {})) };
}

function inField<T>(query: Query, seed: number, field: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof ExpressionError)) throw thrown;
    const details = { query: query.id, field, seed };
    if (thrown.fault === "empty") {
      const message = `${query.id}: ${field} has no candidate for seed ${seed}: ${thrown.message}`;
      const hint = "Widen what it is drawn from, or arrange the start state so that there always is one.";
      throw new TandemError("query.no-candidate", message, { details, hint, cause: thrown });
    }
    const message = `${query.id}: ${field} fails for seed ${seed}: ${thrown.message}`;
    throw new TandemError("query.bad-value", message, { details, cause: thrown });
  }
}
