import { expect, vi } from 'vitest';

const INTERVAL_MS = 20;
const REPORT_AFTER_MS = 10_000;
/** Long, so that tests do not fail on a slow machine. */
const TIMEOUT_MS = 240_000;

/**
 * Calls `read` until it returns a value that passes `isDone`, and returns that value. Throws after 4
 * minutes. After 10 seconds, it prints why it is still waiting.
 */
export async function eventually<T>(
  read: () => T | Promise<T>,
  isDone: (value: T) => boolean = () => true,
  reportAfterMs = REPORT_AFTER_MS,
): Promise<T> {
  let lastError: unknown = 'no result yet';
  const { currentTestName: testName = 'a hook' } = expect.getState();
  const attempt = async () => {
    try {
      const value = await read();
      if (!isDone(value)) throw new Error(`still ${JSON.stringify(value)}`);
      return value;
    } catch (error) {
      lastError = error;
      throw error;
    }
  };
  const reportTimer = setTimeout(
    () => process.stderr.write(`"${testName}" is still waiting: ${String(lastError)}\n`),
    reportAfterMs,
  );
  try {
    return await vi.waitFor(attempt, { timeout: TIMEOUT_MS, interval: INTERVAL_MS });
  } finally {
    clearTimeout(reportTimer);
  }
}
