import { enablePatches, freeze, type Patch, produceWithPatches } from "immer";
import { errorMessage } from "../base/errors.ts";
import type { Json, JsonObject } from "../base/json.ts";
import { escapePart, toPointer } from "../base/pointer.ts";
import { drawId, type Random, random } from "../base/random.ts";
import type { Snapshot } from "../record/snapshot.ts";
import { formatTime, seededStart } from "./clock.ts";
import { type FaultRates, Refusal, type SandboxApp, type SandboxTool, type ToolContext } from "./define.ts";
import { accountHolder } from "./holder.ts";

enablePatches();

/** What a tool of the sandbox answers: the envelope of every result, beside the paths that the call changed. */
export interface ToolAnswer {
  readonly status: "ok" | "failed" | "internal error";
  readonly output: Json;
  /** JSON Pointers from the app's name on. */
  readonly writes: readonly string[];
}

/** Kinds of injected faults. */
export type FaultKind = "network" | "transient" | "delay" | "rate-limit";

/** A fault that a query plans, beside those that the seed draws. */
export interface PlannedFault {
  readonly server: string;
  readonly tool: string;
  readonly kind: FaultKind;
  /** Which calls of that tool it hits, counted from 1. Left out: all of them until the app's repair. */
  readonly calls?: readonly number[];
}

/** Options of {@link createWorld}. */
export interface WorldOptions {
  /** Any whole number. */
  readonly seed: number;
  /** The servers of the world. Apps among them make their start state when it is first needed. */
  readonly apps: readonly SandboxApp[];
  /** Enters every draw of a sealed run. */
  readonly salt?: string;
  /** Default `frozen`: the seeded start plus one second per tool call. */
  readonly clock?: "frozen";
  /** False switches all faults off. */
  readonly faults?: boolean;
  readonly plannedFaults?: readonly PlannedFault[];
}

/**
 * The sandbox of one side: seed, clock, state and fault switches, shared by its servers. Apps' states are frozen trees;
 * a change makes a new tree that shares what it does not touch, so that snapshots and forks cost nothing.
 */
export interface World {
  readonly seed: number;
  readonly salt: string;
  readonly apps: ReadonlyMap<string, SandboxApp>;
  /** World time, in milliseconds without zone. */
  readonly timeMs: number;
  /** World time as `YYYY-MM-DD HH:MM:SS`. */
  now(): string;
  /** Lets one tool call's time pass. */
  tick(): void;
  /** The state of an app, made at the first request; undefined for a stateless server. @throws RangeError if unknown */
  state(app: string): JsonObject | undefined;
  /** What expressions see of an app. */
  view(app: string): Json | undefined;
  /** Calls a tool with arguments that fit its schema. Never throws: a defect of the handler is an `internal error`. */
  invoke(app: string, tool: string, input: JsonObject): ToolAnswer;
  /** Draws the fault of the next call of a tool, or null. Counts the call. A `delay` has already moved the clock. */
  nextFault(app: string, tool: string): FaultKind | null;
  /** Names of the apps whose state is not that of the start any more, sorted. */
  changed(): readonly string[];
  /** The state of `apps` (default: those that changed) as it is now. Stateless ones are passed over. */
  snapshot(apps?: readonly string[]): Snapshot;
  /** The same world, from here on apart. `scope` enters the ids that the fork mints. */
  fork(scope?: string): World;
  /**
   * The same world with its present state as the start: clock, fault counts and minted ids begin anew. `plannedFaults`, if
   * given, take the place of those that the world had.
   */
  settled(plannedFaults?: readonly PlannedFault[]): World;
}

interface Parts {
  readonly options: WorldOptions;
  readonly apps: ReadonlyMap<string, SandboxApp>;
  readonly starts: Map<string, JsonObject>;
  readonly states: Map<string, JsonObject>;
  readonly minted: string[];
  readonly mintCounts: Map<string, number>;
  readonly callCounts: Map<string, number>;
  readonly rates: Map<string, FaultRates>;
  readonly holder: { readonly name: string; readonly uid: string };
  readonly scope: string;
  readonly startMs: number;
  elapsedMs: number;
}

