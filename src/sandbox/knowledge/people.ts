import type { Random } from "../../base/random.ts";
import { familyNames, givenNames } from "./names.ts";

/** Someone who may be met in any app. */
export interface KnownPerson {
  readonly name: string;
  readonly gender: "female" | "male";
}

/** Size of the circle that the names of one world's people come from: 12 + 12 given names by 14 family names. */
const GIVEN_PER_GENDER = 12;
const FAMILIES = 14;

/**
 * Draws people with different full names out of some 30 000. They come from a small circle of given and family names, so
 * that many share one of the two, as in a real contact list: a part of a name seldom tells who is meant.
 * @param count at most 200
 * @param taken full names that must not come up
 */
export function drawPeople(source: Random, count: number, taken: readonly string[]): KnownPerson[] {
  const given = {
    female: source.sample(givenNames.female, GIVEN_PER_GENDER),
    male: source.sample(givenNames.male, GIVEN_PER_GENDER),
  };
  const families = source.sample(familyNames, FAMILIES);
  const names = new Set(taken);
  const people: KnownPerson[] = [];
  while (people.length < Math.min(count, 200)) {
    const gender = source.chance(0.5) ? "female" : "male";
    const name = `${source.pick(given[gender])} ${source.pick(families)}`;
    if (names.has(name)) continue;
    names.add(name);
    people.push({ name, gender });
  }
  return people;
}

/** The gender that goes with a full name made of our given names. */
export function genderOf(name: string): KnownPerson["gender"] {
  const given = name.slice(0, name.indexOf(" "));
  return givenNames.female.some((known) => known === given) ? "female" : "male";
}

/** Tags that every contact list has, with the remarks that people with the tag get. */
export const coreTags = {
  family: ["Aunt's side", "Big cousin", "Brother-in-law", "Godparent", "Little cousin", "Holiday house keys"],
  work: ["Accounting", "Front desk", "Old boss", "On-call partner", "Team lead", "Third floor"],
  school: ["Chemistry class", "Dorm neighbor", "Exchange year", "Lab partner", "Thesis group", "Yearbook editor"],
  gym: ["Climbing partner", "Coach", "Early shift", "Rowing crew", "Spin class", "Swim lane 4"],
} as const;

/** Tags that some contact lists have. */
export const otherTags = ["book club", "choir", "hiking", "neighbors", "parents", "travel", "volunteers"] as const;

/** Remarks for anybody. */
export const anyRemarks = [
  "Bike repair",
  "Borrowed my tent",
  "Cat sitter",
  "Flea market",
  "From the train",
  "Has the spare key",
  "Landlord",
  "Next door",
  "Owes me lunch",
  "Piano lessons",
  "Wine tasting",
  "Wrong number once",
] as const;

/** Names of group chats. */
export const groupNames = [
  "Board game night",
  "Book club",
  "Carpool north",
  "Choir rehearsal",
  "Friday dinner",
  "Garden plot 12",
  "Marathon training",
  "Moving day",
  "Office lunch",
  "Parents of 4B",
  "Photo walk",
  "Pottery course",
  "Sailing crew",
  "School reunion",
  "Stairwell C",
  "Street festival",
  "Sunday football",
  "Surprise party",
  "Thesis writers",
  "Winter cabin",
] as const;
