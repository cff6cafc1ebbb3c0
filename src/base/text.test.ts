import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutEnd, cutMiddle, cutStart } from "./text.ts";

// In the types from ES2024 on, in Node from 20 on.
const wellFormed = (text: string) => (text as string & { isWellFormed(): boolean }).isWellFormed();

describe("cutting a text", () => {
  it("never falls into a character, wherever the cut is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), fc.nat(45), (text, most) => {
        for (const cut of [cutEnd(text, most), cutStart(text, most), cutMiddle(text, most)]) {
          expect(wellFormed(cut)).toBe(true);
        }
        expect(text.startsWith(cutEnd(text, most))).toBe(true);
        expect(text.endsWith(cutStart(text, most))).toBe(true);
        expect(cutEnd(text, most).length).toBeLessThanOrEqual(most);
      }),
    );
  });

  it("loses no more than it must, and says what is left out", () => {
    expect(cutEnd("ab🎉c", 4)).toBe("ab🎉");
    expect(cutEnd("ab🎉c", 3)).toBe("ab");
    expect(cutStart("ab🎉c", 2)).toBe("c");
    expect(cutMiddle("0123456789", 10)).toBe("0123456789");
    expect(cutMiddle("0123456789", 4)).toBe("01\n[… 6 characters left out …]\n89");
  });
});
