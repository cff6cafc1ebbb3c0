import { refuse } from "../../define.ts";

/** A shop. */
export interface Shop {
  name: string;
  category: string;
  starred: boolean;
}

/** Something that a shop sells. */
export interface Item {
  sid: string;
  name: string;
  description: string;
  price: number;
  stock: number;
  starred: boolean;
}

/** A line of the cart. */
export interface CartLine {
  sid: string;
  tid: string;
  count: number;
}

/** A checkout. */
export interface Transaction {
  timestamp: string;
  total: number;
  lines: { sid: string; tid: string; count: number; price: number }[];
}

/** All that LightShop keeps, in maps by id; a record does not repeat its id. */
export interface LightShopState {
  balance: number;
  password: { entered: boolean };
  shops: Record<string, Shop>;
  items: Record<string, Item>;
  cart: Record<string, CartLine>;
  transactions: Record<string, Transaction>;
}

/** What never counts in a comparison, as JSON Pointer patterns below the app's state. */
export const volatile = ["/password/entered", "/transactions/*/timestamp"] as const;

/** Money to the cent. */
export function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}

/** The record of that id. Ids come from outside, so names that every object has must not be found. */
function lookUp<T>(records: Record<string, T>, id: string): T | undefined {
  return Object.hasOwn(records, id) ? records[id] : undefined;
}

/** The shop of that id. */
export function shopOf(state: LightShopState, sid: string): Shop {
  return lookUp(state.shops, sid) ?? refuse(`Shop with SID (${sid}) not found`);
}

/** An item that this shop sells. */
export function itemOf(state: LightShopState, sid: string, tid: string): Item {
  const shop = shopOf(state, sid);
  const item = lookUp(state.items, tid);
  return item?.sid === sid ? item : refuse(`Item with TID (${tid}) not found in shop \`${shop.name}\` (SID=${sid})`);
}

/** A line of the cart. */
export function cartLineOf(state: LightShopState, caid: string): CartLine {
  return lookUp(state.cart, caid) ?? refuse(`Cart entry with CAID (${caid}) not found`);
}

/** A past checkout. */
export function transactionOf(state: LightShopState, trid: string): Transaction {
  return lookUp(state.transactions, trid) ?? refuse(`Transaction with TRID (${trid}) not found`);
}

/** Past checkouts with their ids, oldest first. */
export function oldestFirst(state: LightShopState): [trid: string, transaction: Transaction][] {
  return Object.entries(state.transactions).sort(([, a], [, b]) =>
    a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0,
  );
}
