import { describe, expect, it } from "vitest";
import { type SandboxCaller, sandboxCaller } from "../../../../test/sandbox-caller.ts";
import { lightTalk } from "./light-talk.ts";
import { contactsByName, type LightTalkState, type Moment, momentsOf, nameOf } from "./state.ts";

/** The newest moment of the first contact, by name, that a test is true of; only contacts who can be reached count. */
function pickMoment(caller: SandboxCaller, test: (moment: Moment, me: string) => boolean) {
  const state = caller.state() as unknown as LightTalkState;
  for (const uid of contactsByName(state)) {
    const [moid, moment] = momentsOf(state, uid).at(-1) ?? [];
    if (moid === undefined || moment === undefined || state.contacts[uid]?.restricted === true) continue;
    if (test(moment, state.me.uid)) return { uid, moid, moment, name: nameOf(state, uid) };
  }
  throw new Error("the start state has no such moment");
}

const SEEDS = [1, 42, 114514];

describe.each(SEEDS)("moments, seed %i", (seed) => {
  it("shows all, the last and one by its place", () => {
    const caller = sandboxCaller(lightTalk, seed);
    const { ok, refused } = caller;
    const { uid, moid } = pickMoment(caller, () => true);
    const all = ok("get_all_moments", { uid }) as { moid: string; timestamp: string }[];
    expect(all.map(({ timestamp }) => timestamp)).toEqual(all.map(({ timestamp }) => timestamp).sort());
    expect(ok("get_last_k_moments", { uid, k: 1 })).toEqual(all.slice(-1));
    expect(ok("get_last_k_moments", { uid, k: 99 })).toEqual([...all].reverse());
    expect(ok("get_moment", { uid, index: 0 })).toEqual(all[0]);
    expect(refused("get_moment", { uid, index: all.length })).toMatch(`There is no moment ${all.length} of contact`);
    expect(ok("get_shared_url_of_moment", { uid, moid })).toBe(`light://moment?uid=${uid}&moid=${moid}`);
    for (const [tool, input] of Object.entries({
      get_all_moments: {},
      get_last_k_moments: { k: 1 },
      get_moment: { index: 0 },
      get_shared_url_of_moment: { moid },
    })) {
      expect(refused(tool, { uid: "x", ...input })).toBe("Contact with UID (x) not found");
    }
    const me = String(ok("get_my_uid"));
    expect(ok("get_all_moments", { uid: me })).toEqual(ok("get_my_moments"));
    expect(refused("get_shared_url_of_moment", { uid: me, moid })).toMatch(/^Moment with MOID/);
  });

  it("posts and deletes", () => {
    const caller = sandboxCaller(lightTalk, seed);
    const { ok, refused, world } = caller;
    const before = ok("get_my_moments") as unknown[];
    const img_urls = ["https://pictures.example/1.jpg"];
    const said = ok("post_moment", { content: "Hello", img_urls });
    const [moid = ""] = world.snapshot().minted;
    expect(said).toMatch(moid);
    const after = ok("get_my_moments") as { moid: string }[];
    expect(after).toHaveLength(before.length + 1);
    expect(after.at(-1)).toMatchObject({ moid, content: "Hello", img_urls, who_likes: [], comments: [] });
    expect(refused("post_moment", { content: "Hello", img_urls: ["x"] })).toMatch("not a public image URL");
    ok("delete_moment", { moid });
    expect(ok("get_my_moments")).toEqual(before);
    expect(refused("delete_moment", { moid })).toBe(`Moment with MOID (${moid}) not found`);
    expect(refused("delete_moment", { moid: pickMoment(caller, () => true).moid })).toMatch("is not yours");
  });

  it("likes and unlikes, once each", () => {
    const caller = sandboxCaller(lightTalk, seed);
    const { ok, refused } = caller;
    const { uid, moid, name } = pickMoment(caller, ({ likes }, me) => !likes.includes(me));
    const start = caller.state();
    expect(ok("like_moment", { uid, moid })).toBe(
      `You have successfully liked the moment (MOID=${moid}) of contact \`${name}\` (UID=${uid})`,
    );
    expect(refused("like_moment", { uid, moid })).toMatch("already like");
    ok("unlike_moment", { uid, moid });
    expect(caller.state()).toEqual(start);
    expect(refused("unlike_moment", { uid, moid })).toMatch("do not like");
    expect(refused("like_moment", { uid: String(ok("get_my_uid")), moid })).toMatch(/^Moment with MOID/);
    const liked = pickMoment(caller, ({ likes }, me) => likes.includes(me));
    expect(refused("like_moment", { uid: liked.uid, moid: liked.moid })).toMatch("already like");
  });
});

describe.each(SEEDS)("comments, seed %i", (seed) => {
  it("comments, replies at any depth and withdraws", () => {
    const caller = sandboxCaller(lightTalk, seed);
    const { ok, refused, world } = caller;
    const { uid, moid, name } = pickMoment(caller, () => true);
    const start = caller.state();
    ok("comment_moment", { uid, moid, content: "One" });
    const first = world.snapshot().minted[0] ?? "";
    ok("comment_comment", { uid, moid, cid: first, content: "Two" });
    const second = world.snapshot().minted[1] ?? "";
    ok("comment_comment", { uid, moid, cid: second, content: "Three" });
    const third = world.snapshot().minted[2] ?? "";
    const [shown] = ok("get_last_k_moments", { uid, k: 1 }) as { comments: object[] }[];
    expect(shown?.comments.at(-1)).toMatchObject({
      cid: first,
      content: "One",
      receive_moid: moid,
      comments: [{ cid: second, content: "Two", comments: [{ cid: third, content: "Three", comments: [] }] }],
    });

    expect(refused("withdraw_comment_moment", { uid, moid, my_cid: second })).toMatch(
      /is a reply.*withdraw_comment_comment/,
    );
    expect(refused("withdraw_comment_comment", { uid, moid, cid: first, my_cid: third })).toMatch("not found");
    ok("withdraw_comment_comment", { uid, moid, cid: second, my_cid: third });
    expect(ok("withdraw_comment_moment", { uid, moid, my_cid: first })).toBe(
      `You have successfully withdrawn your comment (CID=${first}) on the moment (MOID=${moid}) of contact \`${name}\` (UID=${uid})`,
    );
    expect(caller.state()).toEqual(start);
    for (const tool of ["comment_comment", "withdraw_comment_moment", "withdraw_comment_comment"]) {
      const input = tool === "comment_comment" ? { content: "Hi", cid: first } : { my_cid: first };
      const parent = tool === "withdraw_comment_comment" ? { cid: first } : {};
      expect(refused(tool, { uid, moid, ...input, ...parent })).toBe(
        `Comment with CID (${first}) on the moment (MOID=${moid}) not found`,
      );
    }
    expect(refused("comment_moment", { uid, moid: "mo_x", content: "Hi" })).toMatch(/^Moment with MOID \(mo_x\)/);
  });

  it("withdraws nothing that somebody else wrote", () => {
    const caller = sandboxCaller(lightTalk, seed);
    const { uid, moid, moment } = pickMoment(caller, ({ comments }, me) =>
      Object.values(comments).some(({ from }) => from !== me),
    );
    const me = String(caller.ok("get_my_uid"));
    const [theirs] = Object.entries(moment.comments).find(([, { from }]) => from !== me) ?? [""];
    expect(caller.refused("withdraw_comment_moment", { uid, moid, my_cid: theirs })).toMatch("is not yours");
  });
});
