import { expect, it } from "vitest";
import * as library from "../src/index.ts";

it("offers these names, and no other", () => {
  expect(Object.keys(library).sort()).toMatchInlineSnapshot(`
    [
      "EXIT",
      "Stopped",
      "TandemError",
      "builtInAgents",
      "createWorld",
      "defineAgent",
      "defineApp",
      "diffState",
      "findRun",
      "gradeEpisode",
      "gradeFacts",
      "listRuns",
      "loadServers",
      "loadSuite",
      "openPool",
      "random",
      "readRun",
      "refuse",
      "resolveAgent",
      "rulesJudge",
      "runEpisode",
      "sandboxApp",
      "sandboxApps",
      "summarise",
      "toolsOf",
    ]
  `);
});
