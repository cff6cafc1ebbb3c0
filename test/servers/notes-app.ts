import { z } from "zod";
import { defineApp, refuse, toolsOf } from "../../src/sandbox/define.ts";

interface NotesState {
  notes: Record<string, { title: string; stars: number }>;
  offline: boolean;
}

const tool = toolsOf<NotesState>();
const note = z.strictObject({ id: z.string(), title: z.string(), stars: z.number() });

/** A small app for tests: it reads, writes, destroys, refuses, breaks, and can be unreachable. */
export const notesApp = defineApp<NotesState>({
  name: "Notes",
  title: "Notes",
  text: "Keeps notes.",
  start: ({ random }) => ({
    notes: { note_1: { title: "Milk", stars: random("stars").int(1, 5) } },
    offline: true,
  }),
  volatile: ["/offline"],
  faults: () => ({}),
  repaired: (state) => !state.offline,
  tools: [
    tool({
      name: "list_notes",
      text: "Lists all notes.",
      output: z.array(note),
      reaches: true,
      run: ({ state }) => Object.entries(state.notes).map(([id, { title, stars }]) => ({ id, title, stars })),
    }),
    tool({
      name: "add_note",
      text: "Adds a note.",
      input: {
        title: z.string().min(1).describe("title of the note"),
        stars: z.int().min(0).max(5).default(0).describe("how much it matters"),
      },
      output: z.strictObject({ id: z.string() }),
      effect: "write",
      run: ({ state, mint }, { title, stars }) => {
        const id = mint("note");
        state.notes[id] = { title, stars };
        return { id };
      },
    }),
    tool({
      name: "delete_note",
      text: "Deletes a note.",
      input: { id: z.string().describe("id of the note") },
      output: z.string(),
      effect: "destroy",
      run: ({ state }, { id }) => {
        if (state.notes[id] === undefined) refuse(`There is no note ${id}.`);
        delete state.notes[id];
        return "Deleted.";
      },
    }),
    tool({
      name: "break_down",
      text: "Has a defect.",
      output: z.string(),
      run: () => {
        throw new TypeError("a defect");
      },
    }),
    tool({
      name: "go_online",
      text: "Ends network failures.",
      output: z.string(),
      effect: "write",
      run: ({ state }) => {
        state.offline = false;
        return "Online.";
      },
    }),
  ],
});
