import { z } from "zod";
import type { JsonObject } from "../base/json.ts";
import type { Random } from "../base/random.ts";

/**
 * What a tool does to the state: `read` leaves it as it is, `write` adds or changes, `destroy` removes something for good.
 * It becomes the MCP annotations `readOnlyHint` and `destructiveHint`.
 */
export type ToolEffect = "read" | "write" | "destroy";

/** What a handler gets to work with. `S` is the app's state; a stateless server has none. */
export interface ToolContext<S> {
  /**
   * The app's own state. Tools that declare `write` or `destroy` get a draft that they change in place; for `read` it is
   * frozen, and a change throws.
   */
  readonly state: S;
  /** The frozen state of another app of this world, or undefined if the world has not got it. */
  other(app: string): JsonObject | undefined;
  /** World time as `YYYY-MM-DD HH:MM:SS`, without zone. */
  now(): string;
  /** A new id of the sandbox form that the snapshot will list as minted. */
  mint(prefix: string): string;
  /** A stream of draws that is a function of the world's seed, the server and `name`. */
  random(name: string): Random;
}

/** One tool of a sandbox server. Made by {@link toolsOf}, never by hand. */
export interface SandboxTool<S> {
  readonly name: string;
  readonly text: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  readonly effect: ToolEffect;
  readonly idempotent: boolean;
  /** True if the call must reach another user's data, so that the app's network faults can hit it. */
  readonly reaches: boolean;
  readonly run: (context: ToolContext<S>, input: never) => unknown;
}

/** The declaration that {@link toolsOf} takes. */
export interface ToolDeclaration<S, I extends z.ZodRawShape, O extends z.ZodType> {
  /** Tool name as in the published list. */
  readonly name: string;
  /** What the tool does, for the model: one or two sentences. */
  readonly text: string;
  /** Parameters; each has `.describe()`. Left out: the tool has none. */
  readonly input?: I;
  /** Shape of `output` when the call worked. A confirmation is `z.string()`. */
  readonly output: O;
  /** Default `read`. */
  readonly effect?: ToolEffect;
  /** True if a second equal call changes nothing more. Default: true for `read`, else false. */
  readonly idempotent?: boolean;
  readonly reaches?: boolean;
  /** Does the work and returns the output. A refusal is thrown by {@link refuse}. */
  readonly run: (context: ToolContext<S>, input: z.output<z.ZodObject<I>>) => z.input<O>;
}

/**
 * Gives the function that declares tools over a state of type `S`: name, text, input, output, effect and handler in one
 * place, with the handler's types inferred from the schemas.
 */
export function toolsOf<S>(): <I extends z.ZodRawShape = Record<never, never>, O extends z.ZodType = z.ZodType>(
  declaration: ToolDeclaration<S, I, O>,
) => SandboxTool<S> {
  return (declaration) => {
    const effect = declaration.effect ?? "read";
    return {
      name: declaration.name,
      text: declaration.text,
      input: z.strictObject(declaration.input ?? {}),
      output: declaration.output,
      effect,
      idempotent: declaration.idempotent ?? effect === "read",
      reaches: declaration.reaches ?? false,
      run: declaration.run as SandboxTool<S>["run"],
    };
  };
}

/** What an app's start state is drawn from. */
export interface StartContext {
  readonly seed: number;
  /** A stream of draws that is a function of the seed, the salt, the app and `name`. */
  random(name: string): Random;
  /** The person who owns the account in every app of this world. */
  readonly holder: { readonly name: string; readonly uid: string };
  /** World time at the start, in milliseconds since 1970-01-01T00:00:00 without zone. */
  readonly startMs: number;
}

/** How often an app's calls fail by themselves, per seed. Zero and left out are the same. */
export interface FaultRates {
  /** Failures that only the app's own repair ends (LightTalk's network); they hit tools with `reaches` only. */
  readonly network?: number;
  /** Failures that a retry survives. */
  readonly transient?: number;
  /** Answers that come late: world time moves on, nothing else happens. */
  readonly delay?: number;
  /** Refusals because of too many calls; a retry survives them. */
  readonly rateLimit?: number;
}

/** A sandbox server: one app with a state, or a stateless one. Made by {@link defineApp}. */
export interface SandboxApp<S = unknown> {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly tools: readonly SandboxTool<S>[];
  /** The tool of that name, or undefined. */
  tool(name: string): SandboxTool<S> | undefined;
  /** Start state for a seed, plain JSON. Undefined for a stateless server. */
  readonly start: ((context: StartContext) => S) | undefined;
  /** What expressions see of the state: collections as lists, each record with its ids. Default: the state itself. */
  readonly view: (state: S) => unknown;
  /**
   * JSON Pointer patterns below the app's state for what never counts: timestamps, entered passwords, network switches.
   */
  readonly volatile: readonly string[];
  readonly faults: (source: Random) => FaultRates;
  /** True while the app's own repair is in force, which ends its `network` faults. */
  readonly repaired: (state: S) => boolean;
}

/** The declaration that {@link defineApp} takes. */
export interface AppDeclaration<S> {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly tools: readonly SandboxTool<S>[];
  readonly start?: (context: StartContext) => S;
  readonly view?: (state: S) => unknown;
  readonly volatile?: readonly string[];
  readonly faults?: (source: Random) => FaultRates;
  readonly repaired?: (state: S) => boolean;
}

/**
 * Declares a sandbox server.
 * @throws RangeError if two tools share a name
 */
export function defineApp<S = undefined>(declaration: AppDeclaration<S>): SandboxApp {
  const byName = new Map(declaration.tools.map((tool) => [tool.name, tool]));
  if (byName.size !== declaration.tools.length) throw new RangeError(`two tools of ${declaration.name} share a name`);
  const app: SandboxApp<S> = {
    name: declaration.name,
    title: declaration.title,
    text: declaration.text,
    tools: declaration.tools,
    tool: (name) => byName.get(name),
    start: declaration.start,
    view: declaration.view ?? ((state) => state),
    volatile: declaration.volatile ?? [],
    faults: declaration.faults ?? (() => ({})),
    repaired: declaration.repaired ?? (() => false),
  };
  // A server's state type is its own affair: outside of it, states are JSON.
  return app as unknown as SandboxApp;
}

/** Thrown by a handler when the state or the data refuse a well-formed call. It becomes status `failed`. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

/** Refuses the call with a sentence that says what is wrong and, where it can, what to do. */
export function refuse(message: string): never {
  throw new Refusal(message);
}
