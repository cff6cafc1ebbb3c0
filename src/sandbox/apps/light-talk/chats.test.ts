import { describe, expect, it } from "vitest";
import { type SandboxCaller, sandboxCaller } from "../../../../test/sandbox-caller.ts";
import { lightTalk } from "./light-talk.ts";
import { contactsByName, type LightTalkState, nameOf } from "./state.ts";

interface Row {
  mid: string;
  from: string;
  kind: string;
  content: string;
  timestamp: string;
}

function pickContact(caller: SandboxCaller, unread: boolean) {
  const state = caller.state() as unknown as LightTalkState;
  const uid = contactsByName(state).find((known) => {
    const { blocked, restricted } = state.contacts[known] ?? {};
    const chat = state.chats[known];
    return !blocked && !restricted && chat?.unread === unread && Object.keys(chat.messages).length > 1;
  });
  if (uid === undefined) throw new Error("the start state has no such contact");
  return { uid, name: nameOf(state, uid) };
}

describe.each([1, 42, 114514])("chats, seed %i", (seed) => {
  it("sends texts and pictures to a contact and to oneself", () => {
    const caller = sandboxCaller(lightTalk, seed);
    const { ok, refused, world } = caller;
    const { uid, name } = pickContact(caller, false);
    const me = String(ok("get_my_uid"));
    const before = ok("get_chat_history", { uid }) as unknown as Row[];
    expect(ok("send_message", { uid, content: "See you" })).toBe(
      `You have successfully sent one message to ${name} (${uid})`,
    );
    ok("send_image", { uid, img_url: "https://pictures.example/1.jpg" });
    const after = ok("get_chat_history", { uid }) as unknown as Row[];
    expect(after.slice(0, -2)).toEqual(before);
    expect(after.slice(-2)).toMatchObject([
      { from: me, kind: "text", content: "See you" },
      { from: me, kind: "image", content: "https://pictures.example/1.jpg" },
    ]);
    expect(world.snapshot().minted).toEqual(after.slice(-2).map(({ mid }) => mid));

    ok("send_message", { uid: me, content: "Note" });
    expect(ok("get_chat_history", { uid: me })).toMatchObject([{ from: me, content: "Note" }]);
    expect(world.view("LightTalk")).toMatchObject({ me: { messages: [{ content: "Note" }] } });

    expect(refused("send_message", { uid: name, content: "Hi" })).toBe(`Contact with UID (${name}) not found`);
    for (const img_url of ["picture.jpg", "file:///picture.jpg"]) {
      expect(refused("send_image", { uid, img_url })).toMatch("not a public image URL");
    }
    expect(lightTalk.tool("send_message")?.input.safeParse({ uid, content: "" }).success).toBe(false);
  });

  it("marks as read and unread, whatever it was before", () => {
    const caller = sandboxCaller(lightTalk, seed);
    const { ok, refused, world } = caller;
    const { uid, name } = pickContact(caller, true);
    const changed = world.invoke("LightTalk", "mark_as_read", { uid });
    expect(changed).toEqual({
      status: "ok",
      output: `You have successfully marked the messages from contact \`${name}\` (UID=${uid}) as read`,
      writes: [`/LightTalk/chats/${uid}/unread`],
    });
    ok("mark_as_read", { uid });
    expect(ok("mark_as_unread", { uid })).toMatch(/as unread$/);
    expect(refused("mark_as_read", { uid: "x" })).toMatch("not found");
    expect(refused("mark_as_unread", { uid: "x" })).toMatch("not found");
  });

  it("deletes one message, then all", () => {
    const caller = sandboxCaller(lightTalk, seed);
    const { ok, refused } = caller;
    const { uid } = pickContact(caller, true);
    const [first, ...rest] = ok("get_chat_history", { uid }) as unknown as Row[];
    const mid = first?.mid ?? "";
    ok("delete_message", { uid, mid });
    expect(ok("get_chat_history", { uid })).toEqual(rest);
    expect(refused("delete_message", { uid, mid })).toMatch(/^Message with MID \(msg_.* not found$/);
    ok("delete_chat_history", { uid });
    expect(ok("get_chat_history", { uid })).toEqual([]);
    expect(caller.state()).toMatchObject({ chats: { [uid]: { unread: false } } });
    expect(refused("delete_chat_history", { uid: "x" })).toMatch("not found");
  });
});
