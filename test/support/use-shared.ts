import { afterAll, beforeAll } from 'vitest';
import type { RegisterCleanUp } from './server-process.ts';

/** Creates a value before the first test of a file or `describe`, and cleans it up after the last. */
export function useShared<T>(create: (onFinished: RegisterCleanUp) => Promise<T>): () => T {
  const cleanUps: (() => Promise<void>)[] = [];
  let shared: { value: T } | undefined;
  beforeAll(async () => {
    shared = { value: await create((cleanUp) => void cleanUps.push(cleanUp)) };
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });
  return () => {
    if (!shared) throw new Error('The shared value is available only in tests.');
    return shared.value;
  };
}
