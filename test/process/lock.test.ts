import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acquireLock, findLockHolder, LockedError } from '../../db/lock.ts';
import { temporaryFolder } from '../support/server-process.ts';

const CONTENDERS = 5;
const ROUNDS = 3;

interface Contender {
  child: ChildProcessByStdio<Writable, Readable, null>;
  says: () => Promise<string | undefined>;
}

function startContender(path: string): Contender {
  const script = fileURLToPath(new URL('lock-contender.ts', import.meta.url));
  const child = spawn(process.execPath, [script, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, says: async () => (await lines.next()).value };
}

describe('several processes that want one lock at once', () => {
  it.each([
    ['that nobody has', undefined],
    ['that a dead process left', 'stale'],
  ])('%s: exactly one gets it', async (_title, stale) => {
    const folder = await temporaryFolder();
    for (let round = 0; round < ROUNDS; round += 1) {
      const path = join(folder, `${round}.lock`);
      if (stale) {
        await writeFile(path, JSON.stringify({ pid: deadProcess(), started: '1' }));
      }
      const contenders = Array.from({ length: CONTENDERS }, () => startContender(path));
      for (const contender of contenders) expect(await contender.says()).toBe('ready');
      for (const { child } of contenders) child.stdin.write('go\n');
      const outcomes = await Promise.all(contenders.map((contender) => contender.says()));
      expect(outcomes.toSorted()).toEqual([
        ...Array.from({ length: CONTENDERS - 1 }, () => 'lost'),
        'won',
      ]);
      const winner = contenders[outcomes.indexOf('won')];
      expect(await findLockHolder(path)).toBe(winner?.child.pid);
      for (const { child } of contenders) child.stdin.end();
    }
  });
});

describe('a lock that a dead process left', () => {
  it.each([
    ['a process that is dead', () => JSON.stringify({ pid: deadProcess(), started: '1' })],
    [
      'a process whose id was given to another since',
      () => JSON.stringify({ pid: process.pid, started: '1' }),
    ],
    ['nobody', () => ''],
    ['something else', () => '{"pid":-1}'],
  ])('is taken over when it names %s, and nothing is left beside it', async (_title, content) => {
    const folder = await temporaryFolder();
    const path = join(folder, 'x.lock');
    await writeFile(path, content());
    const release = await acquireLock(path);
    expect(await readdir(folder)).toEqual(['x.lock']);
    expect(await findLockHolder(path)).toBe(process.pid);
    await release();
  });

  it('is taken over also when another process died while it took it over', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'x.lock');
    const stale = JSON.stringify({ pid: deadProcess(), started: '1' });
    await writeFile(path, stale);
    await writeFile(`${path}.takeover`, stale);
    const release = await acquireLock(path);
    expect(await readdir(folder)).toEqual(['x.lock']);
    await release();
  });

  it('is taken over by one of many that come within milliseconds', async () => {
    const folder = await temporaryFolder();
    for (let round = 0; round < 50; round += 1) {
      const path = join(folder, `${round}.lock`);
      await writeFile(path, JSON.stringify({ pid: process.pid, started: '1' }));
      const outcomes = await Promise.allSettled(
        Array.from({ length: 12 }, async (_, index) => {
          await sleep(index / 4);
          return acquireLock(path);
        }),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });
});

describe('a lock', () => {
  it('names its holder to whoever wants it, and is free after its release', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'x.lock');
    const release = await acquireLock(path);
    expect(await findLockHolder(path)).toBe(process.pid);
    const refusal = await acquireLock(path).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(LockedError);
    expect(refusal).toMatchObject({ pid: process.pid, path });
    await release();
    expect(await readdir(folder)).toEqual([]);
    expect(await findLockHolder(path)).toBeUndefined();
    await (
      await acquireLock(path)
    )();
  });

  it('is readable by its owner alone', async () => {
    const path = join(await temporaryFolder(), 'x.lock');
    const release = await acquireLock(path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await release();
  });

  it('is not taken over while a living process has it, however old it is', async () => {
    const path = join(await temporaryFolder(), 'x.lock');
    const release = await acquireLock(path);
    await utimes(path, 0, 0);
    await expect(acquireLock(path)).rejects.toThrow(LockedError);
    await release();
  });
});

/** The id of a process that has ended. */
function deadProcess(): number {
  return spawnSync('true').pid;
}
