import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../base/json.ts";
import { applyChanges, changesBetween } from "./state-changes.ts";

const odd = fc.constantFrom("__proto__", "constructor", "", "a/b", "~", "~1", "0", "a");
const tree = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<Json>(null, true, 0, 1, "", "x"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.oneof(odd, fc.string({ maxLength: 2 })), tie("value")), { maxLength: 5 })
      .map((entries): Json => Object.fromEntries(entries)),
  ),
})).value;

describe("state changes", () => {
  it("give back the end, whatever the keys are", () => {
    fc.assert(
      fc.property(tree, tree, (start, end) => {
        const changes: unknown = JSON.parse(JSON.stringify(changesBetween(start, end)));
        expect(JSON.stringify(sorted(applyChanges(start, changes as ReturnType<typeof changesBetween>)))).toBe(
          JSON.stringify(sorted(end)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("do not look into what both share, and share it again", () => {
    const shared = { deep: { a: 1 } };
    const start = { shared, x: 1, gone: true };
    const changes = changesBetween(start, { shared, x: 2, new: [1] });
    expect(changes).toEqual({
      set: [
        ["/x", 2],
        ["/new", [1]],
      ],
      remove: ["/gone"],
    });
    expect((applyChanges(start, changes) as { shared: unknown }).shared).toBe(shared);
  });

  it("refuse a start that they do not belong to", () => {
    expect(() => applyChanges({ a: 1 }, { set: [["/a/b", 1]], remove: [] })).toThrow("no object at /a");
    expect(() => applyChanges({ a: 1 }, { set: [], remove: ["/b"] })).toThrow("nothing at /b");
  });
});

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]): Json => [key, sorted(item)]);
}
