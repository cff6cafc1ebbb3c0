import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exposedNames } from "./names.ts";

const of = (server: string, ...tools: string[]) => tools.map((tool) => ({ server, tool }));

describe("exposedNames", () => {
  it("keeps the bare name, and puts the server before the later of two", () => {
    expect(exposedNames([...of("s1", "search", "get"), ...of("s2", "search", "put")])).toEqual([
      "search",
      "get",
      "s2_search",
      "put",
    ]);
  });

  it("copes with a tool that is named like a prefixed one", () => {
    const names = exposedNames([...of("s1", "search", "s2_search"), ...of("s2", "search")]);
    expect(names.slice(0, 2)).toEqual(["search", "s2_search"]);
    expect(names[2]).toMatch(/^s2_search_[0-9a-f]{8}$/);
  });

  it("tells names apart that become equal, and keeps those that fit", () => {
    const names = exposedNames(of("s", "get.item", "get/item", "get_item", "GET_ITEM"));
    expect(names[0]).toBe("s_get_item");
    expect(names[1]).toMatch(/^s_get_item_[0-9a-f]{8}$/);
    expect(names.slice(2)).toEqual(["get_item", "GET_ITEM"]);
  });

  it("shortens what is too long, readable at its beginning", () => {
    const long = "x".repeat(60);
    const [create, remove] = exposedNames(of("playwright-remote-staging", `${long}_create`, `${long}_delete`));
    expect(create).toMatch(/^playwright-remote-staging_x+_[0-9a-f]{8}$/);
    expect(create).not.toBe(remove);
  });

  it("always gives different names of the form that models take", () => {
    const name = fc.string({ minLength: 1, maxLength: 90 });
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(fc.constantFrom("a", "a_b", "b"), name), { maxLength: 12 }), (keys) => {
        const distinct = new Map(keys.map(([server, tool]) => [`${server}\0${tool}`, { server, tool }]));
        const names = exposedNames([...distinct.values()]);
        expect(new Set(names).size).toBe(names.length);
        for (const given of names) expect(given).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      }),
    );
  });
});
