import { stat } from "node:fs/promises";
import { type Json, tryParseJson } from "../../base/json.ts";
import { readStill } from "./stable.ts";

const MOST_BYTES = 64 * 2 ** 20;

/**
 * The value of a JSON file. A file named `.jsonl` or `.ndjson`, and any other that is no JSON as a whole, is read as JSON
 * Lines: a list with one value for each line that is not blank.
 * @returns null if there is no such file
 * @throws SyntaxError if it is neither, RangeError if it is over 64 MiB, and what reading throws
 */
export async function probeJson(file: string): Promise<Json> {
  let text: string;
  try {
    const { size } = await stat(file);
    if (size > MOST_BYTES) throw new RangeError(`${file} has more than ${MOST_BYTES} bytes`);
    text = (await readStill(file)).toString("utf8").replace(/^\uFEFF/, "");
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return null;
    throw thrown;
  }
  const whole = /\.(jsonl|ndjson)$/i.test(file) ? undefined : tryParseJson(text);
  return whole ?? parseLines(text, file);
}

function parseLines(text: string, file: string): Json {
  const values: Json[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const value = tryParseJson(line);
    if (value === undefined) throw new SyntaxError(`${file}:${at + 1}: not JSON`);
    values.push(value);
  }
  if (values.length === 0 && !/\.(jsonl|ndjson)$/i.test(file)) throw new SyntaxError(`${file} is empty`);
  return values;
}
