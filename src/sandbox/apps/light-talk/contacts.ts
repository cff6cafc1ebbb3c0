import Fuse from "fuse.js";
import { z } from "zod";
import { refuse, toolsOf } from "../../define.ts";
import { contactRow, contactRows, parameters } from "./shapes.ts";
import { contactOf, contactsByName, inWords, type LightTalkState, mustBeKnown, nameOf } from "./state.ts";

const tool = toolsOf<LightTalkState>();

const PAGE_SIZE = 10;

const contactInfo = z.union([
  z.strictObject({
    uid: z.string(),
    name: z.string(),
    gender: z.enum(["female", "male"]),
    online: z.boolean(),
    remark: z.string().describe("your private alias for the contact, empty if there is none"),
    tags: z.array(z.string()),
    blocked: z.boolean().describe("true if you have blocked the contact"),
    restricted: z.boolean().describe("true if messages, likes and comments to the contact need the privilege"),
  }),
  z.strictObject({ name: z.string() }).describe("your own entry"),
]);

/** Tools that find and show contacts. */
const readingTools = [
  tool({
    name: "get_all_contacts",
    text: "All your contacts with UID and name, in the order of their names.",
    output: z.array(contactRow),
    run: ({ state }) => contactRows(state, contactsByName(state)),
  }),
  tool({
    name: "get_contacts",
    text: "One page of your contacts in the order of their names, ten or fewer. Pages count from 1; after the last comes an empty list.",
    // Decision: pages count from 1.
    input: { page: z.int().min(1).describe("number of the page, from 1") },
    output: z.array(contactRow),
    run: ({ state }, { page }) =>
      contactRows(state, contactsByName(state).slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)),
  }),
  tool({
    name: "get_uid_from_name",
    text: "UID of the contact with exactly this full name. For a part of a name use fuzzy_search_uids_from_name.",
    input: { name: z.string().describe("full display name of the contact") },
    output: z.string(),
    run: ({ state }, { name }) =>
      Object.keys(state.contacts).find((uid) => nameOf(state, uid) === name) ?? refuse(`Contact ${name} not found`),
  }),
  tool({
    name: "fuzzy_search_uids_from_name",
    text: 'Contacts whose name is like the given text or has it as a part, the best first, each as "Display Name (UID)". Empty if there is none.',
    input: { name: z.string().describe("a name, or a part of one") },
    output: z.array(z.string()),
    run: ({ state }, { name }) => searchByName(state, name).map((uid) => `${nameOf(state, uid)} (${uid})`),
  }),
  tool({
    name: "get_contact_info",
    text: "What is stored about a contact: name, gender, whether online, remark, tags, whether blocked or restricted.",
    input: { uid: parameters.uidOrMine },
    output: contactInfo,
    run: ({ state }, { uid }) => {
      mustBeKnown(state, uid);
      const person = state.people[uid];
      if (uid === state.me.uid || person === undefined) return { name: `${nameOf(state, uid)} (Me)` };
      return { uid, ...person, ...contactOf(state, uid) };
    },
  }),
  tool({
    name: "get_contacts_by_tag",
    text: "The contacts that carry a tag, in the order of their names.",
    input: { tag: z.string().describe("the tag; upper and lower case are the same") },
    output: z.array(contactRow),
    run: ({ state }, { tag }) => {
      const wanted = tag.trim().toLowerCase();
      const found = contactsByName(state).filter((uid) => contactOf(state, uid).tags.includes(wanted));
      if (found.length > 0) return contactRows(state, found);
      const used = new Set(Object.values(state.contacts).flatMap(({ tags }) => tags));
      return refuse(`No contact has the tag \`${tag}\`, tags in use are: ${[...used].sort().join(", ")}`);
    },
  }),
  tool({
    name: "get_contacts_by_gender",
    text: "The contacts of one gender, in the order of their names.",
    input: { gender: z.enum(["male", "female"]).describe("male or female") },
    output: z.array(contactRow),
    run: ({ state }, { gender }) =>
      contactRows(
        state,
        contactsByName(state).filter((uid) => state.people[uid]?.gender === gender),
      ),
  }),
  tool({
    name: "get_shared_url_of_contact",
    text: "A link to a profile that can be sent to others.",
    input: { uid: parameters.uidOrMine },
    output: z.string(),
    run: ({ state }, { uid }) => {
      mustBeKnown(state, uid);
      return `light://contact?uid=${uid}`;
    },
  }),
];

/** Tools that change what the holder has noted about a contact. */
const writingTools = [
  tool({
    name: "edit_remark",
    text: "Sets your private alias for a contact, in place of an earlier one.",
    input: { uid: parameters.uid, remark: z.string().min(1).describe("the alias, not empty") },
    output: z.string(),
    effect: "write",
    idempotent: true,
    run: ({ state }, { uid, remark }) => {
      contactOf(state, uid).remark = remark;
      return `You have successfully set the remark of ${inWords(state, uid)} to \`${remark}\``;
    },
  }),
  tool({
    name: "delete_remark",
    text: "Removes your private alias for a contact.",
    input: { uid: parameters.uid },
    output: z.string(),
    effect: "destroy",
    run: ({ state }, { uid }) => {
      const contact = contactOf(state, uid);
      if (contact.remark === "") refuse(`There is no remark of ${inWords(state, uid)}`);
      contact.remark = "";
      return `You have successfully deleted the remark of ${inWords(state, uid)}`;
    },
  }),
  tool({
    name: "block",
    text: "Blocks a contact: no messages either way, and the contact cannot see your moments.",
    input: { uid: parameters.uid },
    output: z.string(),
    effect: "write",
    run: ({ state }, { uid }) => {
      const contact = contactOf(state, uid);
      if (contact.blocked) refuse(`You have already blocked ${inWords(state, uid)}`);
      contact.blocked = true;
      return `You have successfully blocked ${inWords(state, uid)}`;
    },
  }),
  tool({
    name: "unblock",
    text: "Lifts the block of a contact.",
    input: { uid: parameters.uid },
    output: z.string(),
    effect: "write",
    run: ({ state }, { uid }) => {
      const contact = contactOf(state, uid);
      if (!contact.blocked) refuse(`You have not blocked ${inWords(state, uid)}`);
      contact.blocked = false;
      return `You have successfully unblocked ${inWords(state, uid)}`;
    },
  }),
  tool({
    name: "delete_contact",
    text: "Removes a person from your contacts for good, together with your chat. Groups that you share stay as they are.",
    input: { uid: parameters.uid },
    output: z.string(),
    effect: "destroy",
    // Decision: the chat goes too, since no tool could reach it any more. Posts belong to their writer and stay.
    run: ({ state }, { uid }) => {
      contactOf(state, uid);
      delete state.contacts[uid];
      delete state.chats[uid];
      return `You have successfully deleted ${inWords(state, uid)}`;
    },
  }),
];

/** All tools about contacts. */
export const contactTools = [...readingTools, ...writingTools];

/** Uids of the contacts with a similar name, the best match first; equal matches in the order of their names. */
function searchByName(state: LightTalkState, text: string): string[] {
  const rows = contactRows(state, contactsByName(state));
  const index = new Fuse(rows, { keys: ["name"], ignoreLocation: true, ignoreFieldNorm: true, threshold: 0.3 });
  return index.search(text.trim()).map(({ item }) => item.uid);
}
