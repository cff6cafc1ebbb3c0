import { z } from "zod";
import { EXIT, TandemError } from "../base/errors.ts";
import type { EpisodeRecord } from "../record/episode-record.ts";
import { readRun, type StoredRun } from "../record/run-reader.ts";
import { episodeReport } from "../report/episode.ts";
import { terminalReport } from "../report/terminal.ts";
import { textTable } from "../report/text-table.ts";
import { headerOf } from "../run/start.ts";
import { nearestNames } from "../suite/nearest.ts";
import { printJson, typedFlags } from "./flags.ts";
import type { Host } from "./host.ts";
import type { CommandFunction } from "./program.ts";
import { storedRunFolder } from "./stored-run.ts";

const flagsSchema = z.object({ results: z.string(), json: z.boolean().default(false) });

/** `tandem show`: a stored run with all its episodes, or one episode with both trajectories. */
export const show: CommandFunction = async (invocation, host) => {
  const flags = typedFlags(flagsSchema, invocation);
  const stored = await readRun(await storedRunFolder(invocation, flags.results, host));
  for (const problem of stored.problems) host.stderr.write(`note: ${problem}\n`);
  const [, episode] = invocation.args;
  if (episode === undefined) showRun(stored, flags.json, host);
  else await showEpisode(stored, episode, flags.json, host);
  return EXIT.ok;
};

function showRun({ folder, info, records, problems }: StoredRun, json: boolean, host: Host): void {
  if (json) {
    printJson(host, { ...info, folder, problems, records });
    return;
  }
  const { columns, isTTY } = host.stdout;
  host.stdout.write(terminalReport(headerOf(folder, info), records, { columns, colour: isTTY === true }));
  const rows = records.map((record, at) => [
    String(at + 1),
    record.query,
    record.agent,
    String(record.seed),
    String(record.repeat),
    record.outcome,
    record.reason,
  ]);
  host.stdout.write(`\n${textTable(["", "query", "agent", "seed", "repeat", "outcome", "why"], rows, host.stdout)}`);
  host.stderr.write(`Next: tandem show ${info.run} 1\n`);
}

async function showEpisode(stored: StoredRun, wanted: string, json: boolean, host: Host): Promise<void> {
  const record = findEpisode(stored.records, wanted);
  const trajectories = await stored.trajectories(record);
  if (json) {
    printJson(host, { record, trajectories, evidence: await stored.evidence(record) });
    return;
  }
  const { columns, isTTY } = host.stdout;
  host.stdout.write(episodeReport(record, trajectories, { columns, colour: isTTY === true }));
}

/** An episode by its number in the list, by its key, or by the beginning of a key that only one has. */
function findEpisode(records: readonly EpisodeRecord[], wanted: string): EpisodeRecord {
  const numbered = /^\d+$/.test(wanted) ? records[Number(wanted) - 1] : undefined;
  const exact = numbered ?? records.find(({ key }) => key === wanted);
  if (exact !== undefined) return exact;
  const [first, second] = records.filter(({ key }) => key.startsWith(wanted));
  if (first !== undefined && second === undefined) return first;
  const keys = records.map(({ key }) => key);
  const near = first === undefined ? nearestNames(wanted, keys, 3) : [first.key, second?.key ?? ""];
  throw new TandemError(
    first === undefined ? "usage.no-episode" : "usage.ambiguous-episode",
    first === undefined ? `the run has no episode ${wanted}` : `more than one episode begins with ${wanted}`,
    {
      hint:
        near.length > 0
          ? `Did you mean ${near.join(" or ")}?`
          : `Give a number from 1 to ${records.length}, or query|agent|seed|repeat.`,
    },
  );
}
