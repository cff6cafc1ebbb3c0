import { readFileSync, rmSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { errorOf, loadFrom, temporaryFolder } from "../../test/fixtures/suite/suite-files.ts";
import { planSchema, querySchema } from "./schema.ts";

const page = readFileSync(new URL("../../docs/queries.md", import.meta.url), "utf8");
const files = Object.fromEntries(
  [...page.matchAll(/```yaml\n# (\S+\.yaml)\n([\s\S]*?)```/g)].map(([, name = "", text = ""]) => [name, `#\n${text}`]),
);
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
const folderWith = (content: Record<string, string>) => {
  const folder = temporaryFolder(content);
  folders.push(folder);
  return folder;
};

describe("docs/queries.md", () => {
  it("has an example that loads", () => {
    expect(Object.keys(files)).toEqual(["queries/sandbox/restock-tea.yaml", "plans/restock-tea.yaml"]);
    expect(loadFrom(folderWith(files)).map(({ query }) => query.id)).toEqual(["restock-tea"]);
  });

  it("shows a problem as it is printed", () => {
    const broken = Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name, text.replace('shop_name: "= shop"', 'shop_name: "= shp"')]),
    );
    const folder = folderWith(broken);
    expect(page).toContain(errorOf(folder, () => loadFrom(folder)).lines.join("\n"));
  });

  it("names every field", () => {
    for (const field of [...Object.keys(querySchema.shape), ...Object.keys(planSchema.shape)]) {
      expect(page).toContain(`| \`${field}\` |`);
    }
  });
});
