import type { RequestOptions } from './options.ts';

/** A success with what came around its body. */
export interface APIResponse<T> {
  /** The body. */
  data: T;
  /** The HTTP status. */
  status: number;
  /** The headers of the answer; `idempotent-replayed` is `true` if it is the repeat of an earlier one. */
  headers: Headers;
  /** The `x-request-id` of the answer: quote it to the operator of the server. */
  requestId: string | undefined;
}

/** A promise of the body of a success. */
export interface APIPromise<T> extends Promise<T> {
  /** Answer together with its status, headers and request id. */
  withResponse(): Promise<APIResponse<T>>;
}

/** Sender of the calls of the operations: a `Nameplate` does. */
export interface Requester {
  /** Sends a request, and returns the body of its success. */
  request<T>(method: string, path: string, body?: unknown, options?: RequestOptions): APIPromise<T>;
}

/** Turns the promise of a whole answer into one of its body. */
export function apiPromise<T>(answer: Promise<APIResponse<T>>): APIPromise<T> {
  const data = answer.then((response) => response.data);
  return Object.assign(data, {
    withResponse() {
      // From here on a failure is reported by the promise returned, no longer by this one.
      data.catch(() => {});
      return answer.then((response) => response);
    },
  });
}
