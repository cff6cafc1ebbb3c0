import { z } from "zod";
import { refuse, type ToolContext, toolsOf } from "../../define.ts";
import { groupMessageRow, groupMessageRows, mustBePicture, parameters } from "./shapes.ts";
import {
  contactOf,
  type Group,
  groupInWords,
  groupOf,
  inWords,
  type LightTalkState,
  type Message,
  mustNotBeBlocked,
  nameOf,
} from "./state.ts";

const tool = toolsOf<LightTalkState>();

const groupRow = z.strictObject({
  gid: z.string(),
  name: z.string(),
  owner_uid: z.string(),
  member_count: z.int(),
  unread: z.boolean(),
});

const groupInfo = z.strictObject({
  gid: z.string(),
  name: z.string(),
  owner_uid: z.string(),
  members: z.array(z.strictObject({ uid: z.string(), name: z.string() })),
  unread: z.boolean(),
});

/** Tools that show groups and mark them. */
const readingTools = [
  tool({
    name: "list_all_groups",
    text: "The groups that you are a member of: GID, name, owner, number of members, whether unread.",
    output: z.array(groupRow),
    run: ({ state }) =>
      Object.entries(state.groups)
        .filter(([, { members }]) => members.includes(state.me.uid))
        .map(([gid, { name, owner, members, unread }]) => {
          return { gid, name, owner_uid: owner, member_count: members.length, unread };
        }),
  }),
  tool({
    name: "get_group_info",
    text: "Name, owner and members of a group.",
    input: { gid: parameters.gid },
    output: groupInfo,
    run: ({ state }, { gid }) => {
      const { name, owner, members, unread } = groupOf(state, gid);
      return {
        gid,
        name,
        owner_uid: owner,
        members: members.map((uid) => ({ uid, name: nameOf(state, uid) })),
        unread,
      };
    },
  }),
  tool({
    name: "get_group_chat_history",
    text: "All messages of a group, oldest first. Reading leaves the unread flag as it is.",
    input: { gid: parameters.gid },
    output: z.array(groupMessageRow),
    run: ({ state }, { gid }) => groupMessageRows(groupOf(state, gid).messages),
  }),
];

/** Tools that write into a group, and its unread flag. */
const messageTools = [
  tool({
    name: "send_message_to_group",
    text: "Sends a text to a group, and mentions the listed members if there are any.",
    input: { gid: parameters.gid, content: parameters.text, at: parameters.at },
    output: z.string(),
    effect: "write",
    reaches: true,
    run: (context, { gid, content, at = [] }) => {
      const group = send(context, gid, "text", content, at);
      return `You have successfully sent one message to the ${groupInWords(group, gid)}`;
    },
  }),
  tool({
    name: "send_image_to_group",
    text: "Sends a picture, given by its public web address, to a group, and mentions the listed members if there are any.",
    input: { gid: parameters.gid, img_url: parameters.imgUrl, at: parameters.at },
    output: z.string(),
    effect: "write",
    reaches: true,
    run: (context, { gid, img_url, at = [] }) => {
      mustBePicture(img_url);
      const group = send(context, gid, "image", img_url, at);
      return `You have successfully sent one image to the ${groupInWords(group, gid)}`;
    },
  }),
  tool({
    name: "mark_as_read_in_group",
    text: "Clears the unread flag of a group.",
    input: { gid: parameters.gid },
    output: z.string(),
    effect: "write",
    idempotent: true,
    run: ({ state }, { gid }) => {
      const group = groupOf(state, gid);
      group.unread = false;
      return `You have successfully marked the messages in the ${groupInWords(group, gid)} as read`;
    },
  }),
  tool({
    name: "mark_as_unread_in_group",
    text: "Sets the unread flag of a group.",
    input: { gid: parameters.gid },
    output: z.string(),
    effect: "write",
    idempotent: true,
    run: ({ state }, { gid }) => {
      const group = groupOf(state, gid);
      group.unread = true;
      return `You have successfully marked the messages in the ${groupInWords(group, gid)} as unread`;
    },
  }),
];

