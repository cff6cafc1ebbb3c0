import { z } from "zod";
import { refuse, toolsOf } from "../../define.ts";
import { parameters } from "./shapes.ts";
import {
  type Comment,
  findComment,
  inWords,
  type LightTalkState,
  lookUp,
  momentOf,
  mustBePrivileged,
} from "./state.ts";

const tool = toolsOf<LightTalkState>();

const cid = (text: string) => z.string().describe(`CID of ${text}: "com_" and 22 characters`);

/** Tools about comments on posts and replies to them. */
export const commentTools = [
  tool({
    name: "comment_moment",
    text: "Writes a comment under a moment.",
    input: { uid: parameters.uidOrMine, moid: parameters.moid, content: parameters.text },
    output: z.string(),
    effect: "write",
    reaches: true,
    run: ({ state, mint, now }, { uid, moid, content }) => {
      const { comments } = momentOf(state, uid, moid);
      mustBePrivileged(state, uid);
      const made = mint("com");
      comments[made] = { from: state.me.uid, content, timestamp: now(), replies: {} };
      return `You have successfully commented (CID=${made}) on the moment (MOID=${moid}) of ${inWords(state, uid)}`;
    },
  }),
  tool({
    name: "comment_comment",
    text: "Replies to a comment, or to a reply, under a moment.",
    // Decision: `cid` names the comment that is answered; the published signature has no parameter for it.
    input: {
      uid: parameters.uidOrMine.describe("UID of the moment's owner, a contact or you"),
      moid: parameters.moid,
      cid: cid("the comment to reply to"),
      content: parameters.text,
    },
    output: z.string(),
    effect: "write",
    reaches: true,
    run: ({ state, mint, now }, { uid, moid, cid: parent, content }) => {
      const comment = commentOf(state, uid, moid, parent);
      mustBePrivileged(state, uid);
      const made = mint("com");
      comment.replies[made] = { from: state.me.uid, content, timestamp: now(), replies: {} };
      return `You have successfully replied (CID=${made}) to the comment (CID=${parent}) on the moment (MOID=${moid}) of ${inWords(state, uid)}`;
    },
  }),
  tool({
    name: "withdraw_comment_moment",
    text: "Takes back a comment that you wrote under a moment, together with its replies.",
    input: { uid: parameters.uidOrMine, moid: parameters.moid, my_cid: cid("your comment") },
    output: z.string(),
    effect: "destroy",
    reaches: true,
    run: ({ state }, { uid, moid, my_cid }) => {
      const { comments } = momentOf(state, uid, moid);
      const mine = commentOf(state, uid, moid, my_cid);
      mustBeMine(state, mine, my_cid);
      if (lookUp(comments, my_cid) === undefined) {
        refuse(`The comment (CID=${my_cid}) is a reply, use withdraw_comment_comment with the comment that it answers`);
      }
      delete comments[my_cid];
      return `You have successfully withdrawn your comment (CID=${my_cid}) on the moment (MOID=${moid}) of ${inWords(state, uid)}`;
    },
  }),
  tool({
    name: "withdraw_comment_comment",
    text: "Takes back a reply that you wrote to a comment, together with the answers to it.",
    input: {
      uid: parameters.uidOrMine.describe("UID of the moment's owner, a contact or you"),
      moid: parameters.moid,
      cid: cid("the comment that your reply answers"),
      my_cid: cid("your reply"),
    },
    output: z.string(),
    effect: "destroy",
    reaches: true,
    run: ({ state }, { uid, moid, cid: parent, my_cid }) => {
      const { replies } = commentOf(state, uid, moid, parent);
      const mine = lookUp(replies, my_cid);
      if (mine === undefined) return refuse(`Reply with CID (${my_cid}) to the comment (CID=${parent}) not found`);
      mustBeMine(state, mine, my_cid);
      delete replies[my_cid];
      return `You have successfully withdrawn your reply (CID=${my_cid}) to the comment (CID=${parent}) on the moment (MOID=${moid}) of ${inWords(state, uid)}`;
    },
  }),
];

function commentOf(state: LightTalkState, uid: string, moid: string, wanted: string): Comment {
  return (
    findComment(momentOf(state, uid, moid).comments, wanted) ??
    refuse(`Comment with CID (${wanted}) on the moment (MOID=${moid}) not found`)
  );
}

function mustBeMine(state: LightTalkState, comment: Comment, wanted: string): void {
  if (comment.from !== state.me.uid) {
    refuse(`The comment (CID=${wanted}) is not yours, you can withdraw only what you wrote`);
  }
}
