import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acquireLock, LockedError } from '#db/embedded/folder-lock.ts';
import { eventually } from '../support/eventually.ts';
import { createTempFolder } from '../support/server-process.ts';

const CONTENDERS = 5;
const ROUNDS = 3;

interface Contender {
  child: ChildProcessByStdio<Writable, Readable, null>;
  nextLine: () => Promise<string | undefined>;
  /** Kills the process with SIGKILL. */
  kill: () => Promise<void>;
}

function startContender(): Contender {
  const script = fileURLToPath(new URL('lock-contender.ts', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const kill = async () => {
    child.kill('SIGKILL');
    await closed;
  };
  onTestFinished(kill);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, nextLine: async () => (await lines.next()).value, kill };
}

/** Creates lock files that belong to a killed process. */
async function createStaleLocks(...paths: string[]): Promise<void> {
  const contender = startContender();
  await contender.nextLine();
  for (const path of paths) {
    contender.child.stdin.write(`${path}\n`);
    expect(await contender.nextLine()).toBe('won');
  }
  await contender.kill();
}

describe('of several competing processes', () => {
  it.each([
    ['a free lock', false],
    ['the lock of a killed process', true],
  ])('exactly one acquires %s', async (_title, hasStaleLocks) => {
    const folder = await createTempFolder();
    const paths = Array.from({ length: ROUNDS }, (_, round) => join(folder, `${round}.lock`));
    if (hasStaleLocks) await createStaleLocks(...paths);
    const contenders = Array.from({ length: CONTENDERS }, startContender);
    for (const contender of contenders) expect(await contender.nextLine()).toBe('ready');
    for (const path of paths) {
      for (const { child } of contenders) child.stdin.write(`${path}\n`);
      const outcomes = await Promise.all(contenders.map((contender) => contender.nextLine()));
      expect(outcomes.toSorted()).toEqual([
        ...Array.from({ length: CONTENDERS - 1 }, () => 'lost'),
        'won',
      ]);
      const winner = contenders[outcomes.indexOf('won')];
      // The error does not name a holder that takes more than a second to respond, so retry.
      await eventually(async () => {
        const lockError = await acquireLock(path, 'test').catch((error: unknown) => error);
        expect(lockError).toMatchObject({ holder: { pid: winner?.child.pid, purpose: 'test' } });
      });
    }
  });
});

describe('a lock of a killed process', () => {
  it('is taken over without leftovers', async () => {
    const folder = await createTempFolder();
    await createStaleLocks(join(folder, 'lock'));
    const release = await acquireLock(join(folder, 'lock'), 'test');
    expect(await readdir(folder)).toEqual(['lock']);
    await release();
  });

  it('is taken over if another process was killed while taking it over', async () => {
    const folder = await createTempFolder();
    await createStaleLocks(join(folder, 'lock'), join(folder, 'lock.t'));
    const release = await acquireLock(join(folder, 'lock'), 'test');
    expect(await readdir(folder)).toEqual(['lock']);
    await release();
  });

  it('is taken over by exactly one of many processes', async () => {
    const folder = await createTempFolder();
    const paths = Array.from({ length: 10 }, (_, round) => join(folder, `${round}`));
    await createStaleLocks(...paths);
    for (const path of paths) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 12 }, () => acquireLock(path, 'test')),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });
});

describe('a lock', () => {
  it('names its holder when it is refused, and is free after its release', async () => {
    const folder = await createTempFolder();
    const path = join(folder, 'lock');
    const release = await acquireLock(path, 'server');
    const lockError = await acquireLock(path, 'test').catch((error: unknown) => error);
    expect(lockError).toBeInstanceOf(LockedError);
    expect(lockError).toMatchObject({ holder: { pid: process.pid, purpose: 'server' } });
    await release();
    expect(await readdir(folder)).toEqual([]);
    await (
      await acquireLock(path, 'test')
    )();
  });

  it('is readable and writable by its owner only', async () => {
    const path = join(await createTempFolder(), 'lock');
    const release = await acquireLock(path, 'test');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await release();
  });

  it('is not taken over while its process lives, however old it is', async () => {
    const path = join(await createTempFolder(), 'lock');
    const release = await acquireLock(path, 'test');
    await utimes(path, 0, 0);
    await expect(acquireLock(path, 'test')).rejects.toThrow(LockedError);
    await release();
  });

  it('is not taken from a live process that does not respond', async () => {
    const path = join(await createTempFolder(), 'lock');
    const contender = startContender();
    await contender.nextLine();
    contender.child.stdin.write(`${path}\n`);
    await contender.nextLine();
    contender.child.kill('SIGSTOP');
    const lockError = await acquireLock(path, 'test').catch((error: unknown) => error);
    expect(lockError).toMatchObject({ name: 'LockedError', holder: {} });
  });
});
