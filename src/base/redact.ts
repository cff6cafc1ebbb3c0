/** Replaces every secret in a text. */
export type Redactor = (text: string) => string;

/** What stands where a secret was. */
export const REDACTED = "[redacted]";

/** Shorter values are no secrets: they would blot out ordinary words. */
const SHORTEST_SECRET = 6;

/** Tokens that are recognised by their form, whoever's they are. */
const TOKEN_PATTERNS: readonly RegExp[] = [
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
];

/** `Bearer` and `Basic` credentials, which have a digit or padding somewhere; the scheme stays readable. */
const SCHEME_PATTERN = /\b(Bearer|Basic)(\s+)(?=[A-Za-z._~+/-]*[\d=])[A-Za-z0-9._~+/-]{8,}={0,2}/gi;

/**
 * A function that replaces `secrets` in texts, in plain, JSON-escaped, URL-encoded and base64 form (also as a part of a
 * longer base64 text), and besides whatever looks like a token.
 * @param secrets known values; those under six characters are left alone
 */
export function redactor(secrets: readonly string[]): Redactor {
  const needles = new Set<string>();
  for (const secret of secrets) {
    if (secret.trim().length < SHORTEST_SECRET) continue;
    for (const form of formsOf(secret)) needles.add(form);
  }
  // The longest first, so that a secret which holds another one goes as a whole.
  const ordered = [...needles].sort((a, b) => b.length - a.length);
  const known = ordered.length === 0 ? null : new RegExp(ordered.map(escapeRegExp).join("|"), "g");
  return (text) => {
    let clean = known === null ? text : text.replace(known, REDACTED);
    clean = clean.replace(SCHEME_PATTERN, `$1$2${REDACTED}`);
    for (const pattern of TOKEN_PATTERNS) clean = clean.replace(pattern, REDACTED);
    return clean;
  };
}

function formsOf(secret: string): string[] {
  const forms = [secret, secret.trim(), JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
  const bytes = Buffer.from(secret);
  for (const shift of [0, 1, 2]) {
    // Three bytes make four base64 characters, so the inner part looks the same wherever the secret begins in a text
    // with the same shift. Characters at the ends also depend on the neighbours and are left out.
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const first = Math.ceil((shift * 8) / 6);
    const last = Math.floor(((shift + bytes.length) * 8) / 6);
    const inner = text.slice(first, last);
    if (inner.length >= SHORTEST_SECRET) forms.push(inner, inner.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return forms;
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
