import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copyQueries, runJson, runTandem } from "./run-tandem.ts";

interface Validation {
  readonly valid: boolean;
  readonly queries: { id: string; episodes: number; problems: { seed: number; check: string; message: string }[] }[];
}

function change(file: string, edit: (text: string) => string): void {
  const before = readFileSync(file, "utf8");
  const after = edit(before);
  expect(after).not.toBe(before);
  writeFileSync(file, after);
}

const checks = ({ queries }: Validation) => [
  ...new Set(queries.flatMap(({ problems }) => problems.map(({ check }) => check))),
];

describe("tandem validate", () => {
  it("proves a sound query by three runs on each of three seeds, and by agents that must fail", async () => {
    const cwd = copyQueries(["sandbox/mark-messages-read"]);
    const { valid, queries } = await runJson<Validation>(["validate"], { cwd });
    expect(valid).toBe(true);
    expect(queries).toEqual([{ id: "mark-messages-read", episodes: 18, problems: [] }]);
  });

  it.each([
    ["sandbox/mark-messages-read", /.*LightTalk.mark_as_read.*\n/],
    ["sandbox/buy-seedless-grapes", /.*LightShop.checkout_all.*\n/],
    ["sandbox/tidy-order-history", /.*LightShop.delete_trans_history.*\n/],
    ["live/remember-a-circle", / {2}- call: memory.add_observations[\s\S]*?(?=answer)/],
  ])("fails %s without its last writing step, by a goal", async (id, step) => {
    const cwd = copyQueries([id]);
    change(join(cwd, "plans", `${id.split("/")[1]}.yaml`), (text) => text.replace(step, ""));
    const { code } = await runTandem(["validate", "--display", "none"], { cwd });
    expect(code).toBe(1);
    expect(checks(await runJson<Validation>(["validate", "--display", "none"], { cwd }))).toEqual(["goal"]);
  });

  it.each([
    ["a plan that breaks", "plans/mark-messages-read.yaml", ['contact.name"', 'contact.uid"'], "plan"],
    ["a query that asks for nothing", "queries/sandbox/mark-messages-read.yaml", ["c.unread))", "!c.unread))"], "goal"],
  ])("fails %s", async (_, file, [from, to], check) => {
    const cwd = copyQueries(["sandbox/mark-messages-read"]);
    change(join(cwd, file), (text) => text.replace(from as string, to as string));
    expect(checks(await runJson<Validation>(["validate", "--display", "none"], { cwd }))).toEqual([check]);
  });

  it("fails a query that an agent solves which does nothing", async () => {
    const cwd = copyQueries(["sandbox/change-my-place"]);
    change(join(cwd, "plans/change-my-place.yaml"), (text) =>
      text.replace('LightTalk.change_my_ip, with: { where: "= place" }', "LightTalk.get_my_name"),
    );
    change(join(cwd, "queries/sandbox/change-my-place.yaml"), (text) =>
      text.replace("end.LightTalk.me.ip == place", "true"),
    );
    expect(checks(await runJson<Validation>(["validate", "--display", "none"], { cwd }))).toContain("noop");
  });

  it("names file, line and field of a tool or an argument that is not there", async () => {
    const cwd = copyQueries(["sandbox/mark-messages-read"]);
    change(join(cwd, "plans/mark-messages-read.yaml"), (text) =>
      text.replace("mark_as_read, with: { uid", "mark_as_seen, with: { user"),
    );
    const { code, stderr } = await runTandem(["validate"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/mark-messages-read\.yaml:4:\d+ steps\[1\]\.call: found the tool LightTalk\.mark_as_seen/);
  });
});
