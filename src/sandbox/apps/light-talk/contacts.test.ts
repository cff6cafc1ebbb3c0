import { describe, expect, it } from "vitest";
import { type SandboxCaller, sandboxCaller } from "../../../../test/sandbox-caller.ts";
import { ipChoices } from "../../knowledge/places.ts";
import { lightTalk } from "./light-talk.ts";
import { contactsByName, type LightTalkState, nameOf } from "./state.ts";

const SEEDS = [1, 42, 114514];

function stateOf(caller: SandboxCaller): LightTalkState {
  return caller.state() as unknown as LightTalkState;
}

/** The first contact, by name, that a test is true of. */
function contact(caller: SandboxCaller, test: (contact: LightTalkState["contacts"][string]) => boolean = () => true) {
  const state = stateOf(caller);
  const uid = contactsByName(state).find((known) => test(state.contacts[known] as never)) ?? "";
  return { uid, name: nameOf(state, uid) };
}

describe.each(SEEDS)("contacts, seed %i", (seed) => {
  it("lists all, by page, by tag and by gender", () => {
    const { ok, refused, state } = sandboxCaller(lightTalk, seed);
    const all = ok("get_all_contacts") as { uid: string; name: string }[];
    expect(all.map(({ name }) => name)).toEqual(all.map(({ name }) => name).sort());
    const pages = [1, 2, 3, 4].flatMap((page) => ok("get_contacts", { page }));
    expect(pages).toEqual(all);
    expect(ok("get_contacts", { page: 1 })).toHaveLength(10);
    expect(ok("get_contacts", { page: 9 })).toEqual([]);
    expect(lightTalk.tool("get_contacts")?.input.safeParse({ page: 0 }).success).toBe(false);

    const { contacts, people } = state() as unknown as LightTalkState;
    const family = ok("get_contacts_by_tag", { tag: "Family" }) as { uid: string }[];
    expect(family.length).toBe(Object.values(contacts).filter(({ tags }) => tags.includes("family")).length);
    expect(refused("get_contacts_by_tag", { tag: "astronauts" })).toMatch(/tag `astronauts`.*family.*gym.*work/);
    const women = ok("get_contacts_by_gender", { gender: "female" }) as { uid: string }[];
    const men = ok("get_contacts_by_gender", { gender: "male" }) as { uid: string }[];
    expect(women.length + men.length).toBe(all.length);
    expect(women.every(({ uid }) => people[uid]?.gender === "female")).toBe(true);
  });

  it("finds a uid by the whole name, and by a part of it", () => {
    const caller = sandboxCaller(lightTalk, seed);
    const { uid, name } = contact(caller);
    const family = name.split(" ")[1] ?? "";
    expect(caller.ok("get_uid_from_name", { name })).toBe(uid);
    expect(caller.refused("get_uid_from_name", { name: family })).toBe(`Contact ${family} not found`);
    expect(caller.ok("fuzzy_search_uids_from_name", { name: family.toLowerCase() })).toContain(`${name} (${uid})`);
    expect((caller.ok("fuzzy_search_uids_from_name", { name }) as string[])[0]).toBe(`${name} (${uid})`);
    expect(caller.ok("fuzzy_search_uids_from_name", { name: "Qqqxxx" })).toEqual([]);
  });

  it("shows what is stored", () => {
    const caller = sandboxCaller(lightTalk, seed);
    const { uid, name } = contact(caller, ({ blocked }) => blocked);
    expect(caller.ok("get_contact_info", { uid })).toMatchObject({ uid, name, blocked: true });
    const me = String(caller.ok("get_my_uid"));
    const myName = String(caller.ok("get_my_name"));
    expect(caller.ok("get_contact_info", { uid: me })).toEqual({ name: `${myName} (Me)` });
    expect(caller.refused("get_contact_info", { uid: myName })).toBe(`Contact with UID (${myName}) not found`);
    expect(caller.refused("get_contact_info", { uid: "constructor" })).toMatch("not found");
    expect(caller.ok("get_shared_url_of_contact", { uid })).toBe(`light://contact?uid=${uid}`);
    expect(caller.refused("get_shared_url_of_contact", { uid: "nobody" })).toMatch("not found");
  });

  it("edits and deletes remarks", () => {
    const caller = sandboxCaller(lightTalk, seed);
    const { uid } = contact(caller, ({ remark }) => remark === "");
    expect(caller.refused("delete_remark", { uid })).toMatch(/There is no remark of contact/);
    expect(caller.ok("edit_remark", { uid, remark: "Dentist" })).toMatch(/remark of contact .* to `Dentist`/);
    expect(caller.ok("get_contact_info", { uid })).toMatchObject({ remark: "Dentist" });
    caller.ok("delete_remark", { uid });
    expect(caller.ok("get_contact_info", { uid })).toMatchObject({ remark: "" });
    expect(caller.refused("edit_remark", { uid: stateOf(caller).me.uid, remark: "Me" })).toMatch("is your own");
  });

  it("blocks, unblocks and deletes", () => {
    const caller = sandboxCaller(lightTalk, seed);
    const { uid, name } = contact(caller, ({ blocked, restricted }) => !blocked && !restricted);
    expect(caller.refused("unblock", { uid })).toMatch(/have not blocked/);
    caller.ok("block", { uid });
    expect(caller.refused("block", { uid })).toMatch(/already blocked/);
    expect(caller.refused("send_message", { uid, content: "Hi" })).toBe(
      `You have blocked contact \`${name}\` (UID=${uid}), unblock the contact first`,
    );
    expect(caller.refused("send_image", { uid, img_url: "https://pictures.example/1.jpg" })).toMatch(/unblock/);
    expect(caller.refused("create_group_chat", { uids: [uid] })).toMatch(/unblock/);
    caller.ok("unblock", { uid });
    caller.ok("send_message", { uid, content: "Hi" });
    for (const tool of ["block", "unblock", "delete_contact"]) {
      expect(caller.refused(tool, { uid: stateOf(caller).me.uid })).toMatch("is your own");
    }

    caller.ok("delete_contact", { uid });
    expect(caller.refused("delete_contact", { uid })).toBe(`Contact with UID (${uid}) not found`);
    expect(caller.refused("get_chat_history", { uid })).toMatch("not found");
    expect(JSON.stringify(caller.world.view("LightTalk"))).not.toContain(`"owner":"${uid}"`);
  });
});