const DELAY_MS = 30_000;

/** Makes the world of a seed. Nothing is drawn until it is needed. */
export function createWorld(options: WorldOptions): World {
  const salt = options.salt ?? "";
  return worldOf({
    options,
    apps: new Map(options.apps.map((app) => [app.name, app])),
    starts: new Map(),
    states: new Map(),
    minted: [],
    mintCounts: new Map(),
    callCounts: new Map(),
    rates: new Map(),
    holder: accountHolder(options.seed, salt),
    scope: "",
    startMs: seededStart(options.seed, salt),
    elapsedMs: 0,
  });
}

function worldOf(parts: Parts): World {
  const { options, apps } = parts;
  const { seed } = options;
  const salt = options.salt ?? "";

  function appOf(name: string): SandboxApp {
    const app = apps.get(name);
    if (app === undefined) throw new RangeError(`the world has no server ${name}`);
    return app;
  }

  function state(name: string): JsonObject | undefined {
    const current = parts.states.get(name) ?? parts.starts.get(name);
    if (current !== undefined) return current;
    const app = appOf(name);
    if (app.start === undefined) return undefined;
    const made = app.start({
      seed,
      holder: parts.holder,
      startMs: parts.startMs,
      random: (stream) => random(seed, `${name}/${stream}`, salt),
    });
    const frozen = freeze(made, true) as JsonObject;
    parts.starts.set(name, frozen);
    return frozen;
  }

  function mint(prefix: string): string {
    const count = parts.mintCounts.get(prefix) ?? 0;
    parts.mintCounts.set(prefix, count + 1);
    const id = drawId(random(seed, `minted/${parts.scope}/${prefix}/${count}`, salt), prefix);
    parts.minted.push(id);
    return id;
  }

  const now = () => formatTime(parts.startMs + parts.elapsedMs);

  function invoke(name: string, toolName: string, input: JsonObject): ToolAnswer {
    const app = appOf(name);
    const tool = app.tool(toolName);
    if (tool === undefined) throw new RangeError(`${name} has no tool ${toolName}`);
    const mintedBefore = parts.minted.length;
    const context: Omit<ToolContext<unknown>, "state"> = {
      other: (other) => (apps.has(other) ? state(other) : undefined),
      now,
      mint,
      random: (stream) => random(seed, `${name}/${stream}`, salt) satisfies Random,
    };
    try {
      const [output, writes] = runTool(tool, name, state(name), context, input, (next) => parts.states.set(name, next));
      return { status: "ok", output, writes };
    } catch (thrown) {
      parts.minted.length = mintedBefore;
      if (thrown instanceof Refusal) return { status: "failed", output: thrown.message, writes: [] };
      return { status: "internal error", output: `${toolName} broke: ${errorMessage(thrown)}`, writes: [] };
    }
  }

  function nextFault(name: string, tool: string): FaultKind | null {
    if (options.faults === false) return null;
    const app = appOf(name);
    const key = `${name}/${tool}`;
    const call = (parts.callCounts.get(key) ?? 0) + 1;
    parts.callCounts.set(key, call);
    const current = app.start === undefined ? undefined : state(name);
    const repaired = current !== undefined && app.repaired(current);
    const planned = options.plannedFaults?.find(
      (fault) => fault.server === name && fault.tool === tool && (fault.calls?.includes(call) ?? true),
    );
    if (planned !== undefined && !(planned.kind === "network" && repaired)) return planned.kind;
    let rates = parts.rates.get(name);
    if (rates === undefined) {
      rates = app.faults(random(seed, `${name}/faults`, salt));
      parts.rates.set(name, rates);
    }
    const reaches = app.tool(tool)?.reaches ?? false;
    const kind = drawFault(rates, random(seed, `fault/${key}/${call}`, salt), reaches && !repaired);
    if (kind === "delay") parts.elapsedMs += DELAY_MS;
    return kind;
  }

  const changed = () =>
    [...parts.states.keys()].filter((name) => parts.states.get(name) !== parts.starts.get(name)).sort();

  function copy(change: Partial<Parts>): World {
    return worldOf({
      ...parts,
      states: new Map(parts.states),
      minted: [...parts.minted],
      mintCounts: new Map(parts.mintCounts),
      callCounts: new Map(parts.callCounts),
      ...change,
    });
  }

  return {
    seed,
    salt,
    apps,
    get timeMs() {
      return parts.startMs + parts.elapsedMs;
    },
    now,
    tick: () => {
      parts.elapsedMs += 1000;
    },
    state,
    view: (name) => {
      const current = state(name);
      return current === undefined ? undefined : (appOf(name).view(current) as Json);
    },
    invoke,
    nextFault,
    changed,
    snapshot: (names = changed()) => {
      const servers: Record<string, Json> = {};
      const volatile: string[] = [];
      for (const name of names) {
        const current = state(name);
        if (current === undefined) continue;
        servers[name] = current;
        for (const pattern of appOf(name).volatile) volatile.push(`/${escapePart(name)}${pattern}`);
      }
      return { servers, minted: [...parts.minted], volatile, worldTime: now() };
    },
    fork: (scope = parts.scope) => copy({ scope }),
    settled: (plannedFaults = options.plannedFaults ?? []) =>
      copy({
        options: { ...options, plannedFaults },
        // Start states that nobody has asked for yet are made once for all copies, as long as nothing was arranged.
        starts: changed().length === 0 ? parts.starts : new Map([...parts.starts, ...parts.states]),
        states: new Map(),
        minted: [],
        mintCounts: new Map(),
        callCounts: new Map(),
        elapsedMs: 0,
      }),
  };
}

