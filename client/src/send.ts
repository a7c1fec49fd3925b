import type { APIResponse, BodyState } from './api-promise.ts';
import { attempt } from './attempt.ts';
import { NameplateError } from './errors.ts';
import { observe } from './observe.ts';
import type { RequestOptions } from './options.ts';
import { prepareRequest } from './request.ts';
import { isRetryable, retryDelay, sleep } from './retry.ts';
import { checkNumbers, type Settings } from './settings.ts';

/** Sends a request with retries. */
export async function send(
  settings: Settings,
  method: string,
  path: string,
  body: unknown,
  options: RequestOptions = {},
  bodyState: BodyState = {},
): Promise<APIResponse<unknown>> {
  const url = settings.baseUrl + path;
  const errorDetails: Pick<NameplateError, 'method' | 'path' | 'url' | 'idempotencyKey'> = {
    method,
    path,
    url,
  };
  try {
    const { timeout = settings.timeout, maxRetries = settings.maxRetries, signal } = options;
    checkNumbers({ timeout, maxRetries });
    const request = prepareRequest(settings, method, path, body, options);
    const idempotencyKey = request.headers['idempotency-key'];
    if (idempotencyKey !== undefined) errorDetails.idempotencyKey = idempotencyKey;
    for (let retries = 0; ; retries += 1) {
      const observer = observe(
        settings.logger,
        { method, path, attempt: retries + 1 },
        request.headers,
      );
      try {
        const response = await attempt(settings, url, request, timeout, signal, bodyState);
        observer.succeeded(response);
        return response;
      } catch (error) {
        const delay =
          retries < maxRetries && isRetryable(error) ? retryDelay(error, retries) : undefined;
        observer.failed(error, delay);
        if (delay === undefined) throw error;
        await sleep(delay, signal);
      }
    }
  } catch (error) {
    throw error instanceof NameplateError ? Object.assign(error, errorDetails) : error;
  }
}
