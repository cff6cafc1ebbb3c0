import { z } from "zod";
import { defineApp, toolsOf } from "../define.ts";

const tool = toolsOf<undefined>();

/** The layer below the apps: it tells the world's time. */
export const lightOs = defineApp<undefined>({
  name: "LightOS",
  title: "Operating system",
  text: "The layer below the Light apps: the current time and a health check.",
  tools: [
    tool({
      name: "now",
      text:
        "The current date and time, as YYYY-MM-DD HH:MM:SS without time zone. Use it to work out dates such as tomorrow " +
        "or this year.",
      output: z.string(),
      // Time passes between two calls.
      idempotent: false,
      run: ({ now }) => now(),
    }),
    tool({
      name: "health",
      text: "True if the system and the apps that depend on it are working.",
      output: z.boolean(),
      run: () => true,
    }),
  ],
});
