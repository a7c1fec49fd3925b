import { describe, expect, it, vi } from 'vitest';
import { OverloadedError } from '#server/limits/overloaded-error.ts';
import { batchLookup } from '#server/limits/batch-lookup.ts';

/** Looks up the upper case of letters. Each look-up resolves only when the test says so. */
function asking(maxPending?: number) {
  const questions: { keys: string[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const find = batchLookup(
    (keys) => {
      const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>();
      const answer = () => resolve(new Map(keys.map((key) => [key, key.toUpperCase()])));
      questions.push({ keys, answer, fail: reject });
      return promise;
    },
    { gate: 'names', maxKeysPerBatch: 3, ...(maxPending !== undefined && { maxPending }) },
  );
  const asked = () => questions.map(({ keys }) => keys.join(''));
  return { find, questions, asked };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('items requested together', () => {
  it('are looked up together, once each, in batches of limited size', async () => {
    const { find, questions, asked } = asking();
    const wanted = [...'abacdeb'].map((key) => find(key));
    await turn();
    expect(asked()).toEqual(['abc', 'deb']);
    for (const { answer } of questions) answer();
    expect((await Promise.all(wanted)).join('')).toBe('ABACDEB');
  });

  it('do not include later requests, even for the same key while a look-up is running', async () => {
    const { find, questions, asked } = asking();
    const first = find('a');
    await turn();
    const second = find('a');
    await turn();
    expect(asked()).toEqual(['a', 'a']);
    questions[1]!.answer();
    expect(await second).toBe('A');
    questions[0]!.answer();
    expect(await first).toBe('A');
  });

  it('wait while two batches are running, and form the next batch', async () => {
    // With fake timers no batch counts as slow.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { find, questions, asked } = asking();
    const first = find('a');
    await turn();
    const second = find('b');
    await turn();
    const others = Promise.all([...'cdcef'].map((key) => find(key)));
    await turn();
    expect(asked()).toEqual(['a', 'b']);
    questions[1]!.fail(new Error('lost'));
    await expect(second).rejects.toThrow('lost');
    await turn();
    expect(asked()).toEqual(['a', 'b', 'cde']);
    questions[0]!.answer();
    expect(await first).toBe('A');
    await turn();
    expect(asked()).toEqual(['a', 'b', 'cde', 'f']);
    questions[2]!.answer();
    questions[3]!.answer();
    expect((await others).join('')).toBe('CDCEF');
    vi.useRealTimers();
  });

  it('do not wait for a slow batch', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { find, questions, asked } = asking();
      const first = find('a');
      await turn();
      const second = find('b');
      await turn();
      const third = find('c');
      await turn();
      expect(asked()).toEqual(['a', 'b']);
      vi.runAllTimers();
      await turn();
      expect(asked()).toEqual(['a', 'b', 'c']);
      for (const { answer } of questions) answer();
      expect(await Promise.all([first, second, third])).toEqual(['A', 'B', 'C']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('fail together without affecting other batches', async () => {
    const { find, questions } = asking();
    const failing = Promise.allSettled([find('a'), find('b')]);
    await turn();
    const other = find('a');
    await turn();
    questions[0]!.fail(new Error('lost'));
    questions[1]!.answer();
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await other).toBe('A');
  });

  it('are refused for a caller beyond its share of the queue, which leaves room for others', async () => {
    const { find, questions } = asking(4);
    const greedy = Promise.allSettled([find('a'), find('a'), find('a')]);
    const other = find('b');
    await turn();
    questions[0]!.answer();
    const found = { status: 'fulfilled', value: 'A' };
    const refused = { status: 'rejected', reason: new OverloadedError('names') };
    expect(await greedy).toEqual([found, found, refused]);
    expect(await other).toBe('B');
    const again = find('a');
    await turn();
    questions[1]!.answer();
    expect(await again).toBe('A');
  });
});
