import { describe, expect, it } from "vitest";
import type { Fact } from "../suite/fact.ts";
import { gradeFacts } from "./facts.ts";

const fact = (value: Fact["value"], change: Partial<Fact> = {}): Fact => ({
  name: "total",
  value,
  compare: typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "text",
  within: 0,
  foils: [],
  ...change,
});
const isRight = (answer: string | null, wanted: Fact) => gradeFacts(answer, [wanted])[0]?.right;

describe("numbers", () => {
  it.each([
    ["The total is 120.", 120],
    ["It comes to $12,345.60 in all", 12345.6],
    ["Es sind 12.345,60 €", 12345.6],
    ["about 1.2e3 of them", 1200],
    ["Total: **42**", 42],
    ["That is 25 % of them", 0.25],
    ["That is 25 % of them", 25],
    ["I messaged seven people", 7],
    ["I messaged twenty-one people", 21],
    ["It is -3.5 °C outside", -3.5],
    ["It weighs 10kg", 10],
    ["You get 3 thousand points", 3000],
    ["No new ones had to be added, none at all", 0],
    ["Just one.", 1],
    ["| item | cost |\n| pear | 4.50 |\n| total | 19.99 |", 19.99],
    ["1. First, I looked.\n2. The total is 77.", 77],
  ])("finds a number in %j", (answer, value) => expect(isRight(answer, fact(value))).toBe(true));

  it.each([
    ["The total is 1200.", 120],
    ["The total is 12.0.1.", 12],
    ["The order is item_120abcdefghijklmnopqrst", 120],
    ["It was ordered on 2026-07-12", 7],
    ["It was ordered on 12 July 2026 at 09:30", 30],
    ["The total is not 120.", 120],
    ["The total isn't 120 at all", 120],
    ["Instead of 120, it is 130", 120],
    ["It was 120 before, now it is 130", 120],
    ["The total is -120.", 120],
    ["1. I looked", 1],
    ["See https://shop.example/120", 120],
    ["120.5 in all", 120],
    ["", 120],
  ])("does not find one in %j", (answer, value) => expect(isRight(answer, fact(value))).toBe(false));

  it("takes a difference within the tolerance, and no other", () => {
    expect(isRight("about 99.96", fact(100, { within: 0.05 }))).toBe(true);
    expect(isRight("about 99.9", fact(100, { within: 0.05 }))).toBe(false);
    expect(isRight("99.96", fact(100))).toBe(false);
  });

  it("is not right beside a foil, unless the foil is rejected", () => {
    const wanted = fact(30, { foils: [40] });
    expect(isRight("It is 30.", wanted)).toBe(true);
    expect(isRight("It is 30 or 40.", wanted)).toBe(false);
    expect(isRight("It is 30, not 40.", wanted)).toBe(true);
    expect(gradeFacts("It is 40.", [wanted])[0]).toMatchObject({ right: false, found: null, foil: "40" });
  });

  it("is right in a long honest answer", () => {
    const answer = [
      "I went through all five shops. The first one wants 12.50 for a piece and has 40 left, the second 11.20 with 8 left.",
      "The third asks for 10.90 and the fourth for 13.75. For 10 pieces the cheapest comes to 109.00.",
      "After the order the balance is 891.00, it was 1,000.00 earlier.",
    ].join("\n\n");
    expect(isRight(answer, fact(109, { foils: [1000] }))).toBe(true);
  });
});

describe("a dump of tool output", () => {
  const rows = Array.from({ length: 30 }, (_, i) => ({ id: i, price: i * 3 + 0.5 }));

  it.each([
    ["JSON in lines", rows.map((row) => JSON.stringify(row)).join("\n")],
    ["a JSON block", `Here it is:\n${JSON.stringify({ rows }, null, 2)}\nDone.`],
    ["a fenced block", `\`\`\`json\n${JSON.stringify(rows)}\n\`\`\``],
    ["a tool's envelope", '{"status":"ok","output":45.5}'],
    ["envelopes after a line in brackets", '[FILE] a.csv\n{"status":"ok","output":45.5}'],
    ["bare numbers", rows.map(({ price }) => price).join(" ")],
  ])("states nothing: %s", (_, answer) => expect(isRight(answer, fact(45.5))).toBe(false));

  it("leaves a line that names the fact", () => {
    const listing = rows.map(({ price }) => `a piece for ${price}`).join("\n");
    expect(isRight(`${listing}\nThe total is 45.5`, fact(45.5))).toBe(true);
    expect(isRight(`${listing}\nThe sum is 45.5`, fact(45.5))).toBe(false);
  });

  it("is told from an answer that is one JSON value", () => {
    expect(isRight('{"total": 45.5, "currency": "EUR"}', fact(45.5))).toBe(true);
    expect(isRight('```json\n{"total": 45.5}\n```', fact(45.5))).toBe(true);
  });
});

