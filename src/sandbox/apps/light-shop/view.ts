import type { JsonObject } from "../../../base/json.ts";
import { type LightShopState, oldestFirst } from "./state.ts";

/**
 * What expressions see of LightShop.
 * - `balance`
 * - `shops`: `sid`, `name`, `category`, `starred`, `items` (their number)
 * - `items`: `tid`, `sid`, `shop`, `category`, `name`, `price`, `stock`, `starred`
 * - `cart`: `caid`, `sid`, `tid`, `count`, `name`, `price`
 * - `transactions`, oldest first: `trid`, `timestamp`, `total`, `lines` (each `sid`, `tid`, `count`, `price`)
 */
export function viewOf(state: LightShopState): JsonObject {
  const { balance, shops, items, cart } = state;
  const sizes = new Map<string, number>();
  for (const { sid } of Object.values(items)) sizes.set(sid, (sizes.get(sid) ?? 0) + 1);
  return {
    balance,
    shops: Object.entries(shops).map(([sid, shop]) => ({ sid, ...shop, items: sizes.get(sid) ?? 0 })),
    items: Object.entries(items).map(([tid, { sid, name, price, stock, starred }]) => ({
      tid,
      sid,
      shop: shops[sid]?.name ?? "",
      category: shops[sid]?.category ?? "",
      name,
      price,
      stock,
      starred,
    })),
    cart: Object.entries(cart).map(([caid, line]) => ({
      caid,
      ...line,
      name: items[line.tid]?.name ?? "",
      price: items[line.tid]?.price ?? 0,
    })),
    transactions: oldestFirst(state).map(([trid, transaction]) => ({ trid, ...transaction })),
  };
}
