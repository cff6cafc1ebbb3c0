import { describe, expect, it } from "vitest";
import type { Json } from "../../base/json.ts";
import {
  containsAll,
  equalNumbers,
  equalScalars,
  hashScalar,
  type LeafRule,
  lookAlikeHint,
  PLAIN,
  TOLERANCE,
} from "./comparers.ts";

const numeric: LeafRule = { ...PLAIN, numeric: true };
const json: LeafRule = { ...PLAIN, comparer: "json" };
const csv: LeafRule = { ...PLAIN, comparer: "csv" };
const any: LeafRule = { ...PLAIN, comparer: "any" };
const contains: LeafRule = { ...PLAIN, comparer: { contains: ["Lisbon", "1250"] } };

describe("equalScalars", () => {
  it.each<[string, LeafRule, Json, Json]>([
    ["equal texts", PLAIN, "a", "a"],
    ["rounding", PLAIN, 0.1 + 0.2, 0.3],
    ["relative rounding", PLAIN, 1e12, 1e12 + 0.5],
    ["0 and -0", PLAIN, 0, -0],
    ["NFC and NFD", PLAIN, "caf\u00e9", "cafe\u0301"],
    ["the Ångström sign", PLAIN, "\u212b", "\u00c5"],
    ["digits after the point", numeric, "130.00", "130"],
    ["a text and a number", numeric, "130.00", 130],
    ["a plus sign", numeric, "+7", "7"],
    ["white space in JSON", json, '{"b":1,"a":[1,2]}', '{ "a": [1, 2.0], "b": 1 }'],
    ["numbers in CSV", csv, "name,price\r\nA,1.50\r\n", "name,price\nA,1.5"],
    ["quotes in CSV", csv, '"a",b', "a,b"],
    ["any text", any, "one", "two"],
    ["any scalar", any, null, 3],
    ["texts that hold the facts", contains, "Lisbon costs 1,250.00 EUR.", "1250 for lisbon"],
  ])("takes %s for equal, and so does the hash", (_, rule, a, b) => {
    expect(equalScalars(a, b, rule, TOLERANCE)).toBe(true);
    expect(hashScalar(a, rule)).toBe(hashScalar(b, rule));
  });

  it.each<[string, LeafRule, Json, Json]>([
    ["letter case", PLAIN, "a", "A"],
    ["a non-breaking space", PLAIN, "a b", "a\u00a0b"],
    ["curly quotes", PLAIN, "it's", "it\u2019s"],
    ["superscripts (no NFKC)", PLAIN, "x\u00b2", "x2"],
    ["line ends", PLAIN, "a\r\nb", "a\nb"],
    ["a small difference", PLAIN, 1, 1.00000001],
    ["a number and its text", PLAIN, 1, "1"],
    ["null and an empty text", PLAIN, null, ""],
    ["false and 0", PLAIN, false, 0],
    ["big whole numbers in texts", PLAIN, "1844674407370955297", "1844674407370955296"],
    ["big whole numbers as numeric texts", numeric, "1844674407370955297", "1844674407370955296"],
    ["texts that are no numbers", numeric, "12a", "12b"],
    ["other numbers", numeric, "130.01", "130"],
    ["order in JSON arrays", json, "[1,2]", "[2,1]"],
    ["text that is not JSON", json, "{a:1}", "{a: 1}"],
    ["JSON that nests too deeply", json, "[".repeat(9999), " ".padEnd(2, "[").repeat(5000)],
    ["a CSV cell", csv, "a,1", "a,2"],
    ["an extra CSV row", csv, "a,1", "a,1\nb,2"],
    ["a text without a fact", contains, "Lisbon 1250", "Lisbon"],
    ["a reference that lacks a fact", contains, "nothing", "Lisbon 1250"],
  ])("tells %s apart", (_, rule, a, b) => {
    expect(equalScalars(a, b, rule, TOLERANCE)).toBe(false);
    expect(equalScalars(b, a, rule, TOLERANCE)).toBe(false);
  });

  it("takes a text for equal to itself even where it lacks the facts", () => {
    expect(equalScalars("nothing", "nothing", contains, TOLERANCE)).toBe(true);
  });
});

describe("equalNumbers", () => {
  it("keeps to its tolerance, absolute and relative", () => {
    expect(equalNumbers(0, 5e-10, TOLERANCE)).toBe(true);
    expect(equalNumbers(0, 2e-9, TOLERANCE)).toBe(false);
    expect(equalNumbers(100, 100.4, 0.005)).toBe(true);
    expect(equalNumbers(100, 100.6, 0.005)).toBe(false);
    expect(equalNumbers(Number.POSITIVE_INFINITY, 5, TOLERANCE)).toBe(false);
  });
});

describe("containsAll", () => {
  it.each([
    ["The total is 1,250.00.", "1250"],
    ["MEET AT\u00a010:30 today", "meet at 10:30"],
    ["\u660e\u5929\u4f1a\u8bae\u5728\u5341\u70b9", "\u4f1a\u8bae"],
    ["at -4 degrees", "-4"],
  ])("finds in %j the fact %j", (text, fact) => expect(containsAll(text, fact)).toBe(true));

  it.each([
    ["The total is 12500.", "1250"],
    ["version 2.10.4", "2.1"],
    ["a carpet", "car"],
    ["", "x"],
  ])("does not find in %j the fact %j", (text, fact) => expect(containsAll(text, fact)).toBe(false));

  it("wants every fact", () => {
    expect(containsAll("red and blue", ["red", "blue"])).toBe(true);
    expect(containsAll("red and blue", ["red", "green"])).toBe(false);
  });
});

describe("lookAlikeHint", () => {
  it("names the reason, and keeps silent where texts look different", () => {
    expect(lookAlikeHint("a b", "a\u00a0b")).toBe("differs only by white space");
    expect(lookAlikeHint("it's", "it\u2019s")).toBe("differs only by Unicode form");
    expect(lookAlikeHint("a", "b")).toBeUndefined();
    expect(lookAlikeHint("1", 1)).toBeUndefined();
  });
});
