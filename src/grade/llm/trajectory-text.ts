import { cutEnd, cutStart } from "../../base/text.ts";
import type { Trajectory } from "../../record/trajectory.ts";
import { waterLevel } from "./water-level.ts";

/** A text of fixed parts, which always stay, and pieces, which may be cut. */
type Part = string | { readonly piece: string; readonly of: string };

/** Trajectories as a judge reads them, and what was left out of them. */
export interface ShownTrajectories {
  readonly texts: readonly string[];
  readonly omitted: { readonly characters: number; readonly pieces: number };
}

/**
 * Writes trajectories down for a judge: of each call its name, arguments, outcome and result, and what the agent said. If they are
 * longer than `budget` characters together, the longest results, arguments and remarks lose their middle, each with a mark that
 * says how much is missing and where; names and outcomes of calls always stay.
 */
export function showTrajectories(trajectories: readonly Trajectory[], budget: number): ShownTrajectories {
  const written = trajectories.map(partsOf);
  const parts = written.flat();
  const fixed = parts.reduce((sum, part) => sum + (typeof part === "string" ? part.length : 0), 0);
  const pieces = parts.flatMap((part) => (typeof part === "string" ? [] : [part.piece.length]));
  const cap = Math.max(LEAST_PIECE, waterLevel(pieces, budget - fixed));
  const omitted = { characters: 0, pieces: 0 };
  const texts = written.map((list) =>
    list
      .map((part) => {
        if (typeof part === "string") return part;
        const shown = omitMiddle(part, cap);
        if (shown.omitted > 0) {
          omitted.characters += shown.omitted;
          omitted.pieces += 1;
        }
        return shown.text;
      })
      .join(""),
  );
  return { texts, omitted };
}

/** What is left of a piece at the least, however small the budget. */
const LEAST_PIECE = 40;

function omitMiddle({ piece, of }: { readonly piece: string; readonly of: string }, most: number) {
  if (piece.length <= most) return { text: piece, omitted: 0 };
  const head = cutEnd(piece, Math.ceil(most / 2));
  const tail = cutStart(piece, Math.floor(most / 2));
  const omitted = piece.length - head.length - tail.length;
  return { text: `${head}\n[${omitted} characters omitted from ${of}]\n${tail}`, omitted };
}

function partsOf(trajectory: Trajectory): Part[] {
  const answer = trajectory.findLast((event) => event.type === "answer")?.text;
  let step = 0;
  return trajectory.flatMap((event): Part[] => {
    switch (event.type) {
      case "tool": {
        const of = `step ${event.call}`;
        step = event.call + 1;
        return [
          `step ${event.call}: ${event.name} `,
          { piece: JSON.stringify(event.arguments), of },
          `\n-> ${event.outcome}${event.fault === null ? "" : ` (injected fault: ${event.fault})`}: `,
          { piece: event.text, of },
          "\n",
        ];
      }
      case "model":
        if (event.text.trim() === "" || event.text === answer) return [];
        return ["said: ", { piece: event.text, of: `what was said before step ${step}` }, "\n"];
      case "quirk":
        return [`${event.kind}: `, { piece: event.detail, of: `a remark before step ${step}` }, "\n"];
      case "stop":
        return event.reason === "answered"
          ? []
          : [`stopped (${event.reason}): `, { piece: event.detail, of: "why it stopped" }, "\n"];
      default:
        return [];
    }
  });
}
