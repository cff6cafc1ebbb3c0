import fc from "fast-check";
import { describe, expect, it } from "vitest";
import published from "../../../../test/data/sandbox-tools.json" with { type: "json" };
import { sandboxCaller } from "../../../../test/sandbox-caller.ts";
import { hashJson } from "../../../base/canonical-json.ts";
import { ID_PATTERN } from "../../../base/random.ts";
import { createWorld } from "../../world.ts";
import { lightShop } from "./light-shop.ts";
import type { LightShopState } from "./state.ts";

const SEEDS = Array.from({ length: 50 }, (_, seed) => seed);

function open(seed = 3) {
  const caller = sandboxCaller(lightShop, seed);
  const state = () => caller.state() as unknown as LightShopState;
  const offer = (wanted: (item: LightShopState["items"][string]) => boolean) => {
    const [tid, item] = Object.entries(state().items).find(([, candidate]) => wanted(candidate)) ?? [];
    if (tid === undefined || item === undefined) throw new RangeError("the world has no such item");
    return { tid, ...item };
  };
  const emptyCart = () => {
    for (const { caid } of caller.ok("get_cart_summary") as { caid: string }[])
      caller.ok("delete_item_in_cart", { caid });
  };
  return { ...caller, state, offer, emptyCart };
}

describe("LightShop", () => {
  it("has the published tools and parameters, all of them described", () => {
    const types: Record<string, string> = { string: "str", integer: "int" };
    const ours = lightShop.tools.map(({ name, text, input }) => {
      expect(text.length, name).toBeGreaterThan(15);
      const { properties = {} } = input.toJSONSchema({ io: "input" });
      const parameters = Object.entries(properties).map(([parameter, schema]) => {
        const { type, description } = schema as { type: string; description?: string };
        expect(description, `${name}.${parameter}`).toBeTruthy();
        return [parameter, { type: types[type] ?? type }];
      });
      return [name, Object.fromEntries(parameters)];
    });
    expect(Object.fromEntries(ours)).toEqual(published.LightShop);
    expect(ours).toHaveLength(26);
  });

  it("has the same state for the same seed only", () => {
    const hash = (seed: number) => hashJson(createWorld({ seed, apps: [lightShop] }).state("LightShop"));
    expect(hash(5)).toBe(hash(5));
    expect(new Set([1, 2, 3, 4, 5].map(hash)).size).toBe(5);
  });

  it.each(SEEDS)("starts with what queries rely on, seed %i", (seed) => {
    const { state } = open(seed);
    const { shops, items, cart, transactions, balance } = state();
    const all = Object.values(items);
    const categories = Object.values(shops).map(({ category }) => category);
    expect(categories.length).toBeGreaterThanOrEqual(24);
    expect(categories.length).toBeLessThanOrEqual(32);
    expect(new Set(categories).size).toBeGreaterThanOrEqual(8);
    expect(categories.filter((category) => category === "fruit").length).toBeGreaterThanOrEqual(4);
    for (const sid of Object.keys(shops)) {
      const names = all.filter((item) => item.sid === sid).map(({ name }) => name);
      expect(names.length).toBeGreaterThanOrEqual(10);
      expect(new Set(names).size).toBe(names.length);
    }
    expect(new Set(all.map(({ name, price }) => `${name}/${price}`)).size).toBe(all.length);
    expect(balance).toBeGreaterThanOrEqual(400);
    expect(Object.keys(cart).length).toBeLessThanOrEqual(3);
    const totals = Object.values(transactions).map(({ total }) => total);
    expect(totals.length).toBeGreaterThanOrEqual(2);
    expect(new Set(totals).size).toBe(totals.length);
    const fruit = all.filter(({ sid }) => shops[sid]?.category === "fruit");
    const shared = fruit.filter((item) => fruit.some((other) => other !== item && other.name === item.name));
    expect(shared.length).toBeGreaterThan(10);
  });
});

