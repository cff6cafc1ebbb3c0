import Fuse from "fuse.js";
import { z } from "zod";
import { refuse, toolsOf } from "../../define.ts";
import { type Item, itemOf, type LightShopState, shopOf } from "./state.ts";

const tool = toolsOf<LightShopState>();

/** Parameters that many tools share. */
export const parameters = {
  sid: z.string().describe('SID of the shop: "shop_" and 22 characters, never a name'),
  tid: z.string().describe('TID of the item: "item_" and 22 characters, never a name'),
};
const shopName = z.string().min(1).describe("name of the shop, or a part of it");
const itemName = z.string().min(1).describe("name of the item, or a part of it");

const shopRow = z.strictObject({ sid: z.string(), name: z.string(), category: z.string(), star: z.boolean() });
const itemRow = z.strictObject({ tid: z.string(), name: z.string(), price: z.number(), star: z.boolean() });
/** An item of a list over several shops. */
export const offerRow = z.strictObject({ ...itemRow.shape, sid: z.string(), shop: z.string() });
export { shopRow };

/** Tools that find shops. */
const shopTools = [
  tool({
    name: "list_all_shop_categories",
    text: "The categories that shops belong to, sorted by name.",
    output: z.array(z.string()),
    run: ({ state }) => categoriesOf(state),
  }),
  tool({
    name: "get_shop_id_by_name",
    text: "SID of the shop with exactly this name. For a part of a name use search_shops.",
    input: { shop_name: z.string().describe("full name of the shop") },
    output: z.string(),
    run: ({ state }, { shop_name }) =>
      Object.entries(state.shops).find(([, { name }]) => name === shop_name)?.[0] ??
      refuse(`Shop ${shop_name} not found`),
  }),
  tool({
    name: "list_all_shops_by_category",
    text: "Names of all shops of a category, sorted.",
    input: { category: z.string().describe("a category exactly as list_all_shop_categories gives it") },
    output: z.array(z.string()),
    run: ({ state }, { category }) => {
      const names = Object.values(state.shops)
        .filter((shop) => shop.category === category)
        .map(({ name }) => name);
      if (names.length === 0)
        refuse(`There is no category \`${category}\`, choose one of: ${categoriesOf(state).join(", ")}`);
      return names.sort();
    },
  }),
  tool({
    name: "search_shops",
    text: "Shops whose name has the given text in it, in any case. Empty if there is none.",
    input: { shop_name: shopName },
    output: z.array(shopRow),
    run: ({ state }, { shop_name }) => shopRows(state, (name) => hasPart(name, shop_name)),
  }),
  tool({
    name: "fuzzy_search_shops",
    text: "Shops whose name is like the given text, the best first; spelling mistakes are forgiven.",
    input: { shop_name: shopName },
    output: z.array(shopRow),
    run: ({ state }, { shop_name }) =>
      closest(
        shopRows(state, () => true),
        shop_name,
      ),
  }),
];

/** Tools that find items. Decision: search takes the whole text as a part of the name, in any case. */
const itemTools = [
  tool({
    name: "list_items",
    text: "All items of a shop with price, sorted by name.",
    input: { sid: parameters.sid },
    output: z.array(itemRow),
    run: ({ state }, { sid }) => itemRows(state, sid),
  }),
  tool({
    name: "get_item_info",
    text: "Price, stock and description of an item.",
    input: { sid: parameters.sid, tid: parameters.tid },
    output: z.strictObject({
      ...itemRow.shape,
      description: z.string(),
      stock: z.int().describe("how many the shop has left"),
    }),
    run: ({ state }, { sid, tid }) => {
      const item = itemOf(state, sid, tid);
      return { ...itemRowOf(tid, item), description: item.description, stock: item.stock };
    },
  }),
  tool({
    name: "search_items",
    text: "Items of all shops whose name has the given text in it, in any case, with their shop. Empty if there is none.",
    input: { item_name: itemName },
    output: z.array(offerRow),
    run: ({ state }, { item_name }) => offerRows(state, ({ name }) => hasPart(name, item_name)),
  }),
  tool({
    name: "fuzzy_search_items",
    text: "Items of all shops whose name is like the given text, the best first, with their shop; spelling mistakes are forgiven.",
    input: { item_name: itemName },
    output: z.array(offerRow),
    run: ({ state }, { item_name }) =>
      closest(
        offerRows(state, () => true),
        item_name,
      ),
  }),
  tool({
    name: "search_items_in_shop",
    text: "Items of one shop whose name has the given text in it, in any case. Empty if there is none.",
    input: { sid: parameters.sid, item_name: itemName },
    output: z.array(itemRow),
    run: ({ state }, { sid, item_name }) => itemRows(state, sid).filter(({ name }) => hasPart(name, item_name)),
  }),
  tool({
    name: "fuzzy_search_items_in_shop",
    text: "Items of one shop whose name is like the given text, the best first; spelling mistakes are forgiven.",
    input: { sid: parameters.sid, item_name: itemName },
    output: z.array(itemRow),
    run: ({ state }, { sid, item_name }) => closest(itemRows(state, sid), item_name),
  }),
];

/** All tools that only look. */
export const browseTools = [...shopTools, ...itemTools];

function categoriesOf(state: LightShopState): string[] {
  return [...new Set(Object.values(state.shops).map(({ category }) => category))].sort();
}

/** Shops as lines of a list, sorted by name. */
export function shopRows(
  state: LightShopState,
  wanted: (name: string, starred: boolean) => boolean,
): z.output<typeof shopRow>[] {
  return Object.entries(state.shops)
    .filter(([, { name, starred }]) => wanted(name, starred))
    .map(([sid, { name, category, starred }]) => ({ sid, name, category, star: starred }))
    .sort(byName);
}

/** Items of all shops as lines of a list, sorted by name and price. */
export function offerRows(state: LightShopState, wanted: (item: Item) => boolean): z.output<typeof offerRow>[] {
  return Object.entries(state.items)
    .filter(([, item]) => wanted(item))
    .map(([tid, item]) => ({ ...itemRowOf(tid, item), sid: item.sid, shop: shopOf(state, item.sid).name }))
    .sort((a, b) => byName(a, b) || a.price - b.price);
}

function itemRows(state: LightShopState, sid: string): z.output<typeof itemRow>[] {
  shopOf(state, sid);
  return Object.entries(state.items)
    .filter(([, item]) => item.sid === sid)
    .map(([tid, item]) => itemRowOf(tid, item))
    .sort(byName);
}

function itemRowOf(tid: string, { name, price, starred }: Item): z.output<typeof itemRow> {
  return { tid, name, price, star: starred };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function hasPart(name: string, part: string): boolean {
  return name.toLowerCase().includes(part.trim().toLowerCase());
}

const MOST_HITS = 20;

/** The rows whose name is most like a text. Each word of it may stand anywhere in the name. */
function closest<T extends { readonly name: string }>(rows: readonly T[], text: string): T[] {
  const fuse = new Fuse(rows, { keys: ["name"], threshold: 0.35, ignoreLocation: true, useTokenSearch: true });
  return fuse.search(text, { limit: MOST_HITS }).map(({ item }) => item);
}
