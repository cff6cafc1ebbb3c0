import { expect, it } from "vitest";
import { configure } from "../../test/servers/pools.ts";
import { choosePool } from "./choose-pool.ts";

const names = Array.from({ length: 20 }, (_, i) => `S${i}`);
const servers = configure(
  Object.fromEntries(names.map((name) => [name, { type: "sandbox", ...(name === "S3" ? { disabled: true } : {}) }])),
);
const choose = (size: number, seed = 1, salt = "") =>
  choosePool({ id: "q", servers: ["S9", "S2"] }, servers, { size, seed, salt }).map(({ name }) => name);

it("holds what the query needs and drawn distractors, in the order of the file", () => {
  const chosen = choose(15);
  expect(chosen).toHaveLength(15);
  expect(chosen).toEqual(names.filter((name) => chosen.includes(name)));
  expect(chosen).toEqual(expect.arrayContaining(["S2", "S9"]));
  expect(chosen).not.toContain("S3");
});

it("is the same for equal seeds, another one for other seeds and salts", () => {
  expect(choose(8)).toEqual(choose(8));
  expect(choose(8, 2)).not.toEqual(choose(8));
  expect(choose(8, 1, "salt")).not.toEqual(choose(8));
});

it("never leaves out what the query needs", () => {
  expect(choose(1)).toEqual(["S2", "S9"]);
  expect(choose(99)).toHaveLength(19);
});
