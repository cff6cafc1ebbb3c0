import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/**
 * The one text of a JSON value: keys sorted, no blanks (RFC 8785). Keys whose value is `undefined` are left out.
 * @throws TypeError if `value` is not JSON (a function, an infinite number, a cycle)
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("the value has no JSON form");
  return text;
}

/** SHA-256 of the canonical text, as 64 hex digits. Equal values have equal hashes on every machine. */
export function hashJson(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
