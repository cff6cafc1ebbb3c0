/** Exit codes of the command line (DESIGN §10). */
export const EXIT = {
  ok: 0,
  unmet: 1,
  usage: 2,
  credentials: 3,
  setup: 4,
  incomplete: 5,
  killed: 130,
} as const;

/** Where a failure comes from. `server` and `internal` make an episode an `error`, the others stop a run before it starts. */
export type ErrorOrigin =
  | "usage"
  | "query"
  | "config"
  | "credentials"
  | "server"
  | "model"
  | "agent"
  | "judge"
  | "record"
  | "internal";

/** Options of a {@link TandemError}. */
export interface TandemErrorOptions {
  /** What the reader can do next, as one sentence. */
  readonly hint?: string;
  /** What caused it, kept for `--json` and logs. */
  readonly cause?: unknown;
  /** Structured facts for `--json`: file, line, field, server, … */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}

/**
 * An error that a person is meant to read: a stable code, one sentence, the next step.
 * Codes are dotted and start with the origin, as in `query.unknown-tool`; tests and scripts may rely on them.
 */
export class TandemError extends Error {
  override readonly name = "TandemError";
  readonly code: `${ErrorOrigin}.${string}`;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, string | number | boolean | null>>;

  constructor(code: `${ErrorOrigin}.${string}`, message: string, options: TandemErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.details = options.details ?? {};
  }

  /** The part of the code before the first dot. */
  get origin(): ErrorOrigin {
    return this.code.slice(0, this.code.indexOf(".")) as ErrorOrigin;
  }

  /** The exit code with which a command ends that this error stopped. */
  get exitCode(): number {
    switch (this.origin) {
      case "credentials":
        return EXIT.credentials;
      case "server":
        return EXIT.setup;
      case "internal":
        return EXIT.incomplete;
      default:
        return EXIT.usage;
    }
  }
}

/** Turns anything thrown into a {@link TandemError}; what is not one already is `internal.unexpected`. */
export function toTandemError(thrown: unknown): TandemError {
  if (thrown instanceof TandemError) return thrown;
  const message = errorMessage(thrown);
  return new TandemError("internal.unexpected", message, {
    cause: thrown,
    hint: "This is a defect of Tandem. Please report it with the command and the stack trace (TANDEM_DEBUG=1 prints it).",
  });
}

/** The text of anything thrown, never empty. */
export function errorMessage(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  return String(thrown) || "unknown error";
}
