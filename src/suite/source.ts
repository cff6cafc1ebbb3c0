import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from "yaml";

/** Where in a file's value something is. */
export type Path = readonly (string | number)[];

/** A place in a text file, counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A YAML file of a suite. */
export interface SourceFile {
  /** As messages show it. */
  readonly file: string;
  readonly text: string;
  /** The file as a plain value; undefined if it is not YAML. */
  readonly value: unknown;
  /** What the YAML parser found wrong. */
  readonly errors: readonly (Place & { readonly message: string })[];
  /** Where the value at `path` stands (or its key); the nearest place around it if it is not there. */
  locate(path: Path, onKey: boolean, offset: number): Place;
}

/** Parses a YAML file. Never throws for what stands in it. */
export function readSource(file: string, text: string): SourceFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const errors = document.errors.map((error) => ({ ...place(error.pos[0]), message: error.message }));
  return {
    file,
    text,
    value: errors.length > 0 ? undefined : plainValue(document, errors, place),
    errors,
    locate: (path, onKey, offset) => place(offsetOf(document, text, path, onKey, offset)),
  };
}

/** Aliases may refer to what is not there, or to too much: that shows only now. */
function plainValue(
  document: Document,
  errors: (Place & { message: string })[],
  place: (offset: number) => Place,
): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (thrown) {
    errors.push({ ...place(0), message: thrown instanceof Error ? thrown.message : String(thrown) });
    return undefined;
  }
}

function offsetOf(document: Document, text: string, path: Path, onKey: boolean, inside: number): number {
  let node: unknown = document.contents;
  let keyOffset = 0;
  let complete = true;
  for (const part of path) {
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find((item) => (isScalar(item.key) ? String(item.key.value) : item.key) === String(part));
      if (isNode(pair?.key)) keyOffset = pair.key.range?.[0] ?? keyOffset;
      next = pair?.value ?? pair?.key;
    } else if (isSeq(node)) {
      next = node.items[Number(part)];
      if (isNode(next)) keyOffset = next.range?.[0] ?? keyOffset;
    }
    if (!isNode(next)) {
      complete = false;
      break;
    }
    node = next;
  }
  if (onKey || !isNode(node) || !node.range) return keyOffset;
  const [start, end] = node.range;
  if (!complete || inside === 0 || !isScalar(node) || typeof node.value !== "string") return start;
  // Only a text that stands in the file as it is has places of its own; escapes and folded lines move them.
  const at = text.slice(start, end).indexOf(node.value);
  return at < 0 ? start : start + at + inside;
}
