import { expect, it, vi } from 'vitest';
import { HOUR_MS } from '#contract/shared/durations.ts';
import { batchLookup } from '#server/platform/limits/batch-lookup.ts';
import { FairQueue, type FairQueueOptions } from '#server/platform/limits/fair-queue.ts';
import { OverloadedError } from '#server/platform/limits/overloaded-error.ts';
import { fakeTimers } from '../support/fake-timers.ts';

const REFUSED = new OverloadedError('writes');
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Creates a queue, by default with eight slots, and records who acquires them. */
function createQueue(options: Partial<FairQueueOptions> = {}) {
  const queue = new FairQueue({
    gate: 'writes',
    maxRunning: 8,
    maxWaiting: 100,
    waitTimeoutMs: HOUR_MS,
    ...options,
  });
  const slots: { account: string; release: () => void }[] = [];
  const acquired: string[] = [];
  return {
    queue,
    acquired,
    count: (account: string) => slots.filter((slot) => slot.account === account).length,
    acquire: (account: string, slotCount = 1) =>
      Array.from({ length: slotCount }, async () => {
        const release = await queue.acquire(account);
        acquired.push(account);
        slots.push({ account, release });
      }),
    release: async (account: string) => {
      const index = slots.findIndex((slot) => slot.account === account);
      slots.splice(index, 1)[0]!.release();
      await nextTurn();
    },
  };
}

it('slots of a fair queue are never all used by a few accounts, however much they request', async () => {
  const { acquire, count } = createQueue({ maxRunning: 10 });
  for (const account of ['a', 'b', 'c']) void acquire(account, 20);
  await nextTurn();
  expect(['a', 'b', 'c'].map(count)).toEqual([5, 3, 1]);
  void acquire('d');
  await nextTurn();
  expect(count('d')).toBe(1);
});

it('slots of a fair queue are shared evenly once accounts with more than their share release theirs', async () => {
  const { acquire, release, count } = createQueue();
  void acquire('a', 30);
  for (const account of ['b', 'c']) void acquire(account, 10);
  await nextTurn();
  expect(['a', 'b', 'c'].map(count)).toEqual([4, 2, 1]);
  await release('a');
  await release('a');
  expect(['a', 'b', 'c'].map(count)).toEqual([2, 2, 2]);
});

it('slots of a fair queue are assigned to accounts in turn, however much each requests', async () => {
  const { acquire, release, acquired } = createQueue({ maxRunning: 1 });
  void acquire('a', 4);
  void acquire('b', 2);
  void acquire('c', 1);
  await nextTurn();
  for (const account of ['a', 'a', 'b', 'c', 'a', 'b']) await release(account);
  expect(acquired).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
});

it('slots of a fair queue are assigned last to accounts whose tasks were slow, until the others have used as much', async () => {
  fakeTimers(['performance']);
  const { acquire, release, acquired } = createQueue({ maxRunning: 1 });
  for (const account of ['a', 'b', 'c']) void acquire(account, 5);
  await nextTurn();
  for (const account of 'abcccacb') {
    vi.advanceTimersByTime(acquired.length < 3 ? 300 : 50);
    await release(account);
  }
  expect(acquired.join('')).toBe('abcccacba');
});

it('slots of a fair queue become free when a task takes too long, although it still counts for its account', async () => {
  fakeTimers(['performance', 'setTimeout', 'clearTimeout']);
  const { acquire, release, acquired, count } = createQueue({
    ...{ maxRunning: 2, maxRunningPerKey: 1, slotTimeoutMs: 1_000, maxInFlight: 3 },
  });
  for (const account of ['a', 'b', 'c', 'd', 'a']) void acquire(account);
  await nextTurn();
  expect(acquired).toEqual(['a', 'b']);
  vi.advanceTimersByTime(1_000);
  await nextTurn();
  expect(acquired).toEqual(['a', 'b', 'c']);
  await release('b');
  await release('a');
  expect(acquired).toEqual(['a', 'b', 'c', 'd']);
  vi.advanceTimersByTime(1_000);
  await nextTurn();
  expect(acquired).toEqual(['a', 'b', 'c', 'd', 'a']);
  for (const account of ['a', 'c', 'd']) await release(account);
  void acquire('e', 2);
  await nextTurn();
  expect(count('e')).toBe(1);
});

it('the waiting list of a fair queue is limited to half of its length for a single account', async () => {
  const { acquire, release, acquired } = createQueue({ maxRunning: 1, maxWaiting: 4 });
  const slotsOfA = acquire('a', 4);
  await expect(slotsOfA.at(-1)).rejects.toEqual(REFUSED);
  const slotsOfB = acquire('b', 2);
  await expect(slotsOfB.at(-1)).rejects.toEqual(REFUSED);
  for (const account of ['a', 'a', 'b']) await release(account);
  expect(acquired).toEqual(['a', 'a', 'b', 'a']);
});

