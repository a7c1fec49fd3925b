import { abortError, onAbort } from './abort.ts';
import { APIConnectionError, APIError } from './errors.ts';

const FIRST_DELAY = 500;
const LONGEST_DELAY = 8_000;
/** Longest wait that a server may ask a call for, in milliseconds; what lasts longer is no matter of a retry. */
export const LONGEST_RETRY_AFTER = 60_000;
/** Longest time of a timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Whether the client repeats a call by itself: no answer, 408, 429, 502, 503 or 504, and what else
 * carries a `Retry-After`, unless it says that the same call will be refused again.
 */
export function isRetried(error: unknown): boolean {
  if (!(error instanceof APIError)) return error instanceof APIConnectionError;
  const { status, headers } = error;
  return (
    [408, 429, 502, 503, 504].includes(status) ||
    (status > 404 && status !== 409 && headers.has('retry-after'))
  );
}

/** Whether it may be better some time: also after what a call does not repeat by itself. */
export function mayPass(error: unknown): boolean {
  return isRetried(error) || (error instanceof APIError && error.status >= 500);
}

/**
 * Milliseconds before the next attempt: what the server asks for, or a time of the client's own;
 * undefined where the server asks for more than a minute.
 */
export function retryDelay(error: unknown, attempt: number): number | undefined {
  const delay = askedDelay(error) ?? ownDelay(attempt);
  return delay <= LONGEST_RETRY_AFTER ? delay : undefined;
}

/** Milliseconds that the server asks to wait, if it does; a time that is over means now. */
export function askedDelay(error: unknown): number | undefined {
  const retryAt = error instanceof APIError ? error.retryAt : undefined;
  return retryAt && Math.max(retryAt.getTime() - Date.now(), 0);
}

/** A growing time with jitter. */
export function ownDelay(attempt: number): number {
  return Math.min(FIRST_DELAY * 2 ** attempt, LONGEST_DELAY) * (1 - Math.random() / 4);
}

/** Waits, for 24 days at most, unless the signal is aborted first; leaves neither a timer nor a listener. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        forget();
        resolve();
      },
      Math.min(milliseconds, LONGEST_TIMER),
    );
    const forget = onAbort(signal, () => {
      clearTimeout(timer);
      forget();
      reject(abortError(signal));
    });
  });
}
