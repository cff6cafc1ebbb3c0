import { describe, expect, it } from "vitest";
import { random } from "../../base/random.ts";
import { drawMessage, drawReply } from "./messages.ts";
import { drawPost } from "./moments.ts";
import { familyNames, givenNames } from "./names.ts";
import { drawPeople, genderOf } from "./people.ts";
import { ipChoices } from "./places.ts";

describe("names and places", () => {
  it("has no name twice", () => {
    const given = [...givenNames.female, ...givenNames.male];
    expect(new Set(given).size).toBe(given.length);
    expect(given.length).toBeGreaterThanOrEqual(120);
    expect(new Set(familyNames).size).toBe(familyNames.length);
    expect(familyNames.length).toBeGreaterThanOrEqual(150);
    expect(new Set(ipChoices).size).toBe(ipChoices.length);
    expect(ipChoices.length).toBeGreaterThanOrEqual(40);
    for (const place of ipChoices) expect(place).toMatch(/^[A-Z][A-Za-z ]+, [A-Z][A-Za-z ]+$/);
  });
});

describe("drawPeople", () => {
  it("gives different names, none of them taken, many with a part in common", () => {
    const taken = drawPeople(random(1, "people"), 5, []).map(({ name }) => name);
    const people = drawPeople(random(1, "people"), 40, taken);
    const names = people.map(({ name }) => name);
    expect(new Set([...names, ...taken]).size).toBe(45);
    expect(new Set(names.map((name) => name.split(" ")[1])).size).toBeLessThan(20);
    for (const { name, gender } of people) expect(genderOf(name)).toBe(gender);
  });

  it("ends even if far too many are asked for", () => {
    expect(drawPeople(random(1, "people"), 5000, [])).toHaveLength(200);
  });
});

describe("texts", () => {
  it("leave no slot open and are thousands", () => {
    const source = random(1, "texts");
    for (const draw of [drawMessage, drawPost]) {
      const texts = new Set(Array.from({ length: 12_000 }, () => draw(source)));
      expect(texts.size).toBeGreaterThan(3000);
      for (const text of texts) expect(text).not.toMatch(/[{}]|undefined/);
    }
    expect(drawReply(source)).not.toBe("");
  });
});
