import { afterAll, beforeAll } from 'vitest';
import type { RegisterCleanUp } from './server-process.ts';

/** Shares a value between the tests of a `describe`: created before the first, cleaned up after the last. */
export function useShared<T>(create: (onFinished: RegisterCleanUp) => Promise<T>): () => T {
  const cleanUps: (() => Promise<void>)[] = [];
  let created: { value: T } | undefined;
  beforeAll(async () => {
    created = { value: await create((cleanUp) => void cleanUps.push(cleanUp)) };
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });
  return () => {
    if (!created) throw new Error('The shared value is only available in tests.');
    return created.value;
  };
}
