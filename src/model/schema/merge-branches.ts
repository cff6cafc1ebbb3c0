import { isSchema, type SchemaDraft } from "./schema-walk.ts";

/** Keywords that no endpoint takes at the root of the parameters, besides those that name branches. */
const REFUSED = ["not", "enum", "const", "if", "then", "else", "dependencies", "dependentRequired"] as const;
const LONGEST_RULE = 400;

/**
 * Makes one object of a schema with branches: the properties of all branches together, required what each way through them
 * requires. Nothing stands in the result that would forbid arguments which the branches allow.
 * @returns what the result no longer says, in sentences
 */
export function mergeBranches(schema: SchemaDraft): string[] {
  const rules: string[] = [];
  const { anyOf, oneOf, allOf } = schema;
  mergeAlternatives(schema, branchesOf(anyOf), "at least one", rules);
  mergeAlternatives(schema, branchesOf(oneOf), "exactly one", rules);
  for (const branch of branchesOf(allOf)) {
    rules.push(...mergeBranches(branch));
    schema.properties = unite([schema, branch], (one, other) => ({ ...one, ...other }));
    setRequired(schema, [...requiredOf(schema), ...requiredOf(branch)]);
    if (typeof branch.description === "string") schema.description ??= branch.description;
  }
  const conditional = [schema.then, schema.else].filter(isSchema);
  if (conditional.length > 0) schema.properties = unite([schema, ...conditional], (one) => one);
  const unsaid = Object.fromEntries(
    REFUSED.filter((keyword) => schema[keyword] !== undefined).map((keyword) => [keyword, schema[keyword]]),
  );
  if (Object.keys(unsaid).length > 0) rules.push(`The arguments must also fit ${shortened(JSON.stringify(unsaid))}.`);
  for (const keyword of ["anyOf", "oneOf", "allOf", ...REFUSED]) delete schema[keyword];
  return rules;
}

function branchesOf(given: unknown): SchemaDraft[] {
  return Array.isArray(given) ? given.filter(isSchema) : [];
}

function mergeAlternatives(schema: SchemaDraft, branches: SchemaDraft[], how: string, rules: string[]): void {
  if (branches.length === 0) return;
  for (const branch of branches) rules.push(...mergeBranches(branch));
  const groups = [...new Set(branches.map(groupText))];
  if (groups.length > 1) rules.push(`The arguments must fit ${how} of: ${shortened(groups.join("; "))}.`);
  const [first, ...others] = branches.map(requiredOf);
  const shared = (first ?? []).filter((name) => others.every((required) => required.includes(name)));
  // A property of the schema itself counts for each branch; one that several branches have may be as any of them says.
  const own = isSchema(schema.properties) ? schema.properties : {};
  const united = unite(branches, either);
  for (const [name, value] of Object.entries(own))
    define(united, name, isSchema(united[name]) ? { ...united[name], ...(value as object) } : value);
  schema.properties = { ...Object.fromEntries(Object.keys(own).map((name) => [name, united[name]])), ...united };
  setRequired(schema, [...requiredOf(schema), ...shared]);
}

/** A branch in words: what it requires, and the values that tell it from the others. */
function groupText(branch: SchemaDraft): string {
  const properties = isSchema(branch.properties) ? branch.properties : {};
  const fixed = Object.entries(properties).flatMap(([name, value]) =>
    isSchema(value) && value.const !== undefined ? [`${name} = ${JSON.stringify(value.const)}`] : [],
  );
  const plain = requiredOf(branch).filter((name) => !fixed.some((text) => text.startsWith(`${name} = `)));
  const parts = [...fixed, ...plain];
  if (parts.length > 0) return parts.join(", ");
  const names = Object.keys(properties);
  return names.length > 0 ? `any of ${names.join(", ")}` : "no parameters";
}

function unite(
  schemas: readonly SchemaDraft[],
  both: (one: SchemaDraft, other: SchemaDraft) => SchemaDraft,
): SchemaDraft {
  const united: SchemaDraft = {};
  for (const { properties } of schemas) {
    if (!isSchema(properties)) continue;
    for (const [name, value] of Object.entries(properties)) {
      const before = Object.hasOwn(united, name) ? united[name] : undefined;
      define(united, name, isSchema(before) && isSchema(value) ? both(before, value) : value);
    }
  }
  return united;
}

/** Sets a key even if it is `__proto__`. */
function define(target: SchemaDraft, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** A schema that allows what one of two allows. */
function either(one: SchemaDraft, other: SchemaDraft): SchemaDraft {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  const values = [valuesOf(one), valuesOf(other)];
  if (values.every((list) => list !== null)) {
    const { const: _, ...rest } = { ...other, ...one };
    return { ...rest, enum: [...new Set(values.flat())] };
  }
  const before = Array.isArray(one.anyOf) && Object.keys(one).length === 1 ? one.anyOf : [one];
  return { anyOf: [...before, other] };
}

function valuesOf({ const: value, enum: values }: SchemaDraft): unknown[] | null {
  if (value !== undefined) return [value];
  return Array.isArray(values) ? values : null;
}

function requiredOf({ required }: SchemaDraft): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

function setRequired(schema: SchemaDraft, names: readonly string[]): void {
  if (names.length > 0) schema.required = [...new Set(names)];
}

function shortened(text: string): string {
  return text.length <= LONGEST_RULE ? text : `${text.slice(0, LONGEST_RULE)}…`;
}