describe("finding shops and items", () => {
  it("goes from category to shop to item", () => {
    const { ok, state } = open();
    const categories = ok("list_all_shop_categories") as string[];
    expect(categories).toEqual([...categories].sort());
    const [name = ""] = ok("list_all_shops_by_category", { category: "fruit" }) as string[];
    const sid = ok("get_shop_id_by_name", { shop_name: name }) as string;
    expect(state().shops[sid]?.category).toBe("fruit");
    const rows = ok("list_items", { sid }) as { tid: string; name: string; price: number }[];
    expect(rows.map((row) => row.name)).toEqual(rows.map((row) => row.name).sort());
    const [row] = rows;
    expect(ok("get_item_info", { sid, tid: row?.tid ?? "" })).toMatchObject({ name: row?.name, price: row?.price });
    expect(ok("search_items_in_shop", { sid, item_name: row?.name.toUpperCase() ?? "" })).toContainEqual(row);
  });

  it("searches for the whole text as a part, and tolerantly by the fuzzy tools", () => {
    const { ok, offer, state } = open();
    const { name, tid, sid } = offer((item) => item.name.includes("apple ("));
    expect(ok("search_items", { item_name: name })).toContainEqual(expect.objectContaining({ tid }));
    expect(ok("search_items", { item_name: "apples of all kinds" })).toEqual([]);
    expect(ok("fuzzy_search_items", { item_name: name.replace("apple", "aple") })).toContainEqual(
      expect.objectContaining({ tid }),
    );
    expect(ok("fuzzy_search_items_in_shop", { sid, item_name: name.replace(/^(.)(.)/, "$2$1") })).toContainEqual(
      expect.objectContaining({ tid }),
    );
    const shop = state().shops[sid]?.name ?? "";
    expect(ok("search_shops", { shop_name: shop.slice(2, 8) })).toContainEqual(expect.objectContaining({ sid }));
    expect(ok("fuzzy_search_shops", { shop_name: shop.replace("e", "a") })).toContainEqual(
      expect.objectContaining({ sid }),
    );
  });

  it("refuses names where ids are wanted, and what is not there", () => {
    const { refused, offer } = open();
    const { sid, name } = offer(() => true);
    expect(refused("get_shop_id_by_name", { shop_name: "Nowhere" })).toBe("Shop Nowhere not found");
    expect(refused("list_all_shops_by_category", { category: "boats" })).toContain("choose one of: ");
    expect(refused("list_items", { sid: "Orchard Corner" })).toContain("not found");
    expect(refused("get_item_info", { sid, tid: name })).toContain("not found in shop");
    expect(refused("list_items", { sid: "constructor" })).toContain("not found");
  });
});

