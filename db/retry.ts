import { setTimeout as sleep } from 'node:timers/promises';

export interface RetryOptions {
  maxAttempts: number;
  /** Of the pause after an attempt; 1 is the first. */
  delayMs?: (attempt: number) => number;
  isRetryable?: (error: unknown) => boolean;
  onRetry?: (failed: { error: unknown; attempt: number; delayMs: number }) => void;
}

/** Calls `work` until it succeeds. Throws the error of the last attempt. */
export async function withRetries<T>(
  work: () => Promise<T>,
  { maxAttempts, delayMs = () => 0, isRetryable = () => true, onRetry }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      if (attempt >= maxAttempts || !isRetryable(error)) throw error;
      const pauseMs = delayMs(attempt);
      onRetry?.({ error, attempt, delayMs: pauseMs });
      if (pauseMs > 0) await sleep(pauseMs);
    }
}
