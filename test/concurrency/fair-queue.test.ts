import { HOUR_MS } from '../../contract/durations.ts';
import { describe, expect, it, vi } from 'vitest';
import { FairQueue, type FairQueueOptions } from '../../server/load/fair-queue.ts';

const ONE = { places: 1, share: 1, besideOthers: 1, alone: 1 };
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** FairQueue of 8 places, and who was let in, in order; each stays until it is told to leave. */
function open(options: Partial<FairQueueOptions> = {}) {
  const shares = new FairQueue({
    places: 8,
    share: 2,
    besideOthers: 6,
    alone: 8,
    maxWaiting: 100,
    patienceMs: HOUR_MS,
    ...options,
  });
  const inside: { account: string; leave: () => void }[] = [];
  const entered: string[] = [];
  return {
    entered,
    count: (account: string) => inside.filter((one) => one.account === account).length,
    ask: (account: string, times = 1) =>
      Array.from({ length: times }, () =>
        shares.run(account, () => {
          entered.push(account);
          return new Promise<void>((leave) => inside.push({ account, leave }));
        }),
      ),
    leave: async (account: string) => {
      const index = inside.findIndex((one) => one.account === account);
      inside.splice(index, 1)[0]!.leave();
      await turn();
    },
  };
}

describe('places that accounts share', () => {
  it('are all for an account that is alone', () => {
    const { ask, count } = open();
    void ask('a', 20);
    expect(count('a')).toBe(8);
  });

  it('are a few less for an account beside which others were there a moment ago, who get in at once', async () => {
    const { ask, leave, count } = open();
    void ask('b');
    void ask('a', 20);
    await leave('b');
    await turn();
    expect(count('a')).toBe(6);
    void ask('b', 2);
    expect(count('b')).toBe(2);
  });

  it('are all for an account again when nobody else was there for a minute', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { ask, leave, count } = open();
    void ask('b');
    await leave('b');
    void ask('a', 20);
    vi.advanceTimersByTime(60_001);
    await leave('a');
    expect(count('a')).toBe(8);
    vi.useRealTimers();
  });

  it('are at most a share for one account while others wait', async () => {
    const { ask, leave, count } = open();
    void ask('a', 30);
    for (const account of ['b', 'c', 'd', 'e']) void ask(account, 10);
    for (let left = 0; left < 6; left += 1) await leave('a');
    expect(['a', 'b', 'c', 'd', 'e'].map(count)).toEqual([2, 2, 2, 1, 1]);
    await leave('b');
    expect(['a', 'b', 'c', 'd', 'e'].map(count)).toEqual([2, 1, 2, 2, 1]);
  });

  it('are given in turn, whoever asked most', async () => {
    const { ask, leave, entered } = open(ONE);
    void ask('a', 4);
    void ask('b', 2);
    void ask('c', 1);
    for (const account of ['a', 'a', 'b', 'c', 'a', 'b']) await leave(account);
    expect(entered).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('are left to the others by one that fails', async () => {
    const shares = new FairQueue({ ...ONE, maxWaiting: 1, patienceMs: HOUR_MS });
    const failing = shares.run('a', () => Promise.reject(new Error('lost')));
    const next = shares.run('b', () => Promise.resolve('in'));
    await expect(failing).rejects.toThrow('lost');
    expect(await next).toBe('in');
  });
});

describe('those who wait for a place', () => {
  it('are bounded: who comes when there is no room is refused', async () => {
    const { ask } = open({ ...ONE, maxWaiting: 3 });
    const asked = ask('a', 5);
    await expect(asked.at(-1)).rejects.toThrow('too many wait');
  });

  it('give way from the end of the longest queue when others come', async () => {
    const { ask, leave, entered } = open({ ...ONE, maxWaiting: 4 });
    const ofA = ask('a', 5);
    const ofB = ask('b', 3);
    await expect(ofA[4]).rejects.toThrow('others have fewer');
    await expect(ofA[3]).rejects.toThrow('others have fewer');
    await expect(ofB[2]).rejects.toThrow('too many wait');
    for (const account of ['a', 'a', 'b', 'a']) await leave(account);
    expect(entered).toEqual(['a', 'a', 'b', 'a', 'b']);
  });

  it('wait no longer than their patience, and hold up nobody when they are gone', async () => {
    const { ask, leave, count } = open({ ...ONE, patienceMs: 20 });
    const [, late] = ask('a', 2);
    await expect(late).rejects.toThrow('waited too long');
    await leave('a');
    void ask('b');
    expect(count('b')).toBe(1);
  });
});
