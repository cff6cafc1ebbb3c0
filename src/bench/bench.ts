import { availableParallelism } from "node:os";
import { benchCommands } from "./command.ts";
import { benchEpisodes } from "./episode.ts";
import { type BenchResult, benchStateDiff } from "./state-diff.ts";

/** What a figure must not exceed. */
const BOUNDS: Readonly<Record<string, number>> = {
  ratio: 0.25,
  copiedMs: 150,
  listQueriesMs: 300,
};

/** `npm run bench`: prints all figures, and ends with 1 if one is out of bounds. */
async function bench(): Promise<number> {
  console.log(`node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} processors\n`);
  let out = 0;
  const show = ({ name, figures }: BenchResult) => {
    console.log(name);
    for (const [figure, value] of Object.entries(figures)) {
      const bound = BOUNDS[figure];
      const verdict =
        bound === undefined ? "" : value <= bound ? `  (at most ${bound})` : `  OUT OF BOUNDS, at most ${bound}`;
      if (bound !== undefined && value > bound) out++;
      console.log(`  ${figure.padEnd(22)} ${String(value).padStart(9)}${verdict}`);
    }
    console.log("");
  };
  for (const result of benchCommands()) show(result);
  for (const result of benchStateDiff()) show(result);
  for (const result of await benchEpisodes()) show(result);
  return out === 0 ? 0 : 1;
}

process.exitCode = await bench();