describe("texts", () => {
  it.each([
    ["You travel on a monday.", "Monday"],
    ["It is “Lisbon,  Portugal” now", "Lisbon, Portugal"],
    ["The cafe\u0301 is open", "café"],
    ["It's at O’Brien's", "O'Brien's"],
  ])("finds %2$j in %1$j", (answer, value) => expect(isRight(answer, fact(value))).toBe(true));

  it.each([
    ["You travel on Mondays.", "Monday"],
    ["Not on Monday.", "Monday"],
    ["Annabel Lee", "Anna"],
  ])("does not find one in %j", (answer, value) => expect(isRight(answer, fact(value))).toBe(false));

  it("does not take a part of the value for a foil", () => {
    expect(isRight("The owner is Ann Lee.", fact("Ann Lee", { foils: ["Ann"] }))).toBe(true);
    expect(isRight("The owner is Ann Lee, or Ann.", fact("Ann Lee", { foils: ["Ann"] }))).toBe(false);
  });
});

describe("dates", () => {
  const day = fact("2026-07-04", { compare: "date" });
  it.each([
    "on 2026-07-04",
    "on 4 July 2026",
    "on July 4th, 2026",
    "on the 4th of July 2026",
    "am 04.07.2026",
    "July 4",
  ])("finds %j", (answer) => expect(isRight(answer, day)).toBe(true));
  it.each(["on 2026-07-05", "on 7/4/2026", "on July 4, 2025", "in July 2026"])("does not find it in %j", (answer) =>
    expect(isRight(answer, day)).toBe(false),
  );
  it("wants the time where the value has one", () => {
    const moment = fact("2026-07-04 21:05:00", { compare: "date" });
    expect(isRight("on 4 July 2026 at 9:05 pm", moment)).toBe(true);
    expect(isRight("on 4 July 2026", moment)).toBe(false);
    expect(isRight("on 4 July 2026 at 9:05", moment)).toBe(false);
  });
});

describe("booleans", () => {
  const open = (value: boolean) => fact(value, { name: "shop_open" });
  it.each([
    ["The shop is open.", true],
    ["shop open: yes", true],
    ["The shop is not open.", false],
    ["shop open: no", false],
    ["No, come back tomorrow.", false],
    ["Yes.", true],
  ])("reads %j", (answer, value) => {
    expect(isRight(answer, open(value))).toBe(true);
    expect(isRight(answer, open(!value))).toBe(false);
  });
  it("is not right if the answer says both, or nothing", () => {
    expect(isRight("The shop is open. The shop is not open.", open(true))).toBe(false);
    expect(isRight("I could not find out.", open(true))).toBe(false);
  });
});

describe("sets and lists", () => {
  const names = ["Ann Lee", "Bo Kim", "Cy Dee"];
  it("want every element, a list in its order", () => {
    expect(isRight("Bo Kim, Cy Dee and Ann Lee", fact(names, { compare: "set" }))).toBe(true);
    expect(isRight("Bo Kim, Cy Dee and Ann Lee", fact(names, { compare: "list" }))).toBe(false);
    expect(isRight("Ann Lee, Bo Kim, Cy Dee", fact(names, { compare: "list" }))).toBe(true);
    expect(isRight("Ann Lee and Bo Kim", fact(names, { compare: "set" }))).toBe(false);
  });
  it("are not right with an element too many that is a foil", () => {
    const wanted = fact(names, { compare: "set", foils: [["Di Fox", "Ann Lee"]] });
    expect(isRight("Ann Lee, Bo Kim, Cy Dee", wanted)).toBe(true);
    expect(isRight("Ann Lee, Bo Kim, Cy Dee, Di Fox", wanted)).toBe(false);
  });
  it("if empty, want a word that says so", () => {
    expect(isRight("There are none.", fact([], { compare: "set" }))).toBe(true);
    expect(isRight("I looked.", fact([], { compare: "set" }))).toBe(false);
  });
});

it("finds nothing where there is no answer", () => {
  expect(isRight(null, fact("x"))).toBe(false);
  expect(isRight(null, fact(0))).toBe(false);
});
