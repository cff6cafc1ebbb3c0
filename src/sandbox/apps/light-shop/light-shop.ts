import { defineApp } from "../../define.ts";
import { browseTools } from "./browse.ts";
import { cartTools } from "./cart.ts";
import { favouriteTools } from "./favourites.ts";
import { startOf } from "./start.ts";
import { type LightShopState, volatile } from "./state.ts";
import { viewOf } from "./view.ts";

/** The shop: many shops with items, one cart and one account. */
export const lightShop = defineApp<LightShopState>({
  name: "LightShop",
  title: "Shopping",
  text:
    "Shops by category with their items, one cart, one account. Shops and items are named by SID and TID: look them up first. " +
    "A checkout buys the whole cart and needs the payment password.",
  tools: [...browseTools, ...cartTools, ...favouriteTools],
  start: startOf,
  view: viewOf,
  volatile,
  // Decision: a busy shop now and then; a retry survives it.
  faults: (source) => ({ transient: source.chance(0.3) ? 0.04 : 0, rateLimit: 0.01 }),
});
