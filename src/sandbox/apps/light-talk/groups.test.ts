import { describe, expect, it } from "vitest";
import { type SandboxCaller, sandboxCaller } from "../../../../test/sandbox-caller.ts";
import { lightTalk } from "./light-talk.ts";
import { contactsByName, type LightTalkState, nameOf } from "./state.ts";

function pickGroup(caller: SandboxCaller, mine: boolean) {
  const state = caller.state() as unknown as LightTalkState;
  const [gid, group] = Object.entries(state.groups).find(([, { owner }]) => (owner === state.me.uid) === mine) ?? [];
  if (gid === undefined || group === undefined) throw new Error("the start state has no such group");
  const outside = contactsByName(state).filter(
    (uid) => !group.members.includes(uid) && state.contacts[uid]?.blocked === false,
  );
  return { gid, group, outside, me: state.me.uid, state };
}

describe.each([1, 42, 114514])("groups, seed %i", (seed) => {
  it("lists and shows", () => {
    const caller = sandboxCaller(lightTalk, seed);
    const { gid, group, state } = pickGroup(caller, true);
    const list = caller.ok("list_all_groups") as { gid: string }[];
    expect(list).toHaveLength(Object.keys(state.groups).length);
    expect(list.find((row) => row.gid === gid)).toMatchObject({
      name: group.name,
      owner_uid: group.owner,
      member_count: group.members.length,
    });
    expect(caller.ok("get_group_info", { gid })).toMatchObject({
      name: group.name,
      members: group.members.map((uid) => ({ uid, name: nameOf(state, uid) })),
    });
    for (const tool of [
      "get_group_info",
      "get_group_chat_history",
      "mark_as_read_in_group",
      "mark_as_unread_in_group",
    ]) {
      expect(caller.refused(tool, { gid: group.name })).toBe(`Group with GID (${group.name}) not found`);
    }
  });

  it("sends texts and pictures, and mentions members only", () => {
    const caller = sandboxCaller(lightTalk, seed);
    const { gid, group, outside, me } = pickGroup(caller, false);
    const other = group.members.find((uid) => uid !== me) ?? "";
    expect(caller.ok("send_message_to_group", { gid, content: "Hi all", at: [other, other] })).toBe(
      `You have successfully sent one message to the group \`${group.name}\` (GID=${gid})`,
    );
    caller.ok("send_image_to_group", { gid, img_url: "https://pictures.example/1.jpg" });
    const history = caller.ok("get_group_chat_history", { gid }) as object[];
    expect(history.slice(-2)).toMatchObject([
      { from: me, kind: "text", content: "Hi all", at: [other] },
      { from: me, kind: "image", at: [] },
    ]);
    expect(caller.refused("send_message_to_group", { gid, content: "Hi", at: [outside[0] ?? ""] })).toMatch(
      "is not a member",
    );
    expect(caller.refused("send_image_to_group", { gid, img_url: "x" })).toMatch("not a public image URL");
  });

  it("keeps an unread flag", () => {
    const caller = sandboxCaller(lightTalk, seed);
    const { gid } = pickGroup(caller, true);
    for (const [tool, unread] of [
      ["mark_as_unread_in_group", true],
      ["mark_as_read_in_group", false],
      ["mark_as_read_in_group", false],
    ] as const) {
      caller.ok(tool, { gid });
      expect(caller.ok("get_group_info", { gid })).toMatchObject({ unread });
    }
  });

  it("is created the same, in whichever order its members are given", () => {
    const names = [false, true].map((reversed) => {
      const caller = sandboxCaller(lightTalk, seed);
      const { outside, me } = pickGroup(caller, true);
      const [a = "", b = ""] = outside;
      caller.ok("create_group_chat", { uids: reversed ? [b, a, me] : [a, b, a] });
      const gid = caller.world.snapshot().minted[0] ?? "";
      const info = caller.ok("get_group_info", { gid }) as { name: string; owner_uid: string; members: object[] };
      expect(info.owner_uid).toBe(me);
      expect(info.members).toHaveLength(3);
      return info.name;
    });
    expect(names[0]).toBe(names[1]);
    const caller = sandboxCaller(lightTalk, seed);
    expect(caller.refused("create_group_chat", { uids: ["x"] })).toBe("Contact with UID (x) not found");
    expect(caller.refused("create_group_chat", { uids: [pickGroup(caller, true).me] })).toMatch("another member");
  });

  it("lets members rename and invite", () => {
    const caller = sandboxCaller(lightTalk, seed);
    const { gid, outside, group } = pickGroup(caller, false);
    const [uid = ""] = outside;
    caller.ok("rename_group", { gid, name: "New name" });
    expect(caller.ok("invite_new_member", { gid, uid })).toMatch("to the group `New name`");
    expect(caller.ok("get_group_info", { gid })).toMatchObject({ name: "New name" });
    expect(caller.refused("invite_new_member", { gid, uid })).toMatch("already a member");
    expect(caller.refused("invite_new_member", { gid, uid: "x" })).toBe("Contact with UID (x) not found");
    expect(group.members).not.toContain(uid);
  });

  it("keeps the rest for the owner, who cannot leave", () => {
    const caller = sandboxCaller(lightTalk, seed);
    const { gid, group, outside, me } = pickGroup(caller, true);
    const other = group.members.find((uid) => uid !== me) ?? "";
    expect(caller.refused("quit_group", { gid })).toMatch("make another member the owner");
    expect(caller.refused("change_owner_of_group", { gid, uid: outside[0] ?? "" })).toMatch("is not a member");
    expect(caller.refused("change_owner_of_group", { gid, uid: me })).toMatch("already own");
    caller.ok("change_owner_of_group", { gid, uid: other });
    expect(caller.refused("change_owner_of_group", { gid, uid: me })).toMatch("Only the owner");
    expect(caller.refused("delete_group", { gid })).toMatch("Only the owner");
    caller.ok("quit_group", { gid });
    expect(caller.refused("get_group_info", { gid })).toMatch("not a member of the group");
    expect(JSON.stringify(caller.ok("list_all_groups"))).not.toContain(gid);
    expect(JSON.stringify(caller.world.view("LightTalk"))).not.toContain(gid);

    const second = sandboxCaller(lightTalk, seed);
    second.ok("delete_group", { gid });
    expect(second.refused("delete_group", { gid })).toBe(`Group with GID (${gid}) not found`);
  });
});
