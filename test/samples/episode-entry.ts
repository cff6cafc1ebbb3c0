import type { EpisodeEntry } from "../../src/record/episode-writer.ts";
import type { Snapshot } from "../../src/record/snapshot.ts";
import { storedEvidenceSchema } from "../../src/record/stored-evidence.ts";
import type { TrajectoryEvent } from "../../src/record/trajectory.ts";
import { sampleRecord } from "./episode-record.ts";

const start: Snapshot = {
  servers: { Shop: { items: { a: { stock: 3 }, b: { stock: 4 } }, cart: {} } },
  minted: [],
  volatile: ["/Shop/password"],
  worldTime: "2026-07-14 10:00:00",
};

/** An episode whose tested side bought one thing more than the reference. */
export function sampleEntry(repeat: number, answer = "Done."): EpisodeEntry {
  const { trajectories: _, states: __, ...record } = sampleRecord({ repeat });
  const stop = { reason: "answered", detail: "" } as const;
  const end = (stock: number): Snapshot => ({
    ...start,
    servers: { Shop: { items: { a: { stock }, b: { stock: 4 } }, cart: {} } },
    minted: ["cart_1"],
  });
  const events: TrajectoryEvent[] = [
    { type: "answer", at: 1, text: answer },
    { type: "stop", at: 1, ...stop },
  ];
  return {
    record,
    trajectories: { reference: events, tested: events },
    evidence: storedEvidenceSchema.parse({
      query: { id: record.query, text: "Buy two.", tier: "easy", suite: "sandbox" },
      rules: { ignore: [], ordered: [], numericText: [], text: {} },
      stateScored: true,
      mask: null,
      before: start,
      reference: { end: end(1), facts: [], stop, goals: [{ text: "= true", holds: true }] },
      variants: [{ id: "other", end: null, facts: [] }],
      alternatives: [],
      tested: { end: end(0), answer, stop, diesAgain: null },
      failure: null,
    }),
  };
}
