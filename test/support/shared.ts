import { afterAll, beforeAll } from 'vitest';
import type { AtEnd } from './server-process.ts';

/** Shares a value between the tests of a `describe`: made before the first of them, and ended after the last. */
export function shared<T>(make: (atEnd: AtEnd) => Promise<T>): () => T {
  const ends: (() => Promise<void>)[] = [];
  let made: { value: T } | undefined;
  beforeAll(async () => {
    made = { value: await make((end) => void ends.push(end)) };
  });
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return () => {
    if (!made) throw new Error('only tests have what they share');
    return made.value;
  };
}
