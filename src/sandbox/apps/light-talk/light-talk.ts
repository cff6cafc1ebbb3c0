import { defineApp } from "../../define.ts";
import { accountTools } from "./account.ts";
import { chatTools } from "./chats.ts";
import { commentTools } from "./comments.ts";
import { contactTools } from "./contacts.ts";
import { groupTools } from "./groups.ts";
import { momentTools } from "./moments.ts";
import { startOf } from "./start.ts";
import { type LightTalkState, volatile } from "./state.ts";
import { viewOf } from "./view.ts";

const NETWORK_RATES = { steady: 0, shaky: 0.15, bad: 0.3 } as const;

/** The messenger: contacts, chats, posts with likes and comments, groups. */
export const lightTalk = defineApp<LightTalkState>({
  name: "LightTalk",
  title: "Messages and moments",
  text:
    "Messenger with contacts, chats, groups and moments. People are named by UID: look it up first. A contact may be " +
    "blocked, or restricted so that a privilege is needed, and the network may need acceleration.",
  tools: [...accountTools, ...contactTools, ...chatTools, ...momentTools, ...commentTools, ...groupTools],
  start: startOf,
  view: viewOf,
  volatile,
  // Decision: each call that reaches another user fails with the seed's rate until the network is accelerated.
  faults: (source) => ({
    network: NETWORK_RATES[source.weighted({ steady: 0.5, shaky: 0.3, bad: 0.2 })],
    transient: 0.01,
  }),
  repaired: (state) => state.network.accelerated,
});
