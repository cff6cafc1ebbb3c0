import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { commandTable } from "../src/cli.ts";
import { commandReference } from "../src/commands/reference.ts";
import { packageRoot } from "../src/config/paths.ts";
import { gradeFacts } from "../src/grade/facts.ts";
import { isJudging } from "./judging.ts";
import type { Script } from "./model-server/model-server.ts";
import { useModelServer } from "./model-server/use-model-server.ts";
import { runTandem, testFolder } from "./run-tandem.ts";

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(packageRoot, "docs")).map((name) => join("docs", name)),
];
const textOf = (page: string) => readFileSync(join(packageRoot, page), "utf8");

/** The `npx tandem` commands of a page's shell blocks, in order. */
function commandsOf(page: string): string[][] {
  const blocks = [...textOf(page).matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
  return blocks.flatMap((block) =>
    block
      .split("\n")
      .map((line) => line.replace(/\s+#.*$/, "").trim())
      .filter((line) => line.startsWith("npx tandem"))
      .map((line) => line.split(/\s+/).slice(2)),
  );
}

/** Writes the YAML blocks of a page that begin with the name of a file, for its commands to use. Models are behind `endpoint`. */
function writeBlocks(page: string, folder: string, endpoint: string): void {
  for (const [, block = "", name = ""] of textOf(page).matchAll(/```yaml\n(# ([\w.-]+\.yaml)[\s\S]*?)```/g)) {
    writeFileSync(join(folder, name), block.replace(/endpoint: \S+/g, `endpoint: ${endpoint}`));
  }
}

/** A model that gives every agent up and every episode a 4. */
const anyModel: Script = (request) => ({ text: isJudging(request) ? '{"reason":"so","score":4}' : "I give up. [END]" });

describe("every command of the docs runs", () => {
  it.each(pages.filter((page) => commandsOf(page).length > 0))("%s", async (page) => {
    const cwd = testFolder();
    const { url } = await useModelServer(anyModel);
    writeBlocks(page, cwd, url);
    const env = { OPENAI_BASE_URL: url, OPENAI_API_KEY: "any" };
    await runTandem(["run", "change-my-place", "--display", "none"], { cwd });
    for (const argv of commandsOf(page)) {
      // The one query that a reader has to write first.
      const own = argv.map((word) => (word === "my-query" ? "change-my-place" : word));
      const { code, stderr } = await runTandem(own, { cwd, env });
      expect(code, `tandem ${argv.join(" ")}\n${stderr}`).toBe(
        argv.includes("--threshold") && stderr.includes("below") ? 1 : 0,
      );
    }
  });
});

describe("the pages", () => {
  it("name files that are there", () => {
    for (const page of pages) {
      const folder = join(packageRoot, page, "..");
      for (const [, target = ""] of textOf(page).matchAll(/\]\(([^)#:]+)\)/g)) {
        expect(() => readFileSync(join(folder, target)), `${page} → ${target}`).not.toThrow();
      }
    }
  });

  it("README.md has a library example that runs", () => {
    const [, example = ""] = /```ts\n([\s\S]*?)```/.exec(textOf("README.md")) ?? [];
    const file = join(testFolder(), "example.mjs");
    const library = pathToFileURL(join(packageRoot, "dist", "index.js")).href;
    writeFileSync(file, example.replace('"mcp-tandem"', JSON.stringify(library)));
    const printed = execFileSync(process.execPath, [file], { cwd: packageRoot, encoding: "utf8" });
    expect(printed).toMatch(/^fail state: 0 of 1 required changes/);
  });

  it("docs/cli.md is what the program's own tables say", async () => {
    await expect(commandReference(commandTable)).toMatchFileSnapshot(join(packageRoot, "docs", "cli.md"));
  });

  it("docs/grading.md shows facts as they are graded", () => {
    const rows = [
      ...textOf("docs/grading.md").matchAll(/^\| `([^`]+)`(?:, foil `([^`]+)`)? \| (.+) \| (yes|no) \|$/gm),
    ];
    expect(rows.length).toBe(8);
    for (const [row, value = "", foil, answer = "", right] of rows) {
      const parsed = JSON.parse(value) as string | number;
      const compare = typeof parsed === "number" ? "number" : "text";
      const foils = foil === undefined ? [] : [Number(foil)];
      const [grade] = gradeFacts(answer, [{ name: "it", value: parsed, compare, within: 0, foils }]);
      expect(grade?.right, row).toBe(right === "yes");
    }
  });
});
