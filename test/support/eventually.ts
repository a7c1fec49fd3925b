import { vi } from 'vitest';

/**
 * Looks again and again until what it sees is so and no expectation fails, and returns what it saw
 * then. It gives up with the last failure after minutes only: a slow machine fails no test.
 */
export function eventually<T>(
  look: () => T | Promise<T>,
  is: (seen: T) => boolean = () => true,
): Promise<T> {
  const lookAgain = async () => {
    const seen = await look();
    if (!is(seen)) throw new Error(`still ${JSON.stringify(seen)}`);
    return seen;
  };
  return vi.waitFor(lookAgain, { timeout: 240_000, interval: 20 });
}
