/** A request that is about to be sent. */
export interface RequestEvent {
  /** The HTTP method. */
  method: string;
  /** The path, without the address of the server. */
  path: string;
  /** 1 for the first attempt of a call, 2 for its first repeat. */
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
 * Functions that are told of every attempt, for tracing and for counting. Each attempt begins with
 * `onRequest` and ends with `onResponse` or `onError`. None is told the API key or a body; what one
 * throws is a warning on the console.
 */
export interface Hooks {
  /** Told before a request is sent. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Told of a success. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Told of a failure, also of one that is repeated. */
  onError?: ((event: FailureEvent) => void) | undefined;
}

/** Where events go; `console` fits. It is never given the API key, a body or the value of an unknown header. */
export interface Logger {
  /** Told of every request and every answer. */
  debug?(message: string, details: Record<string, unknown>): void;
  /** Told of every retry. */
  warn?(message: string, details: Record<string, unknown>): void;
}
