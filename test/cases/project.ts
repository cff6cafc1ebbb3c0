import { testFolder, writeFiles } from "../run-tandem.ts";

/** A folder with one query that calls `tool` of a server `Fixture`, and calls nothing else. */
export function oneCallProject(entry: object, tool = "echo", files: Readonly<Record<string, string>> = {}): string {
  const folder = testFolder();
  writeFiles(folder, {
    "mcp-servers.json": JSON.stringify({ mcpServers: { Fixture: entry } }),
    "queries/live/call-it.yaml": `id: call-it\ntier: easy\nservers: [Fixture]\ntext: Call it.\ngoal: ["= answer.done"]\n`,
    "plans/call-it.yaml": `steps: [{ id: it, call: Fixture.${tool}, with: {} }]\nanswer: { done: "= it != null" }\n`,
    ...files,
  });
  return folder;
}
