import { type EpisodeRecord, episodeKey, episodeRecordSchema } from "../../src/record/episode-record.ts";
import type { CallStats, StateGrade, Verdict } from "../../src/record/grades.ts";
import { NO_MODEL_USE } from "../../src/record/model-use.ts";

/** Counts of tool calls: `valid` good ones and nothing else, unless `change` says so. */
export function sampleCalls(valid: number, change: Partial<CallStats> = {}): CallStats {
  const calls = { valid, failed: 0, syntactic: 0, faultsMet: 0, faultsRecovered: 0, distinctTools: valid, ...change };
  return { total: calls.valid + calls.failed + calls.syntactic, ...calls };
}

/** A state grade in which all `required` paths were modified, unless `change` says so. */
export function sampleState(required: number, change: Partial<StateGrade> = {}): StateGrade {
  return {
    required,
    modified: required,
    misbehaving: 0,
    wrong: 0,
    completionRate: 1,
    misbehavingRate: 0,
    precision: 1,
    f1: 1,
    effects: null,
    success: true,
    approximate: false,
    paths: [],
    ...change,
  };
}

/** A verdict without error and cost. */
export function sampleVerdict(
  result: number | null,
  trajectory: number | null,
  change: Partial<Verdict> = {},
): Verdict {
  const reasons = { result: "for the result", trajectory: "for the trajectory" };
  return { result, trajectory, reasons, error: null, usage: null, costUsd: null, ...change };
}

/** A passed episode of a sandbox query, with `change` applied. It fits the schema. */
export function sampleRecord(change: Partial<EpisodeRecord> = {}): EpisodeRecord {
  const of = { query: "buy-grapes", agent: "oracle", seed: 1, repeat: 0, ...change };
  const unknown = { prompt: null, cachedPrompt: null, output: null };
  return episodeRecordSchema.parse({
    ...of,
    key: episodeKey(of),
    suite: "sandbox",
    tier: "easy",
    startedAt: "2026-07-14T10:00:00.000Z",
    ms: 1200,
    skewMs: 2,
    outcome: "pass",
    reason: "state and facts are right",
    error: null,
    referenceMode: "parallel",
    variant: null,
    reference: { stop: "answered", detail: "", answer: "done", ms: 900, calls: sampleCalls(6) },
    tested: { stop: "answered", detail: "", answer: "done", ms: 1000, calls: sampleCalls(6) },
    state: sampleState(4),
    facts: null,
    judges: { rules: sampleVerdict(5, 5) },
    offered: { tools: 127, hash: "0".repeat(64) },
    tokens: {
      agent: { ...unknown, toolResponse: 400 },
      reference: { ...unknown, toolResponse: 400 },
      judge: { ...unknown, toolResponse: null },
    },
    costUsd: { agent: null, reference: 0, judge: null },
    modelUse: { agent: NO_MODEL_USE, reference: NO_MODEL_USE, judge: NO_MODEL_USE },
    trajectories: { offset: 0, length: 10 },
    states: null,
    ...change,
  });
}
