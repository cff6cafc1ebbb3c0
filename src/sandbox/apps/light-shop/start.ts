import { drawId, type Random } from "../../../base/random.ts";
import { formatTime } from "../../clock.ts";
import type { StartContext } from "../../define.ts";
import type { Category, Good } from "../../knowledge/shops/goods.ts";
import { goodsIn, shopCategories } from "../../knowledge/shops/shops.ts";
import { type CartLine, cents, type Item, type LightShopState, type Shop, type Transaction } from "./state.ts";

const HOUR = 3_600_000;

/** Shops of these categories are in every world, at least so many. */
const ALWAYS: Readonly<Record<string, number>> = {
  fruit: 4,
  vegetables: 2,
  books: 2,
  electronics: 1,
  stationery: 1,
};

/**
 * Start state of a seed. What queries rely on holds for every seed: 24 to 32 shops of 8 categories or more, 4 or more of them for
 * fruit, each with 10 to 16 items; an item that several shops sell has another price in each; a twelfth of the items is sold out,
 * the others have a stock of 3 to 200; balance 400 to 60 000; 0 to 3 leftover lines in the cart, 2 to 6 past orders with different
 * totals; some shops and items are starred.
 */
export function startOf({ random, startMs }: StartContext): LightShopState {
  const shops: Record<string, Shop> = {};
  const items: Record<string, Item> = {};
  const taken = new Set<string>();
  for (const [category, names] of drawShops(random("shops"))) {
    const range = drawRange(random(`range/${category.name}`), goodsIn(category), names.length);
    for (const name of names) {
      const source = random(`shops/${name}`);
      const sid = drawId(source, "shop");
      shops[sid] = { name, category: category.name, starred: source.chance(0.15) };
      for (const good of source.sample(range, source.int(10, 16))) {
        items[drawId(source, "item")] = drawItem(source, sid, good, taken);
      }
    }
  }
  const source = random("account");
  return {
    balance: cents(
      source.weighted({ modest: 3, rich: 1 }) === "rich"
        ? source.int(300_000, 6_000_000) / 100
        : source.int(40_000, 300_000) / 100,
    ),
    password: { entered: false },
    shops,
    items,
    cart: drawCart(random("cart"), items),
    transactions: drawTransactions(random("transactions"), items, startMs),
  };
}

/** The categories of a world with the names of their shops. */
function drawShops(source: Random): [Category, string[]][] {
  const total = source.int(24, 32);
  const counts = new Map<Category, number>();
  for (const category of shopCategories) {
    const least = ALWAYS[category.name] ?? 0;
    if (least > 0) counts.set(category, least);
  }
  let left = total - [...counts.values()].reduce((sum, count) => sum + count, 0);
  const others = source.sample(shopCategories, shopCategories.length);
  // A first round over all categories makes the world wide before any of them gets deep.
  for (let at = 0; left > 0; at = (at + 1) % others.length) {
    const category = others[at] as Category;
    const count = counts.get(category) ?? 0;
    if (count >= category.shops.length || (count > 0 && source.chance(0.5))) continue;
    counts.set(category, count + 1);
    left--;
  }
  return shopCategories.flatMap((category): [Category, string[]][] => {
    const count = counts.get(category) ?? 0;
    return count === 0 ? [] : [[category, source.sample(category.shops, count)]];
  });
}

/** What the shops of a category choose from: few enough goods that they compete. */
function drawRange(source: Random, goods: readonly Good[], shops: number): Good[] {
  return source.sample(goods, shops === 1 ? goods.length : 20);
}

function drawItem(source: Random, sid: string, good: Good, taken: Set<string>): Item {
  let price = cents(good.price * (0.85 + 0.3 * source.float()));
  // One name never has one price twice, so that there is always one cheapest offer.
  while (taken.has(`${good.name}/${price}`)) price = cents(price + 0.01);
  taken.add(`${good.name}/${price}`);
  return {
    sid,
    name: good.name,
    description: good.description,
    price,
    stock: source.chance(1 / 12) ? 0 : source.int(3, 200),
    starred: source.chance(0.04),
  };
}

function drawCart(source: Random, items: Record<string, Item>): Record<string, CartLine> {
  const cart: Record<string, CartLine> = {};
  const inStock = Object.entries(items).filter(([, { stock }]) => stock > 0);
  const size = source.weighted({ 0: 1, 1: 2, 2: 2, 3: 1 });
  for (const [tid, { sid, stock }] of source.sample(inStock, Number(size))) {
    cart[drawId(source, "cart")] = { sid, tid, count: Math.min(stock, source.int(1, 3)) };
  }
  return cart;
}

function drawTransactions(source: Random, items: Record<string, Item>, startMs: number): Record<string, Transaction> {
  const transactions: Record<string, Transaction> = {};
  const totals = new Set<number>();
  const all = Object.entries(items);
  let at = startMs - source.int(2, 72) * HOUR;
  for (let left = source.int(2, 6); left > 0; left--) {
    const lines = source.sample(all, source.int(1, 4)).map(([tid, { sid, price }]) => ({
      sid,
      tid,
      count: source.int(1, 4),
      // It was another price then.
      price: cents(price * (0.9 + 0.2 * source.float())),
    }));
    let total = totalOf(lines);
    const [first] = lines;
    while (first !== undefined && totals.has(total)) {
      first.price = cents(first.price + 0.01);
      total = totalOf(lines);
    }
    totals.add(total);
    transactions[drawId(source, "trans")] = { timestamp: formatTime(at), total, lines };
    at -= source.int(20, 900) * HOUR;
  }
  return transactions;
}

function totalOf(lines: Transaction["lines"]): number {
  return cents(lines.reduce((sum, { count, price }) => sum + count * price, 0));
}
