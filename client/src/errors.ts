import type { ErrorCode } from './generated/error-codes.ts';

/** Base class of all errors of this package. */
export class NameplateError extends Error {
  override name = 'NameplateError';
  /** The HTTP method of the call that failed. */
  declare method?: string;
  /** The path of the call that failed. */
  declare path?: string;
  /** The full URL of the call: `baseUrl` and the path. */
  declare url?: string;
  /**
   * The Idempotency-Key of the failed write. Repeat the call with this key and the same body within
   * 24 hours, and the write happens only once.
   */
  declare idempotencyKey?: string;

  /** For logs: `JSON.stringify` leaves out the message of other errors. */
  toJSON(): Record<string, unknown> {
    return { ...Object.fromEntries(Object.entries(this)), message: this.message };
  }
}

/** No response: the connection failed or was lost, or the `apiKey` function threw. See `cause`. */
export class APIConnectionError extends NameplateError {
  override name = 'APIConnectionError';
}

/** The response was not complete within the timeout, which covers headers and body. */
export class APITimeoutError extends APIConnectionError {
  override name = 'APITimeoutError';
}

/** The call's `signal` was aborted; its reason is the `cause`. */
export class APIAbortError extends NameplateError {
  override name = 'APIAbortError';
}

/** An unsuccessful response. */
export class APIError extends NameplateError {
  override name = 'APIError';
  /**
   * The error code (`x-error-code`). Codes do not change between versions. Undefined if the response
   * is not from a Nameplate server. Each method has a type with its error codes, such as
   * `UpdateDisplayNameErrorCode`.
   */
  readonly code: ErrorCode | undefined;
  /**
   * The path of the invalid field in the request (`x-error-field`), such as `display_name` or
   * `blocks.3.url`. Undefined if the error is not about a field.
   */
  readonly field: string | undefined;
  /** The paths of up to ten invalid fields. `message` explains the first one, `field`. */
  readonly fields: readonly string[];
  /** The HTTP status; 0 if a browser hides the status of a redirect. */
  readonly status: number;
  /** The response headers. */
  readonly headers: Headers;
  /** The `x-request-id` of the response. Include it when you report a problem to the operator. */
  readonly requestId: string | undefined;
  /** The earliest time for a retry, if the server sent `Retry-After`. */
  readonly retryAt: Date | undefined;

  /** `message` is the server's `error`, or a description of the call and the status if there was none. */
  constructor(status: number, message: string, headers: Headers) {
    super(message);
    this.code = (headers.get('x-error-code') ?? undefined) as ErrorCode | undefined;
    this.fields = decodeFields(headers.get('x-error-field'));
    this.field = this.fields[0];
    this.status = status;
    this.headers = headers;
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.retryAt = parseRetryAfter(headers.get('retry-after'));
  }

  /** The page of the server that explains the error code. Undefined if the response has no link. */
  get docsUrl(): string | undefined {
    const [, link = ''] = /<([^<>]+)>; rel="help"/.exec(this.headers.get('link') ?? '') ?? [];
    return link !== '' && URL.canParse(link, this.url) ? new URL(link, this.url).href : undefined;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), headers: undefined, docsUrl: this.docsUrl };
  }
}

function decodeFields(encoded: string | null): string[] {
  try {
    return encoded ? encoded.split(',').map((field) => decodeURIComponent(field)) : [];
  } catch {
    return [];
  }
}

// The header has seconds or a date.
function parseRetryAfter(retryAfter: string | null): Date | undefined {
  if (!retryAfter) return undefined;
  const seconds = Number(retryAfter);
  const time = new Date(Number.isNaN(seconds) ? retryAfter : Date.now() + seconds * 1_000);
  return seconds < 0 || Number.isNaN(time.getTime()) ? undefined : time;
}

/**
 * 3xx: a redirect. The client does not follow it, so that it never sends the key to another server.
 */
export class RedirectError extends APIError {
  override name = 'RedirectError';
}

/** 400: input is missing or invalid. */
export class BadRequestError extends APIError {
  override name = 'BadRequestError';
}

/** 401: the API key is missing, invalid, expired or revoked. */
export class AuthenticationError extends APIError {
  override name = 'AuthenticationError';
}

/** 403: the caller has no access to the resource, or the account is suspended. */
export class PermissionDeniedError extends APIError {
  override name = 'PermissionDeniedError';
}

/** 404: the resource or the path does not exist. `url` helps to find a wrong `baseUrl`. */
export class NotFoundError extends APIError {
  override name = 'NotFoundError';
}

/** 409: the request conflicts with the current state, such as a display name that is taken. */
export class ConflictError extends APIError {
  override name = 'ConflictError';
}

/** 413: the request body is larger than the server accepts. */
export class PayloadTooLargeError extends APIError {
  override name = 'PayloadTooLargeError';
}

/** 415: the server does not accept the media type of the request body. */
export class UnsupportedMediaTypeError extends APIError {
  override name = 'UnsupportedMediaTypeError';
}

/** 429: too many requests. */
export class RateLimitError extends APIError {
  override name = 'RateLimitError';
}

/** 500 and above: the server or a service behind it failed. */
export class InternalServerError extends APIError {
  override name = 'InternalServerError';
}
