import { z } from "zod";
import { refuse, toolsOf } from "../../define.ts";
import { momentRow, momentRowOf, mustBePicture, parameters } from "./shapes.ts";
import { inWords, type LightTalkState, lookUp, momentOf, momentsOf, mustBeKnown, mustBePrivileged } from "./state.ts";

const tool = toolsOf<LightTalkState>();

/** Tools that show posts. */
const readingTools = [
  tool({
    name: "get_my_moments",
    text: "Your own moments, oldest first.",
    output: z.array(momentRow),
    run: ({ state }) => momentRows(state, state.me.uid),
  }),
  tool({
    name: "get_all_moments",
    text: "All moments of a contact, oldest first.",
    input: { uid: parameters.uidOrMine },
    output: z.array(momentRow),
    reaches: true,
    run: ({ state }, { uid }) => momentRows(state, uid),
  }),
  tool({
    name: "get_last_k_moments",
    text: "The latest k moments of a contact, the newest first; fewer if there are not so many.",
    input: { uid: parameters.uidOrMine, k: z.int().min(1).describe("how many moments") },
    output: z.array(momentRow),
    reaches: true,
    run: ({ state }, { uid, k }) => momentRows(state, uid).reverse().slice(0, k),
  }),
  tool({
    name: "get_moment",
    text: "One moment of a contact by its place in time: 0 is the oldest.",
    // Decision: the index counts from 0, oldest first.
    input: { uid: parameters.uidOrMine, index: z.int().min(0).describe("place in time, 0 for the oldest") },
    output: momentRow,
    reaches: true,
    run: ({ state }, { uid, index }) => {
      const rows = momentRows(state, uid);
      const count = rows.length === 1 ? "1 moment" : `${rows.length} moments`;
      return rows[index] ?? refuse(`There is no moment ${index} of ${inWords(state, uid)}, who has ${count} from 0 on`);
    },
  }),
  tool({
    name: "get_shared_url_of_moment",
    text: "A link to a moment that can be sent to others.",
    input: { uid: parameters.uidOrMine, moid: parameters.moid },
    output: z.string(),
    run: ({ state }, { uid, moid }) => {
      momentOf(state, uid, moid);
      return `light://moment?uid=${uid}&moid=${moid}`;
    },
  }),
];

/** Tools that post, remove and like. */
const writingTools = [
  tool({
    name: "post_moment",
    text: "Posts a moment for your contacts to see, with or without pictures. It shows the place of your present IP address.",
    input: {
      content: parameters.text,
      img_urls: z.array(z.string()).optional().describe("public web addresses of pictures; may be left out or empty"),
    },
    output: z.string(),
    effect: "write",
    run: ({ state, mint, now }, { content, img_urls = [] }) => {
      for (const address of img_urls) mustBePicture(address);
      const moid = mint("mo");
      const { uid: owner, ip } = state.me;
      state.moments[moid] = { owner, content, timestamp: now(), ip, img_urls, likes: [], comments: {} };
      return `You have successfully posted one moment (MOID=${moid}) from ${ip}`;
    },
  }),
  tool({
    name: "delete_moment",
    text: "Removes one of your own moments for good, with its likes and comments.",
    input: { moid: parameters.moid },
    output: z.string(),
    effect: "destroy",
    run: ({ state }, { moid }) => {
      const moment = lookUp(state.moments, moid) ?? refuse(`Moment with MOID (${moid}) not found`);
      if (moment.owner !== state.me.uid) refuse(`The moment (MOID=${moid}) is not yours, only its owner can delete it`);
      delete state.moments[moid];
      return `You have successfully deleted your moment (MOID=${moid})`;
    },
  }),
  tool({
    name: "like_moment",
    text: "Likes a moment of a contact.",
    input: { uid: parameters.uidOrMine, moid: parameters.moid },
    output: z.string(),
    effect: "write",
    reaches: true,
    run: ({ state }, { uid, moid }) => {
      const { likes } = momentOf(state, uid, moid);
      mustBePrivileged(state, uid);
      if (likes.includes(state.me.uid)) refuse(`You already like the moment (MOID=${moid}) of ${inWords(state, uid)}`);
      likes.push(state.me.uid);
      return `You have successfully liked the moment (MOID=${moid}) of ${inWords(state, uid)}`;
    },
  }),
  tool({
    name: "unlike_moment",
    text: "Takes back your like of a moment.",
    input: { uid: parameters.uidOrMine, moid: parameters.moid },
    output: z.string(),
    effect: "write",
    reaches: true,
    run: ({ state }, { uid, moid }) => {
      const moment = momentOf(state, uid, moid);
      if (!moment.likes.includes(state.me.uid)) {
        refuse(`You do not like the moment (MOID=${moid}) of ${inWords(state, uid)}`);
      }
      moment.likes = moment.likes.filter((liker) => liker !== state.me.uid);
      return `You have successfully unliked the moment (MOID=${moid}) of ${inWords(state, uid)}`;
    },
  }),
];

/** All tools about posts, without those about comments. */
export const momentTools = [...readingTools, ...writingTools];

function momentRows(state: LightTalkState, uid: string): z.output<typeof momentRow>[] {
  mustBeKnown(state, uid);
  return momentsOf(state, uid).map(([moid, moment]) => momentRowOf(moid, moment));
}
