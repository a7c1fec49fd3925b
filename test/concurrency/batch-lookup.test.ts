import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { OverloadedError } from '#server/platform/limits/overloaded-error.ts';
import { batchLookup } from '#server/platform/limits/batch-lookup.ts';

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

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('items requested together', () => {
  it('are looked up together, once each, in batches of limited size', async () => {
    const { lookUp, batches, batchKeys } = startLookup();
    const results = [...'abacdeb'].map((key) => lookUp(key));
    await nextTurn();
    expect(batchKeys()).toEqual(['abc', 'deb']);
    for (const { resolve } of batches) resolve();
    expect((await Promise.all(results)).join('')).toBe('ABACDEB');
  });

  it('do not include later requests, even for the same key while a look-up is running', async () => {
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

  it('wait while two batches are running, and form the next batch', async () => {
    // With fake timers no batch counts as slow.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
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
    vi.useRealTimers();
  });

  it('do not wait for a slow batch', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
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

  it('are refused for a caller beyond its share of the queue, which leaves room for others', async () => {
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
});
