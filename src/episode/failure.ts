import { toTandemError } from "../base/errors.ts";

/** Which side something happened on. */
export type Role = "reference" | "tested";

/** What kept an episode from being run or compared. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly server: string | null;
  readonly side: Role | null;
}

class SideError extends Error {
  readonly side: Role;

  constructor(side: Role, cause: unknown) {
    super("a side failed", { cause });
    this.side = side;
  }
}

/** Does something for one side, so that a failure of it says whose it was. */
export async function inSide<T>(side: Role, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw new SideError(side, thrown);
  }
}

/** What went wrong, as an episode keeps it. */
export function failureOf(thrown: unknown): Failure {
  const side = thrown instanceof SideError ? thrown.side : null;
  const error = toTandemError(thrown instanceof SideError ? thrown.cause : thrown);
  const server = error.details.server;
  return { code: error.code, message: error.message, server: typeof server === "string" ? server : null, side };
}
