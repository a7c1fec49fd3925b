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
}

/** Sends requests; `Nameplate` implements it. */
export interface Requester {
  /** Sends a request and returns the body of the response. */
  request<T>(method: string, path: string, body?: unknown, options?: RequestOptions): APIPromise<T>;
}

/** Turns the promise of a response into a promise of its body. */
export function apiPromise<T>(response: Promise<APIResponse<T>>): APIPromise<T> {
  const data = response.then((value) => value.data);
  return Object.assign(data, {
    withResponse() {
      // The returned promise reports the failure, so this one must not cause an unhandled rejection.
      data.catch(() => {});
      return response.then((value) => value);
    },
  });
}
