import { afterAll, beforeAll, vi } from 'vitest';

/** Stops `Date` for all tests of a file or `describe`, so that a rate limit's minute does not end. */
export function useFrozenDate(): void {
  beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterAll(() => void vi.useRealTimers());
}
