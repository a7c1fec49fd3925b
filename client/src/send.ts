import type { APIResponse } from './api-promise.ts';
import { attempt } from './attempt.ts';
import { type APIError, NameplateError } from './errors.ts';
import { loggedHeaders } from './logging.ts';
import type { RequestOptions } from './options.ts';
import { isRetried, retryDelay, sleep } from './retry.ts';
import { checkNumbers, type Settings } from './settings.ts';
import { VERSION } from './version.ts';

/** Sends a request, again where that helps, and returns its success or throws its failure. */
export async function send(
  settings: Settings,
  method: string,
  path: string,
  body: unknown,
  options: RequestOptions = {},
): Promise<APIResponse<unknown>> {
  const call: Pick<NameplateError, 'method' | 'path' | 'idempotencyKey'> = { method, path };
  const { logger } = settings;
  try {
    const { timeout = settings.timeout, maxRetries = settings.maxRetries, signal } = options;
    checkNumbers({ timeout, maxRetries });
    const { headers, ...init } = requestOf(settings, method, body, options);
    const idempotencyKey = headers.get('idempotency-key');
    if (idempotencyKey !== null) call.idempotencyKey = idempotencyKey;
    for (let tried = 0; ; tried += 1) {
      const started = Date.now();
      logger?.debug?.('request', { method, path, tried, headers: loggedHeaders(headers) });
      try {
        const url = settings.baseUrl + path;
        const answer = await attempt(settings.fetch, url, { ...init, headers }, timeout, signal);
        const { status, requestId } = answer;
        logger?.debug?.('answer', { method, path, status, requestId, ms: Date.now() - started });
        return answer;
      } catch (error) {
        const { status, requestId } = error as Partial<APIError>;
        const failure = { method, path, status, requestId, error: String(error) };
        logger?.debug?.('failure', { ...failure, ms: Date.now() - started });
        if (tried >= maxRetries || !isRetried(error)) throw error;
        const delay = retryDelay(error, tried);
        logger?.warn?.('retry', { ...failure, delay });
        await sleep(delay, signal);
      }
    }
  } catch (error) {
    throw error instanceof NameplateError ? Object.assign(error, call) : error;
  }
}

function requestOf(
  settings: Settings,
  method: string,
  body: unknown,
  options: RequestOptions,
): { method: string; headers: Headers; body?: string } {
  try {
    const headers = headersOf(settings, method, body, options);
    return body === undefined
      ? { method, headers }
      : { method, headers, body: JSON.stringify(body) };
  } catch (cause) {
    throw new NameplateError('The body cannot be written as JSON or a header is not valid.', {
      cause,
    });
  }
}

function headersOf(
  settings: Settings,
  method: string,
  body: unknown,
  options: RequestOptions,
): Headers {
  const headers = new Headers({ accept: 'application/json' });
  // A browser that is told another user agent asks the server for permission first.
  if (!settings.inBrowser) headers.set('user-agent', `nameplate-client/${VERSION}`);
  for (const [name, value] of [
    ...Object.entries(settings.defaultHeaders ?? {}),
    ...Object.entries(options.headers ?? {}),
  ])
    if (value == null) headers.delete(name);
    else headers.set(name, value);
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey);
  else if (method !== 'GET' && !headers.has('idempotency-key'))
    headers.set('idempotency-key', crypto.randomUUID());
  headers.set('x-api-key', settings.apiKey);
  return headers;
}
