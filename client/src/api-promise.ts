import { NameplateError } from './errors.ts';
import type { RequestOptions } from './options.ts';

/** A successful response. */
export interface APIResponse<T> {
  /** The body. */
  data: T;
  /** The HTTP status. */
  status: number;
  /** The response headers. `idempotent-replayed` is `true` if this is the stored response of an earlier request. */
  headers: Headers;
  /** The `x-request-id` of the response. Include it when you report a problem to the operator. */
  requestId: string | undefined;
}

/** A promise of the body of a successful response. */
export interface APIPromise<T> extends Promise<T> {
  /** Returns the body with the status, headers and request id. */
  withResponse(): Promise<APIResponse<T>>;
  /**
   * Returns the `fetch` response with its body unread, for streams and formats other than JSON. Call
   * it directly on the promise, before any `await`. Failed requests are retried and throw as usual.
   * `timeout` ends when the headers arrive; after that, only `signal` aborts the body.
   */
  asResponse(): Promise<Response>;
}

/** Shared by a promise and its request, because `asResponse()` is called after the request started. */
export interface BodyState {
  /** Set by `asResponse()`: leave the body of a successful response unread. */
  shouldStream?: boolean;
  /** Set by the request: the body was left unread, so the data is the `Response`. */
  isStreaming?: boolean;
}

/** Sends requests; `Nameplate` implements it. */
export interface Requester {
  /** Sends a request and returns the body of the response. */
  request<T>(method: string, path: string, body?: unknown, options?: RequestOptions): APIPromise<T>;
}

/**
 * Turns the promise of a response into a promise of its body. `bodyState` must be the object that was
 * passed to the request.
 */
export function apiPromise<T>(
  response: Promise<APIResponse<T>>,
  bodyState: BodyState,
): APIPromise<T> {
  const data = response.then((value) => value.data);
  return Object.assign(data, {
    withResponse() {
      // The returned promise reports the failure, so this one must not cause an unhandled rejection.
      data.catch(() => {});
      return response.then((value) => value);
    },
    asResponse() {
      bodyState.shouldStream = true;
      data.catch(() => {});
      return response.then((value) => {
        if (!bodyState.isStreaming)
          throw new NameplateError(
            'The body was already read. Call asResponse() directly on the promise.',
          );
        return value.data as Response;
      });
    },
  });
}