describe("buying", () => {
  it("buys the whole cart, leftovers included, and takes money and stock", () => {
    const { ok, offer, state } = open();
    const { sid, tid, price, stock } = offer((item) => item.stock >= 3 && item.price < 20);
    const before = state();
    const leftovers = Object.values(before.cart).reduce(
      (sum, { tid: id, count }) => sum + count * (before.items[id]?.price ?? 0),
      0,
    );
    expect(ok("add_to_cart", { sid, tid, cnt: 2 })).toMatch(/^Added 2 x '.+' \(ID: item_\w{22}\) to your cart\.$/);
    ok("wait_payment_password");
    expect(ok("checkout_all")).toMatch(/^Checkout successful\. Transaction ID: trans_\w{22}\.$/);
    const after = state();
    expect(after.balance).toBeCloseTo(before.balance - 2 * price - leftovers, 2);
    expect(after.items[tid]?.stock).toBe(stock - 2);
    expect(after.cart).toEqual({});
    expect(Object.keys(after.transactions)).toHaveLength(Object.keys(before.transactions).length + 1);
    expect(ok("get_cart_summary")).toEqual([]);
  });

  it("adds to the line that an item has", () => {
    const { ok, offer, state, emptyCart } = open();
    emptyCart();
    const { sid, tid } = offer((item) => item.stock >= 5);
    ok("add_to_cart", { sid, tid, cnt: 2 });
    ok("add_to_cart", { sid, tid, cnt: 3 });
    expect(Object.values(state().cart)).toEqual([{ sid, tid, count: 5 }]);
  });

  it("refuses a checkout without password, money or goods, and changes nothing", () => {
    const { ok, refused, offer, state, emptyCart } = open();
    emptyCart();
    ok("wait_payment_password");
    expect(refused("checkout_all")).toBe("Your cart is empty");
    const { sid, tid, stock, name } = offer((item) => item.stock >= 3);
    expect(refused("add_to_cart", { sid, tid, cnt: stock + 1 })).toContain(`only ${stock} of '${name}'`);
    ok("add_to_cart", { sid, tid, cnt: 1 });
    ok("checkout_all");
    ok("add_to_cart", { sid, tid, cnt: 1 });
    expect(refused("checkout_all")).toBe("Please enter the payment password first");
    ok("wait_payment_password");
    for (const [id, item] of Object.entries(state().items)) {
      if (item.stock > 0 && item.stock * item.price > 1000 && id !== tid)
        ok("add_to_cart", { sid: item.sid, tid: id, cnt: item.stock });
    }
    expect(refused("checkout_all")).toContain("is not enough");
    expect(state().password.entered).toBe(true);
  });

  it("shows and removes past orders", () => {
    const { ok, refused } = open();
    const history = ok("get_trans_history") as { trid: string; timestamp: string }[];
    expect(history.map(({ timestamp }) => timestamp)).toEqual(history.map(({ timestamp }) => timestamp).sort());
    const [first] = history;
    const trid = first?.trid ?? "";
    expect(ok("get_trans_info", { trid })).toEqual(first);
    ok("delete_trans_history", { trid });
    expect(refused("get_trans_info", { trid })).toContain("not found");
    expect(ok("get_trans_history")).toHaveLength(history.length - 1);
  });

  it("keeps stars on shops and items", () => {
    const { ok, refused, offer, state } = open();
    const { sid, tid } = offer((item) => !item.starred && !(state().shops[item.sid]?.starred ?? true));
    expect(refused("unstar_item", { sid, tid })).toContain("has no star");
    ok("star_item", { sid, tid });
    ok("star_shop", { sid });
    expect(ok("get_my_starred_items")).toContainEqual(expect.objectContaining({ tid, star: true }));
    expect(ok("get_starred_shops")).toContainEqual(expect.objectContaining({ sid, star: true }));
    expect(refused("star_shop", { sid })).toContain("has a star already");
    ok("unstar_item", { sid, tid });
    ok("unstar_shop", { sid });
  });
});

it("answers any arguments that fit the schema, in the shape that it promises", () => {
  const world = createWorld({ seed: 8, apps: [lightShop], faults: false });
  const ids = [...new Set(JSON.stringify(world.state("LightShop")).match(ID_PATTERN))];
  const text = fc.oneof(
    fc.constantFrom(...ids),
    fc.constantFrom("__proto__", "fruit", "apple"),
    fc.string({ minLength: 1 }),
  );
  const calls = Object.entries(published.LightShop).map(([tool, parameters]) => {
    const inputs = Object.entries(parameters as Record<string, { type: string }>).map(([name, { type }]) => [
      name,
      type === "int" ? fc.integer({ min: 1, max: 20 }) : text,
    ]);
    return fc.record(Object.fromEntries(inputs)).map((input) => ({ tool, input }));
  });
  fc.assert(
    fc.property(fc.oneof(...calls), ({ tool, input }) => {
      const declared = lightShop.tool(tool);
      const before = world.state("LightShop");
      const answer = world.invoke("LightShop", tool, declared?.input.parse(input) as never);
      expect(answer.status, `${tool}: ${answer.output}`).not.toBe("internal error");
      if (answer.status === "ok") expect(declared?.output.safeParse(answer.output).error).toBeUndefined();
      if (declared?.effect === "read" || answer.status === "failed") expect(world.state("LightShop")).toBe(before);
    }),
    { numRuns: 1500, seed: 1 },
  );
});
