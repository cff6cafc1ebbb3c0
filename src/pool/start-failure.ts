import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { Connection, RemoteServerConfig } from "./connection.ts";
import { describeError, httpStatus, isClosed, isTimeout } from "./errors.ts";

/** Why a session could not be opened, in words. */
export class StartFailure extends Error {
  /** Status with which an address answered, or null. */
  readonly status: number | null;

  constructor(thrown: unknown, connection: Connection, config: RemoteServerConfig) {
    super([reason(thrown, connection, config), connection.remains()].filter(Boolean).join("; "), { cause: thrown });
    this.status = httpStatus(thrown);
  }
}

function reason(thrown: unknown, connection: Connection, config: RemoteServerConfig): string {
  if (isTimeout(thrown)) return `it did not answer initialize within ${config.startTimeoutMs / 1000} s`;
  if (thrown instanceof McpError && !isClosed(thrown)) {
    return `it answered initialize with an error: ${describeError(thrown)}`;
  }
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  if (code === "ENOENT" && config.type === "stdio") return `the command ${config.command} was not found`;
  const exit = connection.exit();
  if (exit !== null && isClosed(thrown)) return `it ended (${exit}) before it answered initialize`;
  return describeError(thrown);
}

/** `work`, or a time-out like the SDK's: some transports wait for an event before they send anything. */
export async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new McpError(ErrorCode.RequestTimeout, "Request timed out")), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
