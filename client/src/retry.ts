import { abortError, onAbort } from './abort.ts';
import { APIConnectionError, APIError } from './errors.ts';

const FIRST_DELAY = 500;
const LONGEST_DELAY = 8_000;
const LONGEST_RETRY_AFTER = 60_000;

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

/** Milliseconds before the next attempt: what the server asks for, or a growing time with jitter. */
export function retryDelay(error: unknown, attempt: number): number {
  const asked = error instanceof APIError ? error.headers.get('retry-after') : null;
  const delay = asked ? askedDelay(asked) : NaN;
  return delay >= 0
    ? Math.min(delay, LONGEST_RETRY_AFTER)
    : Math.min(FIRST_DELAY * 2 ** attempt, LONGEST_DELAY) * (1 - Math.random() / 4);
}

// Seconds or a date; a date that is over means now.
function askedDelay(asked: string): number {
  const seconds = Number(asked);
  return Number.isNaN(seconds) ? Math.max(Date.parse(asked) - Date.now(), 0) : seconds * 1_000;
}

/** Waits, unless the signal is aborted first; leaves neither a timer nor a listener. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      forget();
      resolve();
    }, milliseconds);
    const forget = onAbort(signal, () => {
      clearTimeout(timer);
      forget();
      reject(abortError(signal));
    });
  });
}
