import type { Json } from "../base/json.ts";
import type { CallResult } from "../pool/pool.ts";
import type { CallOutcome } from "../record/trajectory.ts";
import { ExpressionError, evaluateExpression, resolveValue, type Scope } from "../suite/expression.ts";
import type { Fact } from "../suite/fact.ts";
import type { CallStep, ForStep, Plan, Step } from "../suite/schema.ts";
import { answerText, factsOf } from "./plan-answer.ts";

/** A rule of a plan for a refusal that is met on the way. */
export type RecoverRule = NonNullable<Plan["recover"]>[number];

/** What {@link interpretPlan} works on. */
export interface PlanInput {
  /** The plan's own steps, or those of a variant. */
  readonly steps: readonly Step[];
  readonly recover: readonly RecoverRule[];
  readonly answer: NonNullable<Plan["answer"]>;
  /** Given values and `now`. */
  readonly scope: Scope;
  /** Calls `<Server>.<tool>`. What it throws (a limit, the end of a run) ends the interpretation and is thrown on. */
  readonly call: (tool: string, args: Json) => Promise<CallResult>;
  /**
   * If given, calls of which it says no are skipped, and whatever then fails is skipped too: the value is null and nothing
   * breaks the plan.
   */
  readonly only?: (tool: string) => boolean;
}

/** What became of one step. Steps inside a loop appear once per round. */
export interface StepTrace {
  /** Place and name: `steps[2]`, `offers[0].items`. */
  readonly step: string;
  readonly kind: "call" | "let" | "for";
  /** `<Server>.<tool>` of a call, else null. */
  readonly call: string | null;
  readonly status: "done" | "skipped" | "else" | "failed";
  readonly value: Json;
  /** How many calls it took, those of `recover` included. */
  readonly calls: number;
}

/** Why a plan could not go on. */
export interface PlanBreak {
  readonly step: string;
  readonly call: string | null;
  readonly reason: string;
  /** How the call ended, so that a dead server is told from a refusal; null if an expression failed. */
  readonly outcome: CallOutcome | null;
}

/** What a plan found. A broken plan has no facts. */
export interface PlanOutcome {
  readonly facts: readonly Fact[];
  /** The facts in plain prose, one a line; `Done.` if the query asks for none; empty if the plan broke. */
  readonly answerText: string;
  readonly broken: PlanBreak | null;
  readonly steps: readonly StepTrace[];
}

/** How often a transient failure is retried where the step does not say. */
const RETRIES = 3;
const LONGEST_REASON = 500;

/**
 * Follows a plan: exact, and the same for equal worlds.
 * - A failure that may pass (`transient`) is retried, by default three times.
 * - A rule of `recover` whose text is in a transient failure or a refusal comes first: its tool is called, then the call is
 *   tried again; each rule once per call.
 * - A refusal that nothing covers gives the step its `else`, and without one breaks the plan.
 * - Every other outcome (`syntactic`, `protocol`, `timeout`, `broken`) and an expression that fails break it too.
 */
export async function interpretPlan(input: PlanInput): Promise<PlanOutcome> {
  const trace: StepTrace[] = [];
  try {
    const { scope } = await runSteps(input.steps, input.scope, "steps", { input, trace });
    const facts = input.only === undefined ? inPlace("answer", () => factsOf(input.answer, scope)) : [];
    return { facts, answerText: answerText(facts), broken: null, steps: trace };
  } catch (thrown) {
    if (!(thrown instanceof Broken)) throw thrown;
    return { facts: [], answerText: "", broken: thrown.as, steps: trace };
  }
}

class Broken extends Error {
  readonly as: PlanBreak;

  constructor(as: PlanBreak) {
    super(as.reason);
    this.as = as;
  }
}

interface Run {
  readonly input: PlanInput;
  readonly trace: StepTrace[];
}

/** Runs steps in order. Gives the scope with their values, and the last value. */
async function runSteps(
  steps: readonly Step[],
  outer: Scope,
  path: string,
  run: Run,
): Promise<{ readonly scope: Scope; readonly last: Json }> {
  let scope = outer;
  let last: Json = null;
  for (const [i, step] of steps.entries()) {
    const place = step.id === undefined ? `${path}[${i}]` : path === "steps" ? step.id : `${path}.${step.id}`;
    last = await runStep(step, scope, place, run);
    if (step.id !== undefined) scope = { ...scope, [step.id]: last };
  }
  return { scope, last };
}

