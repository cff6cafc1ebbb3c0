import { describe, expect, it } from "vitest";
import { createWorld } from "../../world.ts";
import { lightTalk } from "./light-talk.ts";
import { type Comment, findComment, type LightTalkState, momentsOf } from "./state.ts";

function start(seed: number): { state: LightTalkState; now: string } {
  const world = createWorld({ seed, apps: [lightTalk] });
  return { state: world.state("LightTalk") as unknown as LightTalkState, now: world.now() };
}

const SEEDS = Array.from({ length: 50 }, (_, index) => index + 1);

describe("start state", () => {
  it.each(SEEDS)("has what queries rely on, seed %i", (seed) => {
    const { state } = start(seed);
    const me = state.me.uid;
    const contacts = Object.entries(state.contacts);
    expect(contacts.length).toBeGreaterThanOrEqual(26);
    expect(contacts.length).toBeLessThanOrEqual(40);
    const names = Object.values(state.people).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);

    const count = (test: (uid: string) => boolean) => contacts.filter(([uid]) => test(uid)).length;
    const contact = (uid: string) => state.contacts[uid];
    expect(count((uid) => contact(uid)?.blocked === true)).toBeGreaterThanOrEqual(3);
    const restricted = count((uid) => contact(uid)?.restricted === true);
    expect(restricted).toBeGreaterThanOrEqual(3);
    expect(restricted).toBeLessThanOrEqual(6);
    expect(count((uid) => contact(uid)?.restricted === true && contact(uid)?.blocked === true)).toBeGreaterThanOrEqual(
      1,
    );
    for (const tag of ["family", "work", "school", "gym"]) {
      expect(count((uid) => contact(uid)?.tags.includes(tag) === true)).toBeGreaterThanOrEqual(3);
    }
    const remarks = contacts.map(([, { remark }]) => remark).filter((remark) => remark !== "");
    expect(remarks.length).toBeGreaterThanOrEqual(3);
    expect(new Set(remarks).size).toBe(remarks.length);

    const messages = (uid: string) => Object.keys(state.chats[uid]?.messages ?? {}).length;
    expect(count((uid) => state.chats[uid]?.unread === true && messages(uid) >= 2)).toBeGreaterThanOrEqual(5);
    expect(count((uid) => state.chats[uid]?.unread === false && messages(uid) >= 2)).toBeGreaterThanOrEqual(5);
    expect(Object.keys(state.chats).sort()).toEqual([me, ...Object.keys(state.contacts)].sort());

    const posts = (uid: string) => momentsOf(state, uid);
    expect(count((uid) => posts(uid).length >= 2)).toBeGreaterThanOrEqual(10);
    expect(count((uid) => posts(uid).length > 6)).toBe(0);
    expect(posts(me).length).toBeGreaterThanOrEqual(2);
    expect(posts(me).length).toBeLessThanOrEqual(5);
    const liked = (uid: string) => posts(uid).at(-1)?.[1].likes.includes(me);
    expect(count((uid) => liked(uid) === true)).toBeGreaterThanOrEqual(2);
    expect(count((uid) => liked(uid) === false)).toBeGreaterThanOrEqual(5);

    const groups = Object.values(state.groups);
    expect(groups.length).toBeGreaterThanOrEqual(3);
    expect(groups.length).toBeLessThanOrEqual(5);
    expect(groups[0]?.owner).toBe(me);
    expect(groups[0]?.members.length).toBeGreaterThanOrEqual(5);
    expect(state.contacts).toHaveProperty(groups[1]?.owner ?? "");
    expect(new Set(groups.map(({ unread }) => unread)).size).toBe(2);
    expect(state.privilege.granted || state.network.accelerated).toBe(false);
  });

  it.each(SEEDS)("is consistent, seed %i", (seed) => {
    const { state, now } = start(seed);
    const people = new Set(Object.keys(state.people));
    const mustBeKnown = (...uids: string[]) => {
      for (const uid of uids) expect(people).toContain(uid);
    };
    for (const chat of Object.values(state.chats)) {
      const times = Object.values(chat.messages).map(({ timestamp }) => timestamp);
      expect(times).toEqual([...times].sort());
      expect((times.at(-1) ?? "") < now).toBe(true);
      if (chat.unread) expect(Object.values(chat.messages).at(-1)?.from).not.toBe(state.me.uid);
    }
    const check = (comments: Record<string, Comment>, after: string) => {
      for (const { from, timestamp, replies } of Object.values(comments)) {
        mustBeKnown(from);
        expect(timestamp >= after && timestamp < now).toBe(true);
        check(replies, timestamp);
      }
    };
    for (const { owner, likes, timestamp, comments } of Object.values(state.moments)) {
      mustBeKnown(owner, ...likes);
      expect(new Set(likes).size).toBe(likes.length);
      expect(likes).not.toContain(owner);
      expect(timestamp < now).toBe(true);
      check(comments, timestamp);
    }
    for (const { members, owner, messages } of Object.values(state.groups)) {
      mustBeKnown(...members);
      expect(members).toContain(owner);
      expect(members).toContain(state.me.uid);
      for (const { from, at, timestamp } of Object.values(messages)) {
        expect(members).toEqual(expect.arrayContaining([from, ...at]));
        expect(timestamp < now).toBe(true);
      }
    }
  });

  it("has comments and replies of the holder's own to withdraw", () => {
    const { state } = start(9);
    const own = Object.values(state.moments).flatMap(({ comments }) =>
      Object.values(comments).flatMap((comment) => [comment, ...Object.values(comment.replies)]),
    );
    expect(own.filter(({ from }) => from === state.me.uid).length).toBeGreaterThanOrEqual(4);
    expect(findComment({}, "constructor")).toBeUndefined();
  });
});
