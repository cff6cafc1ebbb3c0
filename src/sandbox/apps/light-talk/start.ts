import { drawId, type Random } from "../../../base/random.ts";
import { formatTime } from "../../clock.ts";
import type { StartContext } from "../../define.ts";
import { drawMessage, drawPicture, drawReply } from "../../knowledge/messages.ts";
import { anyRemarks, coreTags, drawPeople, genderOf, groupNames, otherTags } from "../../knowledge/people.ts";
import { ipChoices } from "../../knowledge/places.ts";
import { type Circle, drawMoments } from "./start-moments.ts";
import type { Chat, Contact, Group, LightTalkState, Message, Person } from "./state.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * Start state of a seed. It is messy on purpose, and what queries rely on holds for every seed:
 * 26 to 40 contacts with different names; 3 to 5 are blocked and 3 to 6 restricted, 1 or 2 of them both; each core tag
 * is on 3 contacts or more; 5 to 9 chats are unread and 6 to 10 read with messages; 12 contacts and each restricted one
 * have 2 moments or more, some of which the holder likes or has commented; 3 to 5 groups, the first owned by the holder
 * with 5 members or more, the second by a contact. The privilege is not granted and the network not accelerated.
 */
export function startOf(context: StartContext): LightTalkState {
  const { holder } = context;
  const source = context.random("people");
  const count = source.int(26, 40);
  const drawn = drawPeople(source, count + source.int(4, 7), [holder.name]);
  const known: [uid: string, person: Person][] = drawn.map(({ name, gender }) => [
    drawId(source, "user"),
    { name, gender, online: source.chance(0.4) },
  ]);
  const uids = known.slice(0, count).map(([uid]) => uid);
  const strangers = known.slice(count).map(([uid]) => uid);
  const contacts = drawContacts(context.random("contacts"), uids);
  const ip = source.pick(ipChoices);
  const people: Record<string, Person> = {
    [holder.uid]: { name: holder.name, gender: genderOf(holder.name), online: true },
    ...Object.fromEntries(known),
  };
  const circle: Circle = { me: holder.uid, ip, uids, contacts, startMs: context.startMs };
  return {
    me: { uid: holder.uid, ip },
    network: { accelerated: false },
    privilege: { granted: false },
    people,
    contacts,
    chats: drawChats(context.random, circle),
    moments: drawMoments(context.random, circle),
    groups: drawGroups(context.random, circle, strangers),
  };
}

function drawContacts(source: Random, uids: readonly string[]): Record<string, Contact> {
  const contacts: Record<string, Contact> = {};
  for (const uid of uids) contacts[uid] = { remark: "", tags: [], blocked: false, restricted: false };

  const order = source.sample(uids, uids.length);
  const blocked = source.int(3, 5);
  const both = source.int(1, 2);
  const restricted = source.int(3, 6);
  change(contacts, order.slice(0, blocked), (contact) => {
    contact.blocked = true;
  });
  change(contacts, order.slice(blocked - both, blocked - both + restricted), (contact) => {
    contact.restricted = true;
  });

  for (const [tag, remarks] of Object.entries(coreTags)) {
    const unused = source.sample(remarks, remarks.length);
    change(contacts, source.sample(uids, source.int(3, 7)), (contact) => {
      contact.tags.push(tag);
      if (contact.remark === "" && source.chance(0.4)) contact.remark = unused.pop() ?? "";
    });
  }
  for (const tag of source.sample(otherTags, 3)) {
    change(contacts, source.sample(uids, source.int(1, 4)), (contact) => contact.tags.push(tag));
  }
  const unused = source.sample(anyRemarks, 5);
  change(contacts, source.sample(uids, 8), (contact) => {
    if (contact.remark === "") contact.remark = unused.pop() ?? "";
  });
  return contacts;
}

function change(contacts: Record<string, Contact>, uids: readonly string[], edit: (contact: Contact) => void): void {
  for (const uid of uids) {
    const contact = contacts[uid];
    if (contact !== undefined) edit(contact);
  }
}

function drawChats(random: StartContext["random"], { me, uids, startMs }: Circle): Record<string, Chat> {
  const source = random("chats");
  const order = source.sample(uids, uids.length);
  const unread = source.int(5, 9);
  const read = source.int(6, 10);
  const chats: Record<string, Chat> = { [me]: { unread: false, messages: {} } };
  order.forEach((uid, place) => {
    // The rest was never written to, or its history was deleted.
    const size = place < unread + read ? source.int(2, 7) : 0;
    const isUnread = place < unread;
    chats[uid] = {
      unread: isUnread,
      messages: drawConversation(random(`chats/${uid}`), me, uid, size, isUnread, startMs),
    };
  });
  return chats;
}

/** Messages of two people in turns of any length; the last one of an unread chat comes from the contact. */
function drawConversation(
  source: Random,
  me: string,
  contact: string,
  size: number,
  unread: boolean,
  startMs: number,
): Record<string, Message> {
  const messages: Record<string, Message> = {};
  const times = drawTimes(source, size, startMs - source.int(1, 20 * 24 * 60) * MINUTE);
  let from = source.chance(0.5) ? me : contact;
  times.forEach((timestamp, place) => {
    if (source.chance(0.7)) from = from === me ? contact : me;
    if (unread && place === size - 1) from = contact;
    messages[drawId(source, "msg")] = { from, ...drawContent(source, place > 0), timestamp };
  });
  return messages;
}

function drawGroups(
  random: StartContext["random"],
  { me, uids, startMs }: Circle,
  strangers: readonly string[],
): Record<string, Group> {
  const source = random("groups");
  const names = source.sample(groupNames, source.int(3, 5));
  const firstUnread = source.int(0, 1);
  const groups: Record<string, Group> = {};
  names.forEach((name, place) => {
    const others = [...source.sample(uids, source.int(4, 7)), ...source.sample(strangers, source.int(0, 2))];
    const mine = place === 0 || (place > 1 && source.chance(0.3));
    const members = [me, ...others];
    const own = random(`groups/${place}`);
    groups[drawId(own, "group")] = {
      name,
      owner: mine ? me : (others[0] ?? me),
      members,
      unread: place % 2 === firstUnread,
      messages: drawGroupMessages(own, members, startMs),
    };
  });
  return groups;
}

function drawGroupMessages(source: Random, members: readonly string[], startMs: number): Group["messages"] {
  const messages: Group["messages"] = {};
  const times = drawTimes(source, source.int(3, 8), startMs - source.int(1, 6 * 24 * 60) * MINUTE);
  for (const timestamp of times) {
    const from = source.pick(members);
    const at = source.chance(0.25) ? source.sample(members, 1).filter((uid) => uid !== from) : [];
    messages[drawId(source, "msg")] = { from, ...drawContent(source, true), at, timestamp };
  }
  return messages;
}

function drawContent(source: Random, mayAnswer: boolean): Pick<Message, "kind" | "content"> {
  if (source.chance(0.1)) return { kind: "image", content: drawPicture(source) };
  return { kind: "text", content: mayAnswer ? drawReply(source) : drawMessage(source) };
}

/** `count` times that rise to `lastMs`, up to a day apart from each other. */
function drawTimes(source: Random, count: number, lastMs: number): string[] {
  const times: string[] = [];
  let ms = lastMs;
  for (let i = 0; i < count; i++) {
    times.push(formatTime(ms));
    ms -= source.chance(0.7) ? source.int(15, 900) * 1000 : source.int(1000, DAY / 1000) * 1000;
  }
  return times.reverse();
}
