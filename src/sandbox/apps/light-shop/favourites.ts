import { z } from "zod";
import { refuse, toolsOf } from "../../define.ts";
import { offerRow, offerRows, parameters, shopRow, shopRows } from "./browse.ts";
import { itemOf, type LightShopState, shopOf } from "./state.ts";

const tool = toolsOf<LightShopState>();

/** Tools that mark shops and items, and list what is marked. Decision: to mark twice, or to unmark what is not, is refused. */
export const favouriteTools = [
  tool({
    name: "star_shop",
    text: "Marks a shop with a star.",
    input: { sid: parameters.sid },
    output: z.string(),
    effect: "write",
    run: ({ state }, { sid }) => {
      const shop = shopOf(state, sid);
      if (shop.starred) refuse(`The shop \`${shop.name}\` (SID=${sid}) has a star already`);
      shop.starred = true;
      return `Starred the shop \`${shop.name}\` (SID=${sid}).`;
    },
  }),
  tool({
    name: "unstar_shop",
    text: "Takes the star from a shop.",
    input: { sid: parameters.sid },
    output: z.string(),
    effect: "write",
    run: ({ state }, { sid }) => {
      const shop = shopOf(state, sid);
      if (!shop.starred) refuse(`The shop \`${shop.name}\` (SID=${sid}) has no star`);
      shop.starred = false;
      return `Unstarred the shop \`${shop.name}\` (SID=${sid}).`;
    },
  }),
  tool({
    name: "star_item",
    text: "Marks an item with a star.",
    input: parameters,
    output: z.string(),
    effect: "write",
    run: ({ state }, { sid, tid }) => {
      const item = itemOf(state, sid, tid);
      if (item.starred) refuse(`The item '${item.name}' (ID: ${tid}) has a star already`);
      item.starred = true;
      return `Starred the item '${item.name}' (ID: ${tid}).`;
    },
  }),
  tool({
    name: "unstar_item",
    text: "Takes the star from an item.",
    input: parameters,
    output: z.string(),
    effect: "write",
    run: ({ state }, { sid, tid }) => {
      const item = itemOf(state, sid, tid);
      if (!item.starred) refuse(`The item '${item.name}' (ID: ${tid}) has no star`);
      item.starred = false;
      return `Unstarred the item '${item.name}' (ID: ${tid}).`;
    },
  }),
  tool({
    name: "get_starred_shops",
    text: "All shops that you have starred, sorted by name.",
    output: z.array(shopRow),
    run: ({ state }) => shopRows(state, (_, starred) => starred),
  }),
  tool({
    name: "get_my_starred_items",
    text: "All items that you have starred, sorted by name, with their shop.",
    output: z.array(offerRow),
    run: ({ state }) => offerRows(state, ({ starred }) => starred),
  }),
];