it('the waiting list of a fair queue does not time out while the event loop is blocked', async () => {
  const { acquire, release, acquired } = createQueue({ maxRunning: 1, waitTimeoutMs: 400 });
  void acquire('a', 2);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  await nextTurn();
  await release('a');
  expect(acquired).toEqual(['a', 'a']);
});

it('the waiting list of a fair queue drops entries at the timeout, so they do not delay others', async () => {
  const { acquire, release, count } = createQueue({ maxRunning: 1, waitTimeoutMs: 20 });
  const [, timedOut] = acquire('a', 2);
  await expect(timedOut).rejects.toEqual(REFUSED);
  await release('a');
  void acquire('b');
  await nextTurn();
  expect(count('b')).toBe(1);
});

it('the waiting list of a fair queue keeps the turn of an account whose first entry times out', async () => {
  fakeTimers(['setInterval', 'clearInterval']);
  const { acquire, release, acquired } = createQueue({ maxRunning: 1, waitTimeoutMs: 200 });
  void acquire('running');
  const [timedOut] = acquire('a');
  vi.advanceTimersByTime(100);
  void acquire('a');
  void acquire('b');
  vi.advanceTimersByTime(100);
  await expect(timedOut).rejects.toEqual(REFUSED);
  for (const account of ['running', 'a']) await release(account);
  expect(acquired).toEqual(['running', 'a', 'b']);
});

/** Creates a lookup that finds uppercase letters. The test resolves each batch itself. */
function startLookup(maxPending?: number) {
  const batches: { keys: string[]; resolve: () => void; reject: (error: Error) => void }[] = [];
  const lookUp = batchLookup(
    (keys) => {
      const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>();
      const resolveBatch = () => resolve(new Map(keys.map((key) => [key, key.toUpperCase()])));
      batches.push({ keys, resolve: resolveBatch, reject });
      return promise;
    },
    { gate: 'names', maxKeysPerBatch: 3, ...(maxPending !== undefined && { maxPending }) },
  );
  const batchKeys = () => batches.map(({ keys }) => keys.join(''));
  return { lookUp, batches, batchKeys };
}

it('items requested together do not include later requests, even for the same key while a look-up is running', async () => {
  const { lookUp, batches, batchKeys } = startLookup();
  const first = lookUp('a');
  await nextTurn();
  const second = lookUp('a');
  await nextTurn();
  expect(batchKeys()).toEqual(['a', 'a']);
  batches[1]!.resolve();
  expect(await second).toBe('A');
  batches[0]!.resolve();
  expect(await first).toBe('A');
});

it('items requested together wait while two batches are running, and form the next batch', async () => {
  // With fake timers no batch counts as slow.
  fakeTimers(['setTimeout', 'clearTimeout']);
  const { lookUp, batches, batchKeys } = startLookup();
  const first = lookUp('a');
  await nextTurn();
  const second = lookUp('b');
  await nextTurn();
  const otherResults = Promise.all([...'cdcef'].map((key) => lookUp(key)));
  await nextTurn();
  expect(batchKeys()).toEqual(['a', 'b']);
  batches[1]!.reject(new Error('lost'));
  await expect(second).rejects.toThrow('lost');
  await nextTurn();
  expect(batchKeys()).toEqual(['a', 'b', 'cde']);
  batches[0]!.resolve();
  expect(await first).toBe('A');
  await nextTurn();
  expect(batchKeys()).toEqual(['a', 'b', 'cde', 'f']);
  batches[2]!.resolve();
  batches[3]!.resolve();
  expect((await otherResults).join('')).toBe('CDCEF');
});

it('items requested together do not wait for a slow batch', async () => {
  fakeTimers(['setTimeout', 'clearTimeout']);
  const { lookUp, batches, batchKeys } = startLookup();
  const results: Promise<string | undefined>[] = [];
  for (const key of 'abc') {
    results.push(lookUp(key));
    await nextTurn();
  }
  expect(batchKeys()).toEqual(['a', 'b']);
  vi.runAllTimers();
  await nextTurn();
  expect(batchKeys()).toEqual(['a', 'b', 'c']);
  for (const { resolve } of batches) resolve();
  expect(await Promise.all(results)).toEqual(['A', 'B', 'C']);
});

it('items requested together are refused for a caller beyond its share of the queue, which leaves room for others', async () => {
  const { lookUp, batches } = startLookup(4);
  const greedyResults = Promise.allSettled([lookUp('a'), lookUp('a'), lookUp('a')]);
  const otherResult = lookUp('b');
  await nextTurn();
  batches[0]!.resolve();
  const foundResult = { status: 'fulfilled', value: 'A' };
  const refusedResult = { status: 'rejected', reason: new OverloadedError('names') };
  expect(await greedyResults).toEqual([foundResult, foundResult, refusedResult]);
  expect(await otherResult).toBe('B');
  const nextResult = lookUp('a');
  await nextTurn();
  batches[1]!.resolve();
  expect(await nextResult).toBe('A');
});
