import type { JsonObject } from "../../../base/json.ts";
import { groupMessageRows, messageRows } from "./shapes.ts";
import { type Comment, contactsByName, type LightTalkState, type Moment, nameOf, oldestFirst } from "./state.ts";

/**
 * What expressions see of LightTalk. Each record has its id.
 * - `me`: `uid`, `name`, `ip`, and the chat with oneself as `unread` and `messages`
 * - `network`, `privilege`: as in the state
 * - `contacts`, in the order of their names: `uid`, `name`, `gender`, `online`, `remark`, `tags`, `blocked`, `restricted`,
 *   `unread`, `messages`, `moments`
 * - `moments` of the holder and the contacts: `moid`, `owner`, `owner_name`, `content`, `timestamp`, `ip`, `img_urls`, `likes`,
 *   `liked_by_me`, `comments` (each `cid`, `from`, `from_name`, `content`, `timestamp`, `replies`)
 * - `groups` that the holder is a member of: `gid`, `name`, `owner`, `members`, `unread`, `messages`
 *
 * Messages, moments, comments and replies come oldest first.
 */
export function viewOf(state: LightTalkState): JsonObject {
  const { me } = state;
  const byOwner = new Map<string, JsonObject[]>([me.uid, ...Object.keys(state.contacts)].map((uid) => [uid, []]));
  const moments: JsonObject[] = [];
  for (const [moid, moment] of oldestFirst(state.moments)) {
    const ofOwner = byOwner.get(moment.owner);
    if (ofOwner === undefined) continue;
    const shown = viewMoment(state, moid, moment);
    moments.push(shown);
    ofOwner.push(shown);
  }
  return {
    me: { ...me, name: nameOf(state, me.uid), ...viewChat(state, me.uid) },
    network: { ...state.network },
    privilege: { ...state.privilege },
    contacts: contactsByName(state).map((uid) => ({
      uid,
      ...state.people[uid],
      ...state.contacts[uid],
      ...viewChat(state, uid),
      moments: byOwner.get(uid) ?? [],
    })),
    moments,
    groups: Object.entries(state.groups)
      .filter(([, { members }]) => members.includes(me.uid))
      .map(([gid, { name, owner, members, unread, messages }]) => {
        return { gid, name, owner, members, unread, messages: groupMessageRows(messages) };
      }),
  };
}

function viewChat(state: LightTalkState, uid: string): JsonObject {
  const chat = state.chats[uid];
  return { unread: chat?.unread ?? false, messages: messageRows(chat?.messages ?? {}) };
}

function viewMoment(state: LightTalkState, moid: string, moment: Moment): JsonObject {
  const { comments, likes, owner, ...rest } = moment;
  return {
    moid,
    owner,
    owner_name: nameOf(state, owner),
    ...rest,
    likes,
    liked_by_me: likes.includes(state.me.uid),
    comments: viewComments(state, comments),
  };
}

function viewComments(state: LightTalkState, comments: Record<string, Comment>): JsonObject[] {
  return oldestFirst(comments).map(([cid, { from, content, timestamp, replies }]) => ({
    cid,
    from,
    from_name: nameOf(state, from),
    content,
    timestamp,
    replies: viewComments(state, replies),
  }));
}
