import { setTimeout as sleep } from "node:timers/promises";
import pRetry from "p-retry";
import type { FailedAttempt } from "./chat.ts";
import type { Endpoint } from "./endpoint.ts";
import { failureOf, type ModelFailure, modelError, passes } from "./model-errors.ts";

/** What {@link withAttempts} needs. */
export interface AttemptSetting {
  /** The model's name, for errors. */
  readonly model: string;
  readonly endpoint: Endpoint;
  /** Tokens that the request will use, by estimate. */
  readonly tokens: number;
  readonly attempts: number;
  /** Milliseconds until one attempt is given up. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What the attempts came to. */
export interface Attempted<T> {
  readonly value: T;
  readonly failed: readonly FailedAttempt[];
}

/** A failed attempt on its way through the retry loop. */
class AttemptError extends Error {
  readonly failure: ModelFailure;
  readonly retryAfterMs: number | null;

  constructor(failure: ModelFailure, retryAfterMs: number | null) {
    super(failure.message);
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}

/** What `send` throws for a response with status 200 that is no answer. */
export class BadResponse extends Error {
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Longest wait that an endpoint may ask for. */
const LONGEST_WAIT_MS = 120_000;
const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;

/**
 * Sends a request, again if it fails in a way that passes. The wait is what `Retry-After` asks for, of all requests to the
 * endpoint; else it doubles from half a second, each drawn between half of it and all.
 * @throws TandemError see {@link modelError}; the signal's reason once it is aborted
 */
export async function withAttempts<T>(
  setting: AttemptSetting,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<Attempted<T>> {
  const { endpoint, signal } = setting;
  const failed: FailedAttempt[] = [];
  const attempt = () => endpoint.pass(setting.tokens, signal, () => sendOnce(setting, send));
  try {
    const value = await pRetry(attempt, {
      retries: setting.attempts - 1,
      minTimeout: 0,
      maxTimeout: 0,
      onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
        if (!(error instanceof AttemptError) || !passes(error.failure) || retriesLeft === 0) return;
        const { failure, retryAfterMs } = error;
        const waitMs = Math.round(retryAfterMs ?? backoff(attemptNumber));
        failed.push({ status: failure.status, message: failure.message, waitMs });
        if (retryAfterMs !== null) endpoint.pause(retryAfterMs);
        await sleep(waitMs, undefined, { signal });
      },
      shouldRetry: ({ error }) => error instanceof AttemptError && passes(error.failure),
    });
    return { value, failed };
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof AttemptError) throw modelError(setting.model, thrown.failure, failed.length + 1);
    throw thrown;
  }
}

function backoff(attempt: number): number {
  const full = Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return full / 2 + Math.random() * (full / 2);
}

async function sendOnce<T>(setting: AttemptSetting, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timeout = AbortSignal.timeout(setting.timeoutMs);
  try {
    return await send(AbortSignal.any([setting.signal, timeout]));
  } catch (thrown) {
    setting.signal.throwIfAborted();
    if (thrown instanceof BadResponse) throw new AttemptError(thrown.failure, null);
    if (timeout.aborted) {
      const message = `it did not answer within ${setting.timeoutMs / 1000} s`;
      throw new AttemptError({ status: null, connection: "ETIMEDOUT", code: null, param: null, message }, null);
    }
    throw new AttemptError(failureOf(thrown), retryAfterOf(thrown));
  }
}

/** Milliseconds that a response asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date. */
function retryAfterOf(thrown: unknown): number | null {
  if (typeof thrown !== "object" || thrown === null || !("headers" in thrown)) return null;
  const { headers } = thrown;
  if (!(headers instanceof Headers) && !hasGet(headers)) return null;
  const exact = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (exact >= 0) return Math.min(exact, LONGEST_WAIT_MS);
  const text = headers.get("retry-after");
  if (text === null) return null;
  const seconds = Number(text);
  const ms = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1000;
  return ms >= 0 ? Math.min(ms, LONGEST_WAIT_MS) : null;
}

function hasGet(value: unknown): value is { get(name: string): string | null } {
  return typeof value === "object" && value !== null && "get" in value && typeof value.get === "function";
}
