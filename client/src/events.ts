/** A request, before it is sent. */
export interface RequestEvent {
  /** The HTTP method. */
  method: string;
  /** The path, without `baseUrl`. */
  path: string;
  /** 1 for the first attempt of a call, 2 for its first retry. */
  attempt: number;
}

/** A successful response. */
export interface ResponseEvent extends RequestEvent {
  /** The HTTP status. */
  status: number;
  /** The `x-request-id` of the response. */
  requestId: string | undefined;
  /** Milliseconds from the request to the last byte of the response. */
  elapsed: number;
}

/** A failed attempt. */
export interface FailureEvent extends RequestEvent {
  /** The error. It is thrown if this was the last attempt. */
  error: unknown;
  /** The HTTP status, if there was a response. */
  status: number | undefined;
  /** The `x-request-id` of the response, if there was one. */
  requestId: string | undefined;
  /** Milliseconds from the request to the failure. */
  elapsed: number;
  /**
   * Milliseconds until the next attempt of this call; undefined if this was the last one. Always
   * undefined in a `MetricsBuffer`, which repeats calls itself.
   */
  retryDelay: number | undefined;
}

/**
 * Callbacks for tracing and counting. Each attempt calls `onRequest` first, then `onResponse` or
 * `onError`. They never get the API key or a body. If a callback throws, the client prints a warning
 * to the console and continues.
 */
export interface Hooks {
  /**
   * Called before a request is sent.
   * @deprecated Will be removed in 0.4.0. Use `logger`, or a `fetch` of your own.
   */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /**
   * Called for a successful response.
   * @deprecated Will be removed in 0.4.0. Use `logger`, or a `fetch` of your own.
   */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /**
   * Called for every failed attempt, even if it is retried.
   * @deprecated Will be removed in 0.4.0. Use `logger`, or a `fetch` of your own.
   */
  onError?: ((event: FailureEvent) => void) | undefined;
}

/**
 * Receives log messages; `console` works. It never gets the API key or a body. Header values are
 * redacted, except `accept`, `content-type`, `idempotency-key` and `user-agent`.
 */
export interface Logger {
  /** Called for every request, every response and every failed attempt. */
  debug?(message: string, details: Record<string, unknown>): void;
  /** Called for every retry, and if fields of a request had no effect, such as misspelled ones. */
  warn?(message: string, details: Record<string, unknown>): void;
}
