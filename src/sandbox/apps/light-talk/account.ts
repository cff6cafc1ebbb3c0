import Fuse from "fuse.js";
import { z } from "zod";
import { refuse, toolsOf } from "../../define.ts";
import { ipChoices } from "../../knowledge/places.ts";
import { type LightTalkState, nameOf } from "./state.ts";

const tool = toolsOf<LightTalkState>();

/** Tools about the account itself: who one is, network, address, privilege. */
export const accountTools = [
  tool({
    name: "get_my_uid",
    text: "Your own UID, by which the account that you act for is known.",
    output: z.string(),
    run: ({ state }) => state.me.uid,
  }),
  tool({
    name: "get_my_name",
    text: "Your own display name, as others see it.",
    output: z.string(),
    run: ({ state }) => nameOf(state, state.me.uid),
  }),
  tool({
    name: "acc_network",
    text: "Accelerates the network for LightTalk, which ends its network issues.",
    output: z.string(),
    effect: "write",
    idempotent: true,
    run: ({ state }) => {
      state.network.accelerated = true;
      return "You have successfully accelerated the network for the LightTalk app.";
    },
  }),
  tool({
    name: "list_ip_choices",
    text: "Places that your IP address can be moved to, each as City, Country.",
    output: z.array(z.string()),
    run: () => [...ipChoices],
  }),
  tool({
    name: "change_my_ip",
    text: "Moves your IP address to another place. Moments that you post later show it; those posted before keep theirs.",
    input: { where: z.string().describe("a place exactly as list_ip_choices gives it") },
    output: z.string(),
    effect: "write",
    idempotent: true,
    run: ({ state }, { where }) => {
      if (!ipChoices.some((place) => place === where)) refuse(unknownPlace(where));
      state.me.ip = where;
      return `You have successfully changed your IP to ${where}`;
    },
  }),
  tool({
    name: "ask_for_privilege",
    text: "Asks for the privilege to send messages, likes and comments to restricted contacts. It stays granted.",
    output: z.string(),
    effect: "write",
    idempotent: true,
    run: ({ state }) => {
      state.privilege.granted = true;
      return "You have successfully been granted the privilege to reach restricted contacts.";
    },
  }),
];

const places = new Fuse(ipChoices, { ignoreLocation: true, threshold: 0.3 });

function unknownPlace(where: string): string {
  const near = places.search(where, { limit: 3 }).map(({ item }) => item);
  const hint = near.length > 0 ? `did you mean ${near.join(" or ")}?` : "list_ip_choices gives all places";
  return `\`${where}\` is not a place to choose, ${hint}`;
}
