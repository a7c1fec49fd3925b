import { afterAll, vi } from 'vitest';

// Files share a process, and no setting restores fake timers.
afterAll(() => void vi.useRealTimers());
