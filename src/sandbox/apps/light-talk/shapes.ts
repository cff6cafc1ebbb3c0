import { z } from "zod";
import { refuse } from "../../define.ts";
import {
  type Comment,
  type GroupMessage,
  type LightTalkState,
  type Message,
  type Moment,
  nameOf,
  oldestFirst,
} from "./state.ts";

/** Parameters that many tools share. */
export const parameters = {
  uid: z.string().describe('UID of the contact: "user_" and 22 characters, never a name'),
  uidOrMine: z.string().describe('UID of the contact, or your own: "user_" and 22 characters, never a name'),
  moid: z.string().describe('MOID of the moment: "mo_" and 22 characters'),
  gid: z.string().describe('GID of the group: "group_" and 22 characters'),
  text: z.string().min(1).describe("the text, not empty"),
  imgUrl: z.string().describe("public web address of the picture, with http or https"),
  at: z.array(z.string()).optional().describe("UIDs of members to mention; may be left out or empty"),
};

/** A line of a contact list. */
export const contactRow = z.strictObject({ uid: z.string(), name: z.string() });
export type ContactRow = z.output<typeof contactRow>;

const message = {
  mid: z.string(),
  from: z.string().describe("UID of the sender"),
  kind: z.enum(["text", "image"]),
  content: z.string().describe("the text, or the address of the picture"),
  timestamp: z.string(),
};
export const messageRow = z.strictObject(message);
export type MessageRow = z.output<typeof messageRow>;

export const groupMessageRow = z.strictObject({ ...message, at: z.array(z.string()).describe("UIDs mentioned") });
export type GroupMessageRow = z.output<typeof groupMessageRow>;

export const commentRow = z.strictObject({
  cid: z.string(),
  send_uid: z.string().describe("UID of the writer"),
  receive_moid: z.string().describe("the moment it belongs to"),
  content: z.string(),
  timestamp: z.string(),
  get comments(): z.ZodArray<typeof commentRow> {
    return z.array(commentRow).describe("replies, oldest first");
  },
});
export type CommentRow = z.output<typeof commentRow>;

export const momentRow = z.strictObject({
  moid: z.string(),
  owner_uid: z.string(),
  content: z.string(),
  timestamp: z.string(),
  ip: z.string().describe("where it was posted from: City, Country"),
  img_urls: z.array(z.string()),
  who_likes: z.array(z.string()).describe("UIDs of those who like it"),
  comments: z.array(commentRow).describe("oldest first"),
});
export type MomentRow = z.output<typeof momentRow>;

/** Contacts as lines of a list. */
export function contactRows(state: LightTalkState, uids: readonly string[]): ContactRow[] {
  return uids.map((uid) => ({ uid, name: nameOf(state, uid) }));
}

/** The messages of a chat, oldest first. */
export function messageRows(messages: Record<string, Message>): MessageRow[] {
  return oldestFirst(messages).map(([mid, record]) => ({ mid, ...record }));
}

/** The messages of a group, oldest first. */
export function groupMessageRows(messages: Record<string, GroupMessage>): GroupMessageRow[] {
  return oldestFirst(messages).map(([mid, record]) => ({ mid, ...record }));
}

/** A post as the tools show it. */
export function momentRowOf(moid: string, moment: Moment): MomentRow {
  return {
    moid,
    owner_uid: moment.owner,
    content: moment.content,
    timestamp: moment.timestamp,
    ip: moment.ip,
    img_urls: moment.img_urls,
    who_likes: moment.likes,
    comments: commentRows(moid, moment.comments),
  };
}

function commentRows(moid: string, comments: Record<string, Comment>): CommentRow[] {
  return oldestFirst(comments).map(([cid, comment]) => ({
    cid,
    send_uid: comment.from,
    receive_moid: moid,
    content: comment.content,
    timestamp: comment.timestamp,
    comments: commentRows(moid, comment.replies),
  }));
}

/** Refuses what is no web address. It is not looked up: nothing of the sandbox touches a network. */
export function mustBePicture(address: string): void {
  const protocol = URL.canParse(address) ? new URL(address).protocol : "";
  if (protocol !== "http:" && protocol !== "https:") {
    refuse(`\`${address}\` is not a public image URL, it must start with http:// or https://`);
  }
}
