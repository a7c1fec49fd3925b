import type { Logger } from './logger.ts';

/** Options that the client passes to `fetch`, in addition to your `fetchOptions`. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string | ArrayBuffer | Blob;
  redirect: 'manual';
  signal: AbortSignal;
}

/** The part of `Response` that the client uses. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Pick<Headers, 'get' | 'has'>;
  text(): Promise<string>;
}

/** A function like the standard `fetch`, such as undici's. */
export type Fetch = (input: string, init: FetchInit) => Promise<FetchResponse>;

/** Header names and values; `null` or `undefined` removes a header that is set elsewhere. */
export type HeaderValues = Record<string, string | null | undefined>;

/** Settings of a client. */
export interface ClientOptions {
  /**
   * The API key, sent as `X-API-KEY`. Keep it secret. To rotate the key, pass a function that returns
   * it; the client calls it for every attempt. With `null` no key is sent: in pages of the Nameplate
   * server, the browser sends the session cookie.
   * @defaultValue `NAMEPLATE_API_KEY` of the environment
   */
  apiKey?: string | (() => string | Promise<string>) | null | undefined;
  /**
   * The root address of the server: http or https, without credentials, query or fragment.
   * @defaultValue `NAMEPLATE_BASE_URL` of the environment, or else 'http://127.0.0.1:3000'
   */
  baseUrl?: string | undefined;
  /**
   * Time limit of one attempt in milliseconds, from the request to the last byte of the response.
   * @defaultValue 30000
   */
  timeout?: number | undefined;
  /**
   * Maximum number of retries. 0 turns retries off. The client retries if there is no response, and
   * for the statuses 408, 429, 502, 503 (except `queryTooExpensive` and `signOnMisconfigured`) and 504.
   * It also retries other statuses above 404 (except 409) that have a `Retry-After` header.
   * If `Retry-After` is more than a minute, it does not retry.
   * @defaultValue 2
   */
  maxRetries?: number | undefined;
  /**
   * Sends the requests.
   * @defaultValue the global `fetch`
   */
  fetch?: Fetch | undefined;
  /** Additional options for `fetch`, such as `dispatcher`, `proxy`, `cache` or `keepalive`. */
  fetchOptions?: object | undefined;
  /** Headers to send with every request. */
  defaultHeaders?: HeaderValues | undefined;
  /**
   * Receives requests, responses, retries and ignored fields.
   * @defaultValue set by the environment variable `NAMEPLATE_LOG`: `debug` logs everything to standard
   * error, `warn` only retries and ignored fields. Without it, the console gets ignored fields
   */
  logger?: Logger | undefined;
  /**
   * Allows use in a browser, where every visitor can read the key. The server must list the page's
   * origin in `CORS_ORIGINS`.
   * @defaultValue false
   */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/** Settings of one call; they override the client's. */
export interface RequestOptions {
  /** Aborts the call, even while it waits for a retry. */
  signal?: AbortSignal | undefined;
  /** Time limit of one attempt in milliseconds, from the request to the last byte of the response. */
  timeout?: number | undefined;
  /** Maximum number of retries. */
  maxRetries?: number | undefined;
  /** Additional headers. */
  headers?: HeaderValues | undefined;
  /** Additional options for `fetch`. */
  fetchOptions?: object | undefined;
  /**
   * Makes retries of a write safe: 1 to 255 visible ASCII characters. For 24 hours, a retry with the
   * same key and body gets the first response and has no further effect. Each operation has its own keys.
   * @defaultValue a new UUID for every write
   */
  idempotencyKey?: string | undefined;
}
