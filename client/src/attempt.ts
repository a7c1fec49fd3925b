import { abortError, onAbort } from './abort.ts';
import type { APIResponse, BodyState } from './api-promise.ts';
import {
  APIConnectionError,
  APIError,
  APITimeoutError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionDeniedError,
  RateLimitError,
  RedirectError,
  UnsupportedMediaTypeError,
} from './errors.ts';
import type { FetchInit, FetchResponse } from './options.ts';
import type { PreparedRequest } from './request.ts';
import { validateKey, type Settings } from './settings.ts';
import { watchBody } from './watch-body.ts';

/**
 * Sends a request once. `timeout` (ms) covers headers and body, even if `fetch` ignores its signal. If
 * the caller reads the body (`bodyState.shouldStream`), `timeout` covers only the headers, but `signal`
 * still aborts the body.
 */
export function attempt(
  settings: Settings,
  url: string,
  request: PreparedRequest,
  timeout: number,
  signal: AbortSignal | undefined,
  bodyState: BodyState,
): Promise<APIResponse<unknown>> {
  if (signal?.aborted) return Promise.reject(abortError(signal));
  const requestLabel = `${request.method} ${url}`;
  const controller = new AbortController();
  return new Promise<APIResponse<unknown>>((resolve, reject) => {
    function finish(): void {
      clearTimeout(timer);
      removeListener();
    }
    function stop(error: Error): void {
      finish();
      reject(error);
      controller.abort(error);
    }
    const timer = setTimeout(
      () => stop(new APITimeoutError(`${requestLabel} did not complete within ${timeout} ms.`)),
      timeout,
    );
    const removeListener = onAbort(signal, () => stop(abortError(signal)));
    fetchResponse(settings, requestLabel, url, { ...request, signal: controller.signal }, bodyState)
      .then((response) => {
        if (!bodyState.isStreaming) return response;
        return { ...response, data: watchBody(response.data as Response, signal, controller) };
      })
      .finally(finish)
      .then(resolve, reject);
  });
}

async function fetchResponse(
  { apiKey, fetch }: Settings,
  requestLabel: string,
  url: string,
  init: FetchInit,
  bodyState: BodyState,
): Promise<APIResponse<unknown>> {
  let response: FetchResponse;
  let text: string | undefined;
  try {
    const headers =
      apiKey === null
        ? init.headers
        : {
            ...init.headers,
            'x-api-key': validateKey(typeof apiKey === 'function' ? await apiKey() : apiKey),
          };
    init.signal.throwIfAborted();
    response = await fetch(url, { ...init, headers });
    if (bodyState.shouldStream && response.ok) bodyState.isStreaming = true;
    else text = await response.text();
  } catch (cause) {
    throw new APIConnectionError(`${requestLabel} failed (${describeCause(cause)}).`, { cause });
  }
  const { status } = response;
  // undici's Headers are compatible; only their type differs.
  const headers = response.headers as Headers;
  const data = text === undefined ? response : parse(text);
  if (!response.ok) throw toAPIError(requestLabel, status, data, headers);
  if (data === undefined)
    throw new APIError(status, `${requestLabel} returned no JSON object.`, headers);
  return { data, status, headers, requestId: headers.get('x-request-id') ?? undefined };
}

// Node's `fetch` puts the error with the `code`, such as ECONNREFUSED, in `cause`. Other runtimes throw
// it directly, some without a `code`.
function describeCause(cause: unknown): string {
  const { code, message } = Object((cause as Error | undefined)?.cause ?? cause) as {
    code?: unknown;
    message?: string;
  };
  return typeof code === 'string' ? code : (message ?? String(cause));
}

function parse(text: string): object | undefined {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === 'object' && data !== null ? data : undefined;
  } catch {
    return undefined;
  }
}

const ERROR_CLASS_BY_STATUS: Record<number, typeof APIError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  429: RateLimitError,
};

/** Creates the error for a response. The status selects the class; the body provides the message. */
function toAPIError(
  requestLabel: string,
  status: number,
  body: unknown,
  headers: Headers,
): APIError {
  const isRedirect = status === 0 || (status >= 300 && status < 400);
  const ErrorClass = isRedirect
    ? RedirectError
    : status >= 500
      ? InternalServerError
      : (ERROR_CLASS_BY_STATUS[status] ?? APIError);
  const { error } = (body ?? {}) as { error?: unknown };
  const message = isRedirect
    ? `${requestLabel} was redirected. The client does not follow redirects.`
    : typeof error === 'string' && error !== ''
      ? error
      : `${requestLabel} returned status ${status} without an error message.`;
  return new ErrorClass(status, message, headers);
}
