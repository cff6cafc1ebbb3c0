import { canonicalJson } from "../base/canonical-json.ts";
import type { CallStats } from "../record/grades.ts";
import { type ToolEvent, type Trajectory, toolCalls } from "../record/trajectory.ts";

/**
 * Counts a side's tool calls. A fault is recovered if a later call of the same tool with equal arguments worked; of several
 * faults before one success, all are.
 */
export function callStats(trajectory: Trajectory): CallStats {
  const calls = toolCalls(trajectory);
  const faults = calls.filter(({ fault, outcome }) => fault !== null && outcome !== "ok");
  const lastSuccess = new Map<string, number>();
  for (const call of calls) if (call.outcome === "ok") lastSuccess.set(callKey(call), call.call);
  const count = (of: (call: ToolEvent) => boolean) => calls.filter(of).length;
  const valid = count(({ outcome }) => outcome === "ok");
  const syntactic = count(({ outcome }) => outcome === "syntactic");
  return {
    total: calls.length,
    valid,
    failed: calls.length - valid - syntactic,
    syntactic,
    faultsMet: faults.length,
    faultsRecovered: faults.filter((fault) => (lastSuccess.get(callKey(fault)) ?? -1) > fault.call).length,
    distinctTools: new Set(calls.filter(({ tool }) => tool !== null).map(({ server, tool }) => `${server}.${tool}`))
      .size,
  };
}

/** The same text for calls of the same tool with equal arguments. */
export function callKey({ server, tool, name, arguments: args }: ToolEvent): string {
  return `${server ?? ""}.${tool ?? name} ${canonicalJson(args)}`;
}
