import { HOUR_MS } from '#contract/durations.ts';
import { describe, expect, it } from 'vitest';
import { FairQueue, type FairQueueOptions } from '#server/limits/fair-queue.ts';
import { OverloadedError } from '#server/limits/overloaded-error.ts';

const REFUSED = new OverloadedError('writes');
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A queue with eight slots and a log of who acquired one. Each slot is kept until the test releases it. */
function open(options: Partial<FairQueueOptions> = {}) {
  const queue = new FairQueue({
    gate: 'writes',
    maxRunning: 8,
    maxWaiting: 100,
    waitTimeoutMs: HOUR_MS,
    ...options,
  });
  const inside: { account: string; leave: () => void }[] = [];
  const entered: string[] = [];
  return {
    entered,
    count: (account: string) => inside.filter((one) => one.account === account).length,
    ask: (account: string, times = 1) =>
      Array.from({ length: times }, async () => {
        const leave = await queue.acquire(account);
        entered.push(account);
        inside.push({ account, leave });
      }),
    leave: async (account: string) => {
      const index = inside.findIndex((one) => one.account === account);
      inside.splice(index, 1)[0]!.leave();
      await turn();
    },
  };
}

describe('slots of a fair queue', () => {
  it('are limited to half of all slots for a single account', async () => {
    const { ask, count } = open();
    void ask('a', 20);
    await turn();
    expect(count('a')).toBe(4);
  });

  it('are never all used by a few accounts with endless work', async () => {
    const { ask, count } = open({ maxRunning: 10 });
    for (const account of ['a', 'b', 'c']) void ask(account, 20);
    await turn();
    expect(['a', 'b', 'c'].map(count)).toEqual([5, 3, 1]);
    void ask('d');
    await turn();
    expect(count('d')).toBe(1);
  });

  it('are shared evenly once accounts with more than their share release theirs', async () => {
    const { ask, leave, count } = open();
    void ask('a', 30);
    for (const account of ['b', 'c']) void ask(account, 10);
    await turn();
    expect(['a', 'b', 'c'].map(count)).toEqual([4, 2, 1]);
    await leave('a');
    await leave('a');
    expect(['a', 'b', 'c'].map(count)).toEqual([2, 2, 2]);
  });

  it('are assigned in turn, no matter how much an account requests', async () => {
    const { ask, leave, entered } = open({ maxRunning: 1 });
    void ask('a', 4);
    void ask('b', 2);
    void ask('c', 1);
    await turn();
    for (const account of ['a', 'a', 'b', 'c', 'a', 'b']) await leave(account);
    expect(entered).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('are free again when work fails', async () => {
    const queue = new FairQueue({
      gate: 'writes',
      maxRunning: 1,
      maxWaiting: 1,
      waitTimeoutMs: HOUR_MS,
    });
    const failing = queue.run('a', () => Promise.reject(new Error('lost')));
    const next = queue.run('b', () => Promise.resolve('in'));
    await expect(failing).rejects.toThrow('lost');
    expect(await next).toBe('in');
  });
});

describe('waiting room of a fair queue', () => {
  it('is limited to half for a single account, which leaves room for others', async () => {
    const { ask, leave, entered } = open({ maxRunning: 1, maxWaiting: 4 });
    const ofA = ask('a', 4);
    await expect(ofA.at(-1)).rejects.toEqual(REFUSED);
    const ofB = ask('b', 2);
    await expect(ofB.at(-1)).rejects.toEqual(REFUSED);
    for (const account of ['a', 'a', 'b']) await leave(account);
    expect(entered).toEqual(['a', 'a', 'b', 'a']);
  });

  it('is kept while the event loop is blocked, however long', async () => {
    const { ask, leave, entered } = open({ maxRunning: 1, waitTimeoutMs: 400 });
    void ask('a', 2);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    await turn();
    await leave('a');
    expect(entered).toEqual(['a', 'a']);
  });

  it('is released at the timeout, and entries that timed out do not delay others', async () => {
    const { ask, leave, count } = open({ maxRunning: 1, waitTimeoutMs: 20 });
    const [, late] = ask('a', 2);
    await expect(late).rejects.toEqual(REFUSED);
    await leave('a');
    void ask('b');
    await turn();
    expect(count('b')).toBe(1);
  });
});
