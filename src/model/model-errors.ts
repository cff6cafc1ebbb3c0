import { TandemError } from "../base/errors.ts";
import { isJsonObject } from "../base/json.ts";

/** A failed attempt in the terms that decide what happens next. */
export interface ModelFailure {
  /** HTTP status, or null if there was no response. */
  readonly status: number | null;
  /** Code of a failed connection, as in `ECONNRESET`. */
  readonly connection: string | null;
  /** The endpoint's own code of the error. */
  readonly code: string | null;
  /** The part of the request that the endpoint blames. */
  readonly param: string | null;
  readonly message: string;
}

/** Statuses of a failure that may be gone a moment later. 501 and 505 are not among them: they say what an endpoint never does. */
const PASSING = new Set([408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);
/** Connection failures that stay: a name that does not exist, a certificate that nobody trusts. */
const LASTING = /^(ENOTFOUND|ERR_INVALID_URL|ERR_TLS_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_SSL_)/;
/** A quota that is used up is told with 429 as well, but no wait brings it back. */
const USED_UP = /insufficient_quota|billing_hard_limit/;

/** Whether an attempt that failed so is worth another one. */
export function passes({ status, connection, code }: ModelFailure): boolean {
  if (code !== null && USED_UP.test(code)) return false;
  if (status === null) return connection === null || !LASTING.test(connection);
  return PASSING.has(status);
}

const CONTEXT_CODES = /^(context_length_exceeded|context_window_exceeded|exceed_context_size_error|request_too_large)$/;
const CONTEXT_TEXTS: readonly RegExp[] = [
  /maximum context length/i,
  /(exceeds?|larger than|over) the (available |model'?s? )?(maximum )?context (size|length|window)/i,
  /context (size|length|window) (is |was |has been )?exceeded/i,
  /(prompt|input|conversation) (is )?too long/i,
  /input length .* exceeds/i,
  /exceeds max_seq_len/i,
];

/** Whether the conversation outgrew the model's context, in the words of any endpoint. Throttling never counts. */
export function outgrewContext({ status, code, message }: ModelFailure): boolean {
  if (status === 429) return false;
  if (status === 413) return true;
  if (code !== null && CONTEXT_CODES.test(code)) return true;
  return CONTEXT_TEXTS.some((text) => text.test(message));
}

/**
 * The error that a failure ends in once no attempt is left.
 * - `model.context-exceeded`: the conversation outgrew the context; the agent's limit, not an error of the episode
 * - `credentials.rejected` (401, 403), `model.unknown` (404): no request of the run can work, so the run ends
 * - `model.rejected`: another 4xx; the same request would be refused again
 * - `model.unavailable`: overload, a gateway, a broken connection
 */
export function modelError(model: string, failure: ModelFailure, attempts: number): TandemError {
  const { status, message, code, param } = failure;
  const details = { model, status, code, param };
  const said = `${status === null ? "no response" : `HTTP ${status}`}: ${message}`;
  if (outgrewContext(failure)) {
    return new TandemError("model.context-exceeded", `the conversation is too long for ${model}: ${message}`, {
      details,
    });
  }
  if (status === 401 || status === 403) {
    return new TandemError("credentials.rejected", `the endpoint of ${model} refuses the key (${said})`, {
      hint: "Check the variable that holds the key, and whether it may use this model.",
      details,
    });
  }
  if (status === 404 || code === "model_not_found") {
    return new TandemError("model.unknown", `the endpoint does not know ${model} (${said})`, {
      hint: "Check `model` and `endpoint` in tandem.config.yaml, or OPENAI_BASE_URL.",
      details,
    });
  }
  if (!passes(failure) && status !== null) {
    return new TandemError("model.rejected", `${model} refuses the request (${said})`, {
      hint: rejectedHint(failure),
      details,
    });
  }
  const times = attempts === 1 ? "" : ` after ${attempts} attempts`;
  return new TandemError("model.unavailable", `${model} cannot be used${times} (${said})`, {
    hint: "Check that the endpoint is up; `attempts` in tandem.config.yaml says how often a request is made.",
    details,
  });
}

function rejectedHint({ param, message }: ModelFailure): string {
  const blamed = `${param ?? ""} ${message}`;
  if (/max_tokens|max_completion_tokens/.test(blamed))
    return "Set maxTokensParameter of the model in tandem.config.yaml.";
  if (/temperature/.test(blamed)) return "Set temperature: null for the model in tandem.config.yaml.";
  if (/response_format|json_schema/.test(blamed)) return "Set structured: false for the model in tandem.config.yaml.";
  if (/tools?\b|function|schema/.test(blamed)) return "Set schemas: strict for the model in tandem.config.yaml.";
  return "The same request would be refused again, so it is not repeated.";
}

/**
 * Reads what a client threw, whichever of its classes it is.
 * @param thrown an error with `status`, `code`, `param`, `error` or `cause`, as the OpenAI SDK and undici throw them
 */
export function failureOf(thrown: unknown): ModelFailure {
  const chain = causes(thrown);
  const [top] = chain;
  const status = chain.map((error) => error.status).find((value) => typeof value === "number");
  const connection = chain
    .map((error) => error.code)
    .findLast((code) => typeof code === "string" && /^[A-Z_]+$/.test(code));
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);
  const message = chain.map((error) => text(error.message)).findLast((found) => found !== null);
  return {
    status: typeof status === "number" ? status : null,
    connection: status === undefined ? text(connection) : null,
    code: status === undefined ? null : text(top?.code ?? top?.type),
    param: text(top?.param),
    // The SDK puts the status in front.
    message: (status === undefined ? message : text(top?.message)?.replace(/^\d{3} /, "")) ?? "it gives no reason",
  };
}

function causes(thrown: unknown): Record<string, unknown>[] {
  const chain: Record<string, unknown>[] = [];
  for (let at = thrown; typeof at === "object" && at !== null && chain.length < 8; ) {
    chain.push(at as Record<string, unknown>);
    at = "cause" in at ? at.cause : undefined;
  }
  return chain;
}

/** A failure that stands in a body with status 200, as some gateways send it; null if there is none. */
export function failureInBody(body: unknown): ModelFailure | null {
  if (!isJsonObject(body) || !isJsonObject(body.error)) return null;
  const { code, message, param } = body.error;
  const status = typeof code === "number" && code >= 400 ? code : 502;
  return {
    status,
    connection: null,
    code: typeof code === "string" ? code : null,
    param: typeof param === "string" ? param : null,
    message: typeof message === "string" ? message : JSON.stringify(body.error).slice(0, 300),
  };
}
