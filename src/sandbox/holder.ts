import { drawId, random } from "../base/random.ts";
import { familyNames, givenNames } from "./knowledge/names.ts";

/** The person who owns the account in every app of a seed's world. */
export function accountHolder(seed: number, salt = ""): { readonly name: string; readonly uid: string } {
  const source = random(seed, "holder", salt);
  const given = source.pick(source.chance(0.5) ? givenNames.female : givenNames.male);
  return { name: `${given} ${source.pick(familyNames)}`, uid: drawId(source, "user") };
}