async function runStep(step: Step, scope: Scope, place: string, run: Run): Promise<Json> {
  const kind = "call" in step ? "call" : "let" in step ? "let" : "for";
  const call = "call" in step ? step.call : null;
  const note = (status: StepTrace["status"], value: Json, calls: number): Json => {
    run.trace.push({ step: place, kind, call, status, value, calls });
    return value;
  };
  try {
    if (!inPlace(place, () => isWanted(step.when, scope))) return note("skipped", null, 0);
    if ("let" in step)
      return note(
        "done",
        inPlace(place, () => resolveValue(step.let, scope)),
        0,
      );
    if ("for" in step) return note("done", await runLoop(step, scope, place, run), 0);
    if (run.input.only?.(step.call) === false) return note("skipped", null, 0);
    const { status, value, calls } = await runCall(step, scope, place, run);
    return note(status, value, calls);
  } catch (thrown) {
    if (!(thrown instanceof Broken)) throw thrown;
    note("failed", null, 0);
    if (run.input.only === undefined) throw thrown;
    return null;
  }
}

/** Turns the failure of an expression into the end of the plan. */
function inPlace<T>(step: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof ExpressionError)) throw thrown;
    throw new Broken({ step, call: null, reason: thrown.message, outcome: null });
  }
}

function isWanted(when: Step["when"], scope: Scope): boolean {
  if (when === undefined || typeof when === "boolean") return when ?? true;
  const value = evaluateExpression(when, scope);
  if (typeof value === "boolean") return value;
  throw new ExpressionError("value", `when must be true or false: ${when}`);
}

async function runLoop(step: ForStep, scope: Scope, place: string, run: Run): Promise<Json> {
  const items = inPlace(place, () => resolveValue(step.for, scope));
  if (!Array.isArray(items)) {
    throw new Broken({ step: place, call: null, reason: "for needs a list", outcome: null });
  }
  const values: Json[] = [];
  for (const [i, item] of items.entries()) {
    const round = `${place}[${i}]`;
    const inner = await runSteps(step.do, { ...scope, [step.as]: item }, round, run);
    values.push(roundValue(step, inner, round, run));
  }
  return values;
}

function roundValue(
  step: ForStep,
  inner: { readonly scope: Scope; readonly last: Json },
  round: string,
  run: Run,
): Json {
  if (step.yield === undefined) return inner.last;
  try {
    return inPlace(round, () => resolveValue(step.yield, inner.scope));
  } catch (thrown) {
    if (thrown instanceof Broken && run.input.only !== undefined) return null;
    throw thrown;
  }
}

async function runCall(
  step: CallStep,
  scope: Scope,
  place: string,
  run: Run,
): Promise<{ readonly status: "done" | "else"; readonly value: Json; readonly calls: number }> {
  const { call, recover } = run.input;
  const args = inPlace(place, () => resolveValue(step.with ?? {}, scope));
  const rules = new Set(recover);
  let retries = step.retry ?? RETRIES;
  for (let calls = 1; ; calls++) {
    const result = await call(step.call, args);
    if (result.outcome === "ok") return { status: "done", value: result.value, calls };
    const covered = result.outcome === "transient" || result.outcome === "refused";
    const text = result.text.toLowerCase();
    const rule = covered ? [...rules].find(({ on }) => text.includes(on.toLowerCase())) : undefined;
    if (rule !== undefined) {
      rules.delete(rule);
      calls += await runRule(rule, scope, place, run);
    } else if (result.outcome === "transient" && retries > 0) {
      retries--;
    } else if (result.outcome === "refused" && step.else !== undefined) {
      return { status: "else", value: inPlace(place, () => resolveValue(step.else, scope)), calls };
    } else {
      throw new Broken(broken(place, step.call, result));
    }
  }
}

/**
 * Calls the tool of a rule and gives the number of calls. Whether it worked shows when the call that it is for is tried
 * again; only what no retry can mend ends the plan here.
 */
async function runRule(rule: RecoverRule, scope: Scope, place: string, run: Run): Promise<number> {
  const args = inPlace(place, () => resolveValue(rule.with ?? {}, scope));
  for (let calls = 1; ; calls++) {
    const result = await run.input.call(rule.call, args);
    if (result.outcome === "ok" || result.outcome === "refused") return calls;
    if (result.outcome !== "transient") throw new Broken(broken(place, rule.call, result));
    if (calls > RETRIES) return calls;
  }
}

function broken(step: string, call: string, { outcome, text }: CallResult): PlanBreak {
  const short = text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text;
  return { step, call, reason: `${call} ended as ${outcome}: ${short}`, outcome };
}
