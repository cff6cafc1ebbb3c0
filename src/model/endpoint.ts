import { setTimeout as sleep } from "node:timers/promises";
import { RateLimiter } from "limiter";
import pLimit from "p-limit";

/** What an endpoint allows, of all its models together. Undefined is no limit. */
export interface EndpointLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  readonly concurrency?: number | undefined;
}

/** The one gate of an endpoint, which all requests to it pass. */
export interface Endpoint {
  /**
   * Runs a request as soon as the limits allow it.
   * @param tokens what the request will use, by estimate
   * @throws the signal's reason if it is aborted while it waits
   */
  pass<T>(tokens: number, signal: AbortSignal, send: () => Promise<T>): Promise<T>;
  /** Tells what a request used beyond the estimate; less than zero gives back. */
  settle(tokens: number): void;
  /** Keeps all requests back for a time, after the endpoint asked for it. */
  pause(ms: number): void;
}

/** Makes the gate of an endpoint. */
export function createEndpoint({ requestsPerMinute, tokensPerMinute, concurrency }: EndpointLimits): Endpoint {
  const requests = perMinute(requestsPerMinute);
  const tokens = perMinute(tokensPerMinute);
  const limit = concurrency === undefined ? null : pLimit(concurrency);
  let pausedUntil = 0;

  async function gate(amount: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (requests !== null) await unlessAborted(requests.removeTokens(1), signal);
    if (tokens !== null) {
      await unlessAborted(tokens.removeTokens(Math.min(amount, tokensPerMinute ?? amount)), signal);
    }
    for (let left = pausedUntil - Date.now(); left > 0; left = pausedUntil - Date.now()) {
      await sleep(left, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }

  return {
    pass: (amount, signal, send) => {
      const go = async () => {
        await gate(amount, signal);
        return send();
      };
      return limit === null ? go() : limit(go);
    },
    settle: (amount) => {
      if (tokens === null) return;
      tokens.tokensThisInterval += amount;
      tokens.tokenBucket.content -= amount;
    },
    pause: (ms) => {
      pausedUntil = Math.max(pausedUntil, Date.now() + ms);
    },
  };
}

function perMinute(amount: number | undefined): RateLimiter | null {
  return amount === undefined ? null : new RateLimiter({ tokensPerInterval: amount, interval: "minute" });
}

/** What is waited for, or the signal's reason if that comes first. */
async function unlessAborted(waiting: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true, signal: done.signal });
  });
  try {
    await Promise.race([waiting, aborted]);
  } finally {
    done.abort();
  }
}
