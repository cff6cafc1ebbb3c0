import { random } from "../base/random.ts";
import type { Agent } from "./agent.ts";
import { randomArguments } from "./random-arguments.ts";

/** Answers at once and calls nothing. Whoever does nothing must not pass. */
export const noop: Agent = {
  name: "noop",
  run: async () => ({ text: "Done." }),
};

const RANDOM_CALLS = 12;
const TEXT_IN_RESULT = /[A-Za-z0-9][\w .@/-]{2,60}/g;
const KEPT_TEXTS = 200;

/**
 * Makes seeded calls with arguments that fit the schemas, then answers with the last result. It shows what blind activity
 * scores, and that the environment stands up to it.
 */
export const randomAgent: Agent = {
  name: "random",
  async run(task) {
    const source = random(task.seed, `agent/random/${task.repeat}/${task.query}`);
    const seen: string[] = [];
    let last = "";
    for (let i = 0; i < RANDOM_CALLS && task.tools.length > 0; i++) {
      const tool = source.pick(task.tools);
      const result = await task.call(tool.name, randomArguments(tool.inputSchema, source, seen));
      last = result.text;
      for (const [text] of result.text.matchAll(TEXT_IN_RESULT)) {
        if (seen.length === KEPT_TEXTS) break;
        seen.push(text);
      }
    }
    return { text: last.slice(0, 2000) };
  },
};
