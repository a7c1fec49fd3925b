/** A request that is about to be sent. */
export interface RequestEvent {
  /** The HTTP method. */
  method: string;
  /** The path, without the address of the server. */
  path: string;
  /** 1 for the first attempt of a call, 2 for its first retry. */
  attempt: number;
}

/** An answer that is a success. */
export interface ResponseEvent extends RequestEvent {
  /** The HTTP status. */
  status: number;
  /** The `x-request-id` of the answer. */
  requestId: string | undefined;
  /** Milliseconds from the request to the last byte of the answer. */
  elapsed: number;
}

/** An attempt that failed. */
export interface FailureEvent extends RequestEvent {
  /** Error that is thrown if this is the last attempt. */
  error: unknown;
  /** The HTTP status, if there was an answer. */
  status: number | undefined;
  /** The `x-request-id` of the answer, if there was one. */
  requestId: string | undefined;
  /** Milliseconds from the request to the failure. */
  elapsed: number;
  /** Milliseconds until the next attempt; undefined if this was the last. */
  retryDelay: number | undefined;
}

/**
 * Functions that are called for every attempt, for tracing and counting. Each attempt begins with
 * `onRequest` and ends with `onResponse` or `onError`. They never get the API key or a body. If one
 * throws, a warning is printed to the console.
 */
export interface Hooks {
  /** Called before a request is sent. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called for a success. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called for a failure, also if it is retried. */
  onError?: ((event: FailureEvent) => void) | undefined;
}

/** Receiver of log messages, such as `console`. It never gets the API key, a body or the value of an unknown header. */
export interface Logger {
  /** Called for every request and every response. */
  debug?(message: string, details: Record<string, unknown>): void;
  /** Called for every retry. */
  warn?(message: string, details: Record<string, unknown>): void;
}
