import { refuse } from "../../define.ts";

/** One message of a chat. */
export interface Message {
  /** UID of the sender. */
  from: string;
  kind: "text" | "image";
  /** The text, or the address of the picture. */
  content: string;
  timestamp: string;
}

/** One message of a group. */
export interface GroupMessage extends Message {
  /** UIDs of the members it mentions. */
  at: string[];
}

/** The conversation with one person, or with oneself. */
export interface Chat {
  unread: boolean;
  messages: Record<string, Message>;
}

/** A comment on a post, or a reply to a comment. */
export interface Comment {
  from: string;
  content: string;
  timestamp: string;
  replies: Record<string, Comment>;
}

/** A post. */
export interface Moment {
  owner: string;
  content: string;
  timestamp: string;
  ip: string;
  img_urls: string[];
  /** UIDs of those who like it. */
  likes: string[];
  comments: Record<string, Comment>;
}

/** A group chat. */
export interface Group {
  name: string;
  owner: string;
  members: string[];
  unread: boolean;
  messages: Record<string, GroupMessage>;
}

/** What is known of a person, contact or not. */
export interface Person {
  name: string;
  gender: "female" | "male";
  online: boolean;
}

/** What the account holder has noted about a contact. */
export interface Contact {
  /** The private alias, or the empty text. */
  remark: string;
  tags: string[];
  blocked: boolean;
  /** True if messages, likes and comments reach this person only with the privilege. */
  restricted: boolean;
}

/**
 * All that LightTalk keeps, in maps by id; a record does not repeat its id. `people` holds everybody whom the account has
 * to do with: the holder, the contacts and other members of groups. There is a chat for each contact and for the holder.
 */
export interface LightTalkState {
  me: { uid: string; ip: string };
  network: { accelerated: boolean };
  privilege: { granted: boolean };
  people: Record<string, Person>;
  contacts: Record<string, Contact>;
  chats: Record<string, Chat>;
  moments: Record<string, Moment>;
  groups: Record<string, Group>;
}

/** What never counts in a comparison, as JSON Pointer patterns below the app's state. */
export const volatile = [
  "/network/accelerated",
  "/chats/*/messages/*/timestamp",
  "/groups/*/messages/*/timestamp",
  // Moments, their comments, and the replies at any depth.
  "/moments/**/timestamp",
] as const;

/** The record of that id. Ids come from outside, so names that every object has must not be found. */
export function lookUp<T>(records: Record<string, T>, id: string): T | undefined {
  return Object.hasOwn(records, id) ? records[id] : undefined;
}

/** Full name of anybody the account has to do with; the uid of anybody else. */
export function nameOf(state: LightTalkState, uid: string): string {
  return lookUp(state.people, uid)?.name ?? uid;
}

/** A person as confirmations and refusals name them. */
export function inWords(state: LightTalkState, uid: string): string {
  return `contact \`${nameOf(state, uid)}\` (UID=${uid})`;
}

/** The contact of that uid. Refuses the holder's own uid and unknown ones. */
export function contactOf(state: LightTalkState, uid: string): Contact {
  if (uid === state.me.uid) return refuse(`UID (${uid}) is your own, you are not one of your contacts`);
  return lookUp(state.contacts, uid) ?? refuse(`Contact with UID (${uid}) not found`);
}

/** Refuses a uid that is neither a contact's nor the holder's. */
export function mustBeKnown(state: LightTalkState, uid: string): void {
  if (uid !== state.me.uid) contactOf(state, uid);
}

/** The conversation with a contact, or the holder's with themselves. */
export function chatOf(state: LightTalkState, uid: string): Chat {
  mustBeKnown(state, uid);
  return lookUp(state.chats, uid) ?? refuse(`There is no chat with ${inWords(state, uid)}`);
}

/** Decision: a contact whom the holder blocks gets neither messages nor invitations from the holder. */
export function mustNotBeBlocked(state: LightTalkState, uid: string): void {
  if (uid !== state.me.uid && contactOf(state, uid).blocked) {
    refuse(`You have blocked ${inWords(state, uid)}, unblock the contact first`);
  }
}

/** Decision: what is sent to a restricted contact (messages, likes, comments) needs the privilege, once per account. */
export function mustBePrivileged(state: LightTalkState, uid: string): void {
  if (uid !== state.me.uid && contactOf(state, uid).restricted && !state.privilege.granted) {
    refuse(`You need a privilege to reach ${inWords(state, uid)}, ask for the privilege first`);
  }
}

/** A post of a contact or of the holder. */
export function momentOf(state: LightTalkState, uid: string, moid: string): Moment {
  mustBeKnown(state, uid);
  const moment = lookUp(state.moments, moid);
  if (moment?.owner !== uid) return refuse(`Moment with MOID (${moid}) of ${inWords(state, uid)} not found`);
  return moment;
}

/** The comment of that id at any depth, or undefined. */
export function findComment(comments: Record<string, Comment>, cid: string): Comment | undefined {
  const direct = lookUp(comments, cid);
  if (direct !== undefined) return direct;
  for (const comment of Object.values(comments)) {
    const found = findComment(comment.replies, cid);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A group as confirmations and refusals name it. */
export function groupInWords(group: Group, gid: string): string {
  return `group \`${group.name}\` (GID=${gid})`;
}

/** A group that the holder is a member of. */
export function groupOf(state: LightTalkState, gid: string): Group {
  const group = lookUp(state.groups, gid) ?? refuse(`Group with GID (${gid}) not found`);
  if (!group.members.includes(state.me.uid)) refuse(`You are not a member of the ${groupInWords(group, gid)}`);
  return group;
}

/** Records with their ids, oldest first; records of one second stay in the order in which they were made. */
export function oldestFirst<T extends { timestamp: string }>(records: Record<string, T>): [id: string, record: T][] {
  return Object.entries(records).sort(([, a], [, b]) =>
    a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0,
  );
}

/** The posts of one person, oldest first. */
export function momentsOf(state: LightTalkState, uid: string): [moid: string, moment: Moment][] {
  return oldestFirst(state.moments).filter(([, moment]) => moment.owner === uid);
}

/** Uids of the contacts, in the order of their names. Names are different, so the order is one. */
export function contactsByName(state: LightTalkState): string[] {
  return Object.keys(state.contacts).sort((a, b) => (nameOf(state, a) < nameOf(state, b) ? -1 : 1));
}
