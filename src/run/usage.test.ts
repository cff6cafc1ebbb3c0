import { expect, it } from "vitest";
import { NO_MODEL_USE } from "../record/model-use.ts";
import type { TrajectoryEvent } from "../record/trajectory.ts";
import { spentBy } from "./usage.ts";

const turn = (prompt: number | null, costUsd: number | null): TrajectoryEvent => ({
  type: "model",
  at: 0,
  ms: 1,
  model: "m",
  text: "",
  calls: 0,
  usage: { prompt, cachedPrompt: 0, output: 10 },
  costUsd,
});

it("adds up what is known, and keeps unknown what is not", () => {
  expect(spentBy([turn(100, 0.1), turn(50, 0.2)])).toMatchObject({
    tokens: { prompt: 150, cachedPrompt: 0, output: 20, toolResponse: null },
    costUsd: expect.closeTo(0.3),
  });
  expect(spentBy([turn(100, 0.1), turn(null, null)])).toMatchObject({
    tokens: { prompt: null, output: 20 },
    costUsd: null,
    use: { calls: 2, unknown: 1, unpriced: 1, prompt: 100, output: 20, costUsd: 0.1 },
  });
  expect(spentBy([])).toEqual({
    tokens: { prompt: null, cachedPrompt: null, output: null, reasoning: null, toolResponse: null },
    costUsd: null,
    use: NO_MODEL_USE,
  });
});
