import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { errorMessage } from "../base/errors.ts";

/** A thrown thing in words that include what lies beneath: `fetch failed (connect ECONNREFUSED 127.0.0.1:1)`. */
export function describeError(thrown: unknown): string {
  const message = inPlainWords(errorMessage(thrown).replace(/^MCP error -?\d+: /, ""));
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  if (cause === undefined || cause === null) return message;
  const code = typeof cause === "object" && "code" in cause ? String(cause.code) : "";
  const below = errorMessage(cause) || code;
  return below === "" || message.includes(below) ? message : `${message} (${below})`;
}

/** What the SDK says of an address that answers with something else than MCP, in words that say what to look for. */
function inPlainWords(message: string): string {
  const type = /Unexpected content type: ([\w/+.-]+)/.exec(message)?.[1];
  if (type === undefined) return message;
  return `the address answered with ${type} instead of MCP; look for a login or a gateway in front of it`;
}

/**
 * True for the client's own time-outs. The code alone does not tell: a server may answer with the same one.
 */
export function isTimeout(thrown: unknown): boolean {
  return (
    thrown instanceof McpError &&
    thrown.code === ErrorCode.RequestTimeout &&
    /Request timed out|Maximum total timeout exceeded/.test(thrown.message)
  );
}

/** True for the time-out that progress cannot put off. */
export function isTotalTimeout(thrown: unknown): boolean {
  return isTimeout(thrown) && /Maximum total timeout exceeded/.test(errorMessage(thrown));
}

/** True if a request ended with the connection. Here, too, a server may use the same code. */
export function isClosed(thrown: unknown): boolean {
  if (thrown instanceof McpError)
    return thrown.code === ErrorCode.ConnectionClosed && /Connection closed/.test(thrown.message);
  return /Not connected|EPIPE/.test(errorMessage(thrown));
}

/** HTTP status in an error of the Streamable HTTP or SSE transport, or null. */
export function httpStatus(thrown: unknown): number | null {
  if (!(thrown instanceof Error) || thrown instanceof McpError || !("code" in thrown)) return null;
  return typeof thrown.code === "number" && thrown.code >= 100 && thrown.code < 600 ? thrown.code : null;
}
