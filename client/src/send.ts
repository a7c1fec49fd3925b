import type { APIResponse } from './api-promise.ts';
import { attempt } from './attempt.ts';
import { type APIError, NameplateError } from './errors.ts';
import { loggedHeaders } from './logging.ts';
import type { RequestOptions } from './options.ts';
import { requestOf } from './request.ts';
import { isRetried, retryDelay, sleep } from './retry.ts';
import { checkNumbers, type Settings } from './settings.ts';

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
    const request = requestOf(settings, method, body, options);
    const idempotencyKey = request.headers['idempotency-key'];
    if (idempotencyKey !== undefined) call.idempotencyKey = idempotencyKey;
    for (let tried = 0; ; tried += 1) {
      const started = Date.now();
      logger?.debug?.('request', { method, path, tried, headers: loggedHeaders(request.headers) });
      try {
        const answer = await attempt(settings, path, request, timeout, signal);
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
