/** Keeps the end of a text stream, however much flows through. */
export interface TextTail {
  add(chunk: string): void;
  /** The last `most` characters, from the beginning of a line if one begins there, without the last line break. */
  end(most: number): string;
}

/** @param kept how many characters stay in memory */
export function textTail(kept = 65_536): TextTail {
  let text = "";
  return {
    add: (chunk) => {
      text = (text + chunk).slice(-kept);
    },
    end: (most) => {
      const cut = text.trimEnd();
      if (cut.length <= most) return cut;
      const last = cut.slice(-most);
      const lineStart = last.indexOf("\n") + 1;
      return lineStart > 0 && lineStart < last.length ? last.slice(lineStart) : last;
    },
  };
}

/**
 * Splits a byte stream into lines. The work is linear in the bytes, also for a line that comes in many chunks.
 * @param most bytes that a line may have
 * @returns a function that takes a chunk and gives false as soon as a line is too long
 */
export function lineSplitter(most: number, onLine: (line: string) => void): (chunk: Buffer) => boolean {
  let parts: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, at));
      from = at + 1;
      const line = Buffer.concat(parts);
      parts = [];
      size = 0;
      onLine(line.toString("utf8").replace(/\r$/, ""));
    }
    const rest = chunk.subarray(from);
    if (rest.length > 0) parts.push(rest);
    size += rest.length;
    return size <= most;
  };
}
