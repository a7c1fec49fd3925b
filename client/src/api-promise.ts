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
   * Returns the response of `fetch` with its body unread, to stream or to read something other than
   * JSON. Call it at once, not after an `await`. Errors are thrown as usual, and retried until the
   * headers arrive; then the time limit ends, and only `signal` stops the body.
   */
  asResponse(): Promise<Response>;
}

/** What happens to the body of a successful response. */
export interface BodyMode {
  /** Whether to leave the body unread. */
  isRaw?: boolean;
  /** Whether it was left unread, so the data is the response itself. */
  isStreaming?: boolean;
}

/** Sends requests; `Nameplate` implements it. */
export interface Requester {
  /** Sends a request and returns the body of the response. */
  request<T>(method: string, path: string, body?: unknown, options?: RequestOptions): APIPromise<T>;
}

/** Turns the promise of a response into a promise of its body. `mode` is the one it was sent with. */
export function apiPromise<T>(response: Promise<APIResponse<T>>, mode: BodyMode): APIPromise<T> {
  const data = response.then((value) => value.data);
  return Object.assign(data, {
    withResponse() {
      // The returned promise reports the failure, so this one must not cause an unhandled rejection.
      data.catch(() => {});
      return response.then((value) => value);
    },
    asResponse() {
      mode.isRaw = true;
      data.catch(() => {});
      return response.then((value) => {
        if (!mode.isStreaming)
          throw new NameplateError('The body is read. Call asResponse() at once.');
        return value.data as Response;
      });
    },
  });
}
