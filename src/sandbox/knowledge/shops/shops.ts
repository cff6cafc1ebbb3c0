import { foodShops } from "./food.ts";
import { type Category, type Good, goodsOf } from "./goods.ts";
import { homeShops } from "./home.ts";
import { leisureShops } from "./leisure.ts";
import { techShops } from "./tech.ts";

/** All kinds of shops. */
export const shopCategories: readonly Category[] = [...foodShops, ...homeShops, ...leisureShops, ...techShops];

const goods = new Map<string, readonly Good[]>();

/** What shops of a category may have, made once per process. */
export function goodsIn(category: Category): readonly Good[] {
  let made = goods.get(category.name);
  if (made === undefined) {
    made = goodsOf(category);
    goods.set(category.name, made);
  }
  return made;
}
