import { describe, expect, it } from "vitest";
import type { Json } from "../../base/json.ts";
import { drawId, random } from "../../base/random.ts";
import { findMinted, idPrefix, isKnownId, mintedIds } from "./minted.ts";

const source = random(1, "minted");
const order = drawId(source, "order");
const user = drawId(source, "user");
const uuid = "1b4e28ba-2fa1-11d2-883f-0016d3cca427";
const none = { reference: [], after: [] };

describe("mintedIds", () => {
  it("finds ids as a whole and inside texts", () => {
    const ids = mintedIds([order, uuid]);
    expect(ids.indexOf(order)).toBe(0);
    expect(ids.split(`paid ${order}, see ${uuid}.`)).toEqual(["paid ", 0, ", see ", 1, "."]);
    expect(ids.split(order)).toEqual(["", 0, ""]);
  });

  it("finds listed ids of other forms, but not as a part of a longer word", () => {
    const ids = mintedIds(["order-7", order]);
    expect(ids.split(`order-7 of ${order}`)).toEqual(["", 0, " of ", 1, ""]);
    expect(ids.split("order-71, reorder-7")).toBeNull();
  });

  it("does not find other ids", () => {
    expect(mintedIds([order]).split(`for ${user}`)).toBeNull();
    expect(mintedIds([]).split(order)).toBeNull();
  });

  it("tells the forms apart", () => {
    expect([order, uuid, "order_7", `${order}x`].map(isKnownId)).toEqual([true, true, false, false]);
    expect([order, uuid, "order-7"].map(idPrefix)).toEqual(["order", "uuid", ""]);
  });
});

describe("findMinted", () => {
  const find = (before: Json, reference: Json, forms: "all" | "uuid" | "none") =>
    findMinted({ before, reference, after: {} }, none, forms).reference.ids;

  it("takes ids that the start state has nowhere", () => {
    expect(find({}, { orders: { [order]: { by: user } }, log: [`made ${uuid}`] }, "all")).toEqual([order, user, uuid]);
  });

  it("leaves ids that the start state has as a key, a value or in a text", () => {
    const end = { a: [order, user, uuid] };
    expect(find({ [order]: 1, list: [user], text: `about ${uuid}` }, end, "all")).toEqual([]);
  });

  it("takes only the forms that it is asked for", () => {
    expect(find({}, { order, uuid }, "uuid")).toEqual([uuid]);
    expect(find({}, { order, uuid }, "none")).toEqual([]);
  });

  it("takes listed ids of any form, unless the start state has them", () => {
    const listed = { reference: ["order-7", "order-8"], after: ["order-8"] };
    const found = findMinted({ before: { old: "order-8" }, reference: {}, after: {} }, listed, "none");
    expect(found.reference.ids).toEqual(["order-7"]);
    expect(found.after.ids).toEqual([]);
  });
});