/** Tools that make, change and end groups. Decision: any member may rename a group and invite; the rest is the owner's. */
const memberTools = [
  tool({
    name: "create_group_chat",
    text: "Starts a group with the given contacts; you are its owner. It is named after its members until it is renamed.",
    input: { uids: z.array(z.string()).min(1).describe("UIDs of the contacts; you are a member anyway") },
    output: z.string(),
    effect: "write",
    reaches: true,
    run: ({ state, mint }, { uids }) => {
      const others = [...new Set(uids)].filter((uid) => uid !== state.me.uid);
      if (others.length === 0) refuse("A group needs another member besides you");
      for (const uid of others) mustNotBeBlocked(state, uid);
      // The order in which members are given must not matter to the result.
      others.sort((a, b) => (nameOf(state, a) < nameOf(state, b) ? -1 : 1));
      const name = others.map((uid) => nameOf(state, uid)).join(", ");
      const gid = mint("group");
      const owner = state.me.uid;
      state.groups[gid] = { name, owner, members: [owner, ...others], unread: false, messages: {} };
      return `You have successfully created the group \`${name}\` (GID=${gid})`;
    },
  }),
  tool({
    name: "rename_group",
    text: "Gives a group that you are a member of a new name.",
    input: { gid: parameters.gid, name: z.string().min(1).describe("the new name, not empty") },
    output: z.string(),
    effect: "write",
    idempotent: true,
    run: ({ state }, { gid, name }) => {
      const group = groupOf(state, gid);
      const before = group.name;
      group.name = name;
      return `You have successfully renamed the group \`${before}\` (GID=${gid}) to \`${name}\``;
    },
  }),
  tool({
    name: "change_owner_of_group",
    text: "Makes another member the owner of a group that you own.",
    input: { gid: parameters.gid, uid: z.string().describe("UID of the member who becomes the owner") },
    output: z.string(),
    effect: "write",
    run: ({ state }, { gid, uid }) => {
      const group = groupOf(state, gid);
      mustOwn(state, group, gid);
      if (uid === state.me.uid) refuse(`You already own the ${groupInWords(group, gid)}`);
      mustBeMember(group, gid, uid);
      group.owner = uid;
      return `You have successfully made ${nameOf(state, uid)} (${uid}) the owner of the ${groupInWords(group, gid)}`;
    },
  }),
  tool({
    name: "invite_new_member",
    text: "Adds a contact to a group that you are a member of.",
    input: { gid: parameters.gid, uid: parameters.uid },
    output: z.string(),
    effect: "write",
    reaches: true,
    run: ({ state }, { gid, uid }) => {
      const group = groupOf(state, gid);
      contactOf(state, uid);
      if (group.members.includes(uid)) {
        refuse(`The ${inWords(state, uid)} is already a member of the ${groupInWords(group, gid)}`);
      }
      mustNotBeBlocked(state, uid);
      group.members.push(uid);
      return `You have successfully added ${inWords(state, uid)} to the ${groupInWords(group, gid)}`;
    },
  }),
  tool({
    name: "quit_group",
    text: "Leaves a group. An owner must first make another member the owner.",
    input: { gid: parameters.gid },
    output: z.string(),
    effect: "destroy",
    // Decision: an owner cannot leave, so that no group is without one. The group goes on for the others.
    run: ({ state }, { gid }) => {
      const group = groupOf(state, gid);
      if (group.owner === state.me.uid) {
        refuse(`You own the ${groupInWords(group, gid)}, make another member the owner or delete the group instead`);
      }
      group.members = group.members.filter((uid) => uid !== state.me.uid);
      return `You have successfully quit the ${groupInWords(group, gid)}`;
    },
  }),
  tool({
    name: "delete_group",
    text: "Dissolves a group that you own, for all its members and for good.",
    input: { gid: parameters.gid },
    output: z.string(),
    effect: "destroy",
    run: ({ state }, { gid }) => {
      const group = groupOf(state, gid);
      mustOwn(state, group, gid);
      delete state.groups[gid];
      return `You have successfully deleted the ${groupInWords(group, gid)}`;
    },
  }),
];

/** All tools about groups. */
export const groupTools = [...readingTools, ...messageTools, ...memberTools];

function send(
  context: ToolContext<LightTalkState>,
  gid: string,
  kind: Message["kind"],
  content: string,
  at: readonly string[],
): Group {
  const { state } = context;
  const group = groupOf(state, gid);
  const mentioned = [...new Set(at)];
  for (const uid of mentioned) mustBeMember(group, gid, uid);
  group.messages[context.mint("msg")] = {
    from: state.me.uid,
    kind,
    content,
    at: mentioned,
    timestamp: context.now(),
  };
  return group;
}

function mustBeMember(group: Group, gid: string, uid: string): void {
  if (!group.members.includes(uid)) {
    refuse(`User with UID (${uid}) is not a member of the ${groupInWords(group, gid)}`);
  }
}

function mustOwn(state: LightTalkState, group: Group, gid: string): void {
  if (group.owner !== state.me.uid) {
    refuse(
      `Only the owner, ${nameOf(state, group.owner)} (${group.owner}), may do this to the ${groupInWords(group, gid)}`,
    );
  }
}
