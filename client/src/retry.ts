import { abortError, onAbort } from './abort.ts';
import { APIConnectionError, APIError } from './errors.ts';

const INITIAL_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** If `Retry-After` is longer, a call fails at once. */
export const MAX_RETRY_AFTER_MS = 60_000;
/** Longest delay that `setTimeout` supports. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Codes with the status 503 after which the same request fails again. */
const LASTING_CODES = new Set(['queryTooExpensive', 'signOnMisconfigured']);

/**
 * Whether the client retries a call: after no response, 408, 429, 502, 503, 504, and other statuses above
 * 404 (except 409) with a `Retry-After`, but not after a code that lasts.
 */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof APIError)) return error instanceof APIConnectionError;
  const { status, headers, code = '' } = error;
  if (LASTING_CODES.has(code)) return false;
  return (
    [408, 429, 502, 503, 504].includes(status) ||
    (status > 404 && status !== 409 && headers.has('retry-after'))
  );
}

/** Whether the same request may succeed later. True for all 5xx, although not all of them are retried automatically. */
export function isTemporary(error: unknown): boolean {
  return isRetryable(error) || (error instanceof APIError && error.status >= 500);
}

/** Milliseconds until the next attempt: the `Retry-After` or the backoff delay. Undefined if `Retry-After` is more than a minute. */
export function retryDelay(error: unknown, attempt: number): number | undefined {
  const delay = retryAfterDelay(error) ?? backoffDelay(attempt);
  return delay <= MAX_RETRY_AFTER_MS ? delay : undefined;
}

/** Milliseconds until the `Retry-After` time, 0 if it has passed, undefined if there is no header. */
export function retryAfterDelay(error: unknown): number | undefined {
  const retryAt = error instanceof APIError ? error.retryAt : undefined;
  return retryAt && Math.max(retryAt.getTime() - Date.now(), 0);
}

/** Exponential backoff in milliseconds, with jitter. */
export function backoffDelay(attempt: number): number {
  return Math.min(INITIAL_DELAY_MS * 2 ** attempt, MAX_DELAY_MS) * (1 - Math.random() / 4);
}

/** Waits, at most 24 days. Rejects if the signal is aborted. Always removes its timer and listener. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        removeListener();
        resolve();
      },
      Math.min(milliseconds, MAX_TIMER_MS),
    );
    const removeListener = onAbort(signal, () => {
      clearTimeout(timer);
      removeListener();
      reject(abortError(signal));
    });
  });
}
