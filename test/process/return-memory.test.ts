import { expect, it } from 'vitest';
import { collectGarbage, createIdleDetector } from '#server/process/return-memory.ts';

it('memory is given back once after a load, when the server is idle', () => {
  const shouldCollect = createIdleDetector();
  const loads = [10, 700, 10, 1_000, 700, 601, 600, 0, 5_000, 5_000, 20, 20];
  expect(loads.filter(shouldCollect)).toEqual([600, 20]);
});

it('a collection leaves what is in use', async () => {
  const kept = { text: 'kept' };
  const dropped = new WeakRef({ text: 'dropped' });
  const keptReference = new WeakRef(kept);
  // The reference is kept until the turn of the event loop ends.
  await new Promise((resolve) => void setImmediate(resolve));
  collectGarbage();
  expect(dropped.deref()).toBeUndefined();
  expect(keptReference.deref()).toBe(kept);
});
