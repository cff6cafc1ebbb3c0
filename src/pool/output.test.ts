import { describe, expect, it } from "vitest";
import { lineSplitter, textTail } from "./output.ts";

describe("textTail", () => {
  it("gives the end, from the beginning of a line", () => {
    const tail = textTail();
    tail.add("first line\nsecond ");
    tail.add("line\nthird line\n");
    expect(tail.end(100)).toBe("first line\nsecond line\nthird line");
    expect(tail.end(15)).toBe("third line");
  });

  it("stays bounded, also without line breaks", () => {
    const tail = textTail(100);
    for (let i = 0; i < 50; i++) tail.add("0123456789");
    expect(tail.end(1000)).toHaveLength(100);
    expect(tail.end(12)).toBe("890123456789");
  });
});

describe("lineSplitter", () => {
  it("joins chunks, also inside a character, and drops carriage returns", () => {
    const lines: string[] = [];
    const split = lineSplitter(1000, (line) => lines.push(line));
    const bytes = Buffer.from('{"a":"ü"}\r\n\nlast\n');
    for (const byte of bytes) split(Buffer.from([byte]));
    expect(lines).toEqual(['{"a":"ü"}', "", "last"]);
  });

  it("tells when a line is too long", () => {
    const split = lineSplitter(10, () => {});
    expect(split(Buffer.from("12345\n12345"))).toBe(true);
    expect(split(Buffer.from("123456"))).toBe(false);
  });
});
