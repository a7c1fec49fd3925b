import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { tryLock } from '#db/embedded/folder-lock.ts';
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

/** Acquires a free lock. Returns a function that releases it. */
async function acquire(path: string): Promise<() => Promise<void>> {
  const lock = await tryLock(path, 'test');
  return lock.acquired ? lock.release : expect.unreachable('the lock is free');
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

it.each([
  ['a free lock', false],
  ['the lock of a killed process', true],
])('of several competing processes exactly one acquires %s', async (_title, hasStaleLocks) => {
  const folder = await createTempFolder();
  const paths = Array.from({ length: ROUNDS }, (_, round) => join(folder, `${round}.lock`));
  if (hasStaleLocks) await createStaleLocks(...paths);
  const contenders = Array.from({ length: CONTENDERS }, startContender);
  for (const contender of contenders) expect(await contender.nextLine()).toBe('ready');
  for (const path of paths) {
    for (const { child } of contenders) child.stdin.write(`${path}\n`);
    const outcomes = await Promise.all(contenders.map((contender) => contender.nextLine()));
    expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1);
    const winner = contenders[outcomes.indexOf('won')];
    // A holder that takes more than a second to respond is not named, so retry.
    await eventually(async () => {
      const heldBy = { pid: winner?.child.pid, purpose: 'test' };
      expect(await tryLock(path, 'test')).toEqual({ acquired: false, heldBy });
    });
  }
});

it.each([
  ['', ['lock']],
  [', even if another process was killed while taking it over', ['lock', 'lock.t']],
])('a lock of a killed process is taken over without leftovers%s', async (_when, names) => {
  const folder = await createTempFolder();
  await createStaleLocks(...names.map((name) => join(folder, name)));
  const release = await acquire(join(folder, 'lock'));
  expect(await readdir(folder)).toEqual(['lock']);
  await release();
});

it('a lock is private, names its holder however old it is, and is free after its release', async () => {
  const folder = await createTempFolder();
  const path = join(folder, 'lock');
  const release = await acquire(path);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await utimes(path, 0, 0);
  const heldBy = { pid: process.pid, purpose: 'test' };
  expect(await tryLock(path, 'test')).toEqual({ acquired: false, heldBy });
  await release();
  expect(await readdir(folder)).toEqual([]);
  const releaseAgain = await acquire(path);
  await releaseAgain();
});

it('a lock is not taken from a live process that does not respond', async () => {
  const path = join(await createTempFolder(), 'lock');
  const contender = startContender();
  await contender.nextLine();
  contender.child.stdin.write(`${path}\n`);
  await contender.nextLine();
  contender.child.kill('SIGSTOP');
  expect(await tryLock(path, 'test')).toEqual({ acquired: false, heldBy: {} });
});