/** Runs a handler on the state and hands a changed state to `commit`. Gives the output and the changed paths. */
function runTool(
  tool: SandboxTool<unknown>,
  app: string,
  state: JsonObject | undefined,
  context: Omit<ToolContext<unknown>, "state">,
  input: JsonObject,
  commit: (next: JsonObject) => void,
): [Json, string[]] {
  if (tool.effect === "read" || state === undefined) {
    return [tool.run({ ...context, state }, input as never) as Json, []];
  }
  let output: Json = null;
  const [next, patches] = produceWithPatches(state, (draft) => {
    output = withoutDrafts(tool.run({ ...context, state: draft }, input as never));
  });
  commit(next);
  return [output, changedPaths(app, patches)];
}

/** An output that may hold parts of the draft, as plain JSON: a draft is dead once its change is done. */
function withoutDrafts(output: unknown): Json {
  return typeof output === "object" && output !== null ? JSON.parse(JSON.stringify(output)) : (output as Json);
}

function changedPaths(app: string, patches: readonly Patch[]): string[] {
  return [...new Set(patches.map((patch) => toPointer([app, ...patch.path])))];
}

function drawFault(rates: FaultRates, source: Random, network: boolean): FaultKind | null {
  let left = source.float();
  const kinds: [FaultKind, number][] = [
    ["network", network ? (rates.network ?? 0) : 0],
    ["transient", rates.transient ?? 0],
    ["rate-limit", rates.rateLimit ?? 0],
    ["delay", rates.delay ?? 0],
  ];
  for (const [kind, rate] of kinds) {
    left -= rate;
    if (left < 0) return kind;
  }
  return null;
}

/** What a call answers that a fault hit, in words an agent can act on. */
export function faultText(kind: Exclude<FaultKind, "delay">, app: string): string {
  switch (kind) {
    case "network":
      return "It appears there's a network issue, please try again.";
    case "transient":
      return `${app} could not answer just now, please try again.`;
    case "rate-limit":
      return `Too many requests to ${app}, please try again in a moment.`;
  }
}
