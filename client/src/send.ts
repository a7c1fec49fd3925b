import type { APIResponse } from './api-promise.ts';
import { attempt } from './attempt.ts';
import { NameplateError } from './errors.ts';
import { observe } from './observe.ts';
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
  const url = settings.baseUrl + path;
  const call: Pick<NameplateError, 'method' | 'path' | 'url' | 'idempotencyKey'> = {
    method,
    path,
    url,
  };
  try {
    const { timeout = settings.timeout, maxRetries = settings.maxRetries, signal } = options;
    checkNumbers({ timeout, maxRetries });
    const request = requestOf(settings, method, path, body, options);
    const idempotencyKey = request.headers['idempotency-key'];
    if (idempotencyKey !== undefined) call.idempotencyKey = idempotencyKey;
    for (let tried = 0; ; tried += 1) {
      const seen = observe(settings, { method, path, attempt: tried + 1 }, request.headers);
      try {
        const answer = await attempt(settings, url, request, timeout, signal);
        seen.succeeded(answer);
        return answer;
      } catch (error) {
        const delay = tried < maxRetries && isRetried(error) ? retryDelay(error, tried) : undefined;
        seen.failed(error, delay);
        if (delay === undefined) throw error;
        await sleep(delay, signal);
      }
    }
  } catch (error) {
    throw error instanceof NameplateError ? Object.assign(error, call) : error;
  }
}