describe("account", () => {
  it("moves the address to a listed place, which later posts show", () => {
    const { ok, refused, state } = sandboxCaller(lightTalk, 2);
    expect(ok("list_ip_choices")).toEqual([...ipChoices]);
    const before = ok("get_my_moments") as { ip: string }[];
    const where = ipChoices.find((place) => place !== (state() as unknown as LightTalkState).me.ip) ?? "";
    ok("change_my_ip", { where });
    ok("post_moment", { content: "Hello" });
    const after = ok("get_my_moments") as { ip: string }[];
    expect(after.at(-1)?.ip).toBe(where);
    expect(after.slice(0, -1)).toEqual(before);
    expect(refused("change_my_ip", { where: "Lisbon" })).toMatch("did you mean Lisbon, Portugal");
    expect(refused("change_my_ip", { where: "Qqqxxx" })).toMatch("list_ip_choices");
  });

  it("needs the privilege for restricted contacts, once", () => {
    const caller = sandboxCaller(lightTalk, 2);
    const { uid, name } = contact(caller, ({ restricted, blocked }) => restricted && !blocked);
    const moid = String((caller.ok("get_last_k_moments", { uid, k: 1 }) as { moid: string }[])[0]?.moid);
    const message = `You need a privilege to reach contact \`${name}\` (UID=${uid}), ask for the privilege first`;
    const calls: [string, Record<string, string>][] = [
      ["send_message", { uid, content: "Hi" }],
      ["send_image", { uid, img_url: "https://pictures.example/1.jpg" }],
      ["comment_moment", { uid, moid, content: "Nice" }],
    ];
    for (const [tool, input] of calls) expect(caller.refused(tool, input)).toBe(message);
    caller.ok("ask_for_privilege");
    for (const [tool, input] of calls) caller.ok(tool, input);
    caller.ok("ask_for_privilege");
  });
});
