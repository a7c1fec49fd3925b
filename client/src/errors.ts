import type { ErrorCode } from './error-codes.ts';

/** Base class of everything that this package throws. */
export class NameplateError extends Error {
  override name = 'NameplateError';
  /** The HTTP method of the call that failed. */
  declare method?: string;
  /** The path of the call that failed. */
  declare path?: string;
  /** The URL that was called: `baseUrl` and the path. */
  declare url?: string;
  /**
   * The Idempotency-Key of the write that failed. Send it with the same body, within 24 hours, to
   * repeat the write without doing it twice.
   */
  declare idempotencyKey?: string;
}

/** No answer: the connection failed or was lost, or the function for the key did. Why is in `cause`. */
export class APIConnectionError extends NameplateError {
  override name = 'APIConnectionError';
}

/** No whole answer within the time-out, which covers headers and body. */
export class APITimeoutError extends APIConnectionError {
  override name = 'APITimeoutError';
}

/** The call's `signal` was aborted; its reason is the `cause`. */
export class APIAbortError extends NameplateError {
  override name = 'APIAbortError';
}

/** An answer that is not a success. */
export class APIError extends NameplateError {
  override name = 'APIError';
  /**
   * The name of the error (`x-error-code`), which never changes; undefined if the answer is not from a
   * Nameplate server. Each method has a type with the names that it can fail with, such as
   * `UpdateDisplayNameErrorCode`.
   */
  readonly code: ErrorCode | undefined;
  /**
   * The path of the field in the request that the error is about (`x-error-field`), such as
   * `display_name` or `blocks.3.url`; undefined if it is about none.
   */
  readonly field: string | undefined;
  /** The HTTP status; 0 where a browser hides the status of a redirect. */
  readonly status: number;
  /** The headers of the answer. */
  readonly headers: Headers;
  /** The `x-request-id` of the answer: quote it to the operator of the server. */
  readonly requestId: string | undefined;
  /** From when the server wants to be called again, if it said so (`Retry-After`). */
  readonly retryAt: Date | undefined;

  /** `message` is the server's `error`, or a sentence about the call and the status if there was none. */
  constructor(status: number, message: string, headers: Headers) {
    super(message);
    this.code = headers.get('x-error-code') ?? undefined;
    this.field = fieldOf(headers.get('x-error-field'));
    this.status = status;
    this.headers = headers;
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.retryAt = timeOf(headers.get('retry-after'));
  }
}

function fieldOf(encoded: string | null): string | undefined {
  try {
    return encoded === null ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

// Seconds or a date.
function timeOf(retryAfter: string | null): Date | undefined {
  if (!retryAfter) return undefined;
  const seconds = Number(retryAfter);
  const time = new Date(Number.isNaN(seconds) ? retryAfter : Date.now() + seconds * 1_000);
  return seconds < 0 || Number.isNaN(time.getTime()) ? undefined : time;
}

/** 3xx: a redirect, which is never followed, because the key must not travel. */
export class RedirectError extends APIError {
  override name = 'RedirectError';
}

/** 400: input is missing or invalid. */
export class BadRequestError extends APIError {
  override name = 'BadRequestError';
}

/** 401: the API key is missing, invalid or revoked. */
export class AuthenticationError extends APIError {
  override name = 'AuthenticationError';
}

/** 403: what was asked for is not this caller's, or the account is suspended. */
export class PermissionDeniedError extends APIError {
  override name = 'PermissionDeniedError';
}

/** 404: what was asked for, or the path itself, does not exist; `url` shows a wrong `baseUrl`. */
export class NotFoundError extends APIError {
  override name = 'NotFoundError';
}

/** 409: what was asked for is taken, or not to be had. */
export class ConflictError extends APIError {
  override name = 'ConflictError';
}

/** 413: the request body is larger than the server accepts. */
export class PayloadTooLargeError extends APIError {
  override name = 'PayloadTooLargeError';
}

/** 415: the request body is of a kind that the server does not accept. */
export class UnsupportedMediaTypeError extends APIError {
  override name = 'UnsupportedMediaTypeError';
}

/** 429: too many requests. */
export class RateLimitError extends APIError {
  override name = 'RateLimitError';
}

/** 500 and above: the server, or something behind it, failed. */
export class InternalServerError extends APIError {
  override name = 'InternalServerError';
}
