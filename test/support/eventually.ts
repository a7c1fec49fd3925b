import { expect, vi } from 'vitest';

const INTERVAL_MS = 20;
const REPORT_MS = 10_000;
/** A slow machine fails no test. */
const TIMEOUT_MS = 240_000;

/**
 * Looks again and again until what it sees is so and no expectation fails, and returns what it saw
 * then. After ten seconds it says on the console what it still waits for; after minutes it fails.
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  is: (seen: T) => boolean = () => true,
  reportMs = REPORT_MS,
): Promise<T> {
  let last: unknown = 'nothing was seen yet';
  const { currentTestName: test = 'a hook' } = expect.getState();
  const lookAgain = async () => {
    try {
      const seen = await look();
      if (!is(seen)) throw new Error(`still ${JSON.stringify(seen)}`);
      return seen;
    } catch (error) {
      last = error;
      throw error;
    }
  };
  const report = setTimeout(
    () => process.stderr.write(`"${test}" is still waiting: ${String(last)}\n`),
    reportMs,
  );
  try {
    return await vi.waitFor(lookAgain, { timeout: TIMEOUT_MS, interval: INTERVAL_MS });
  } finally {
    clearTimeout(report);
  }
}
