import { randomBytes } from 'node:crypto';
import { closeSync } from 'node:fs';
import { type FileHandle, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { SpillFile, openNameless } from '../../server/pages/site/spill-file.ts';
import { eventually } from '../support/eventually.ts';

/** What is written at once. */
const CHUNK = 262_144;

let folder: string;
beforeAll(async () => {
  // On a disk: tests have their temporary folder in memory.
  folder = await mkdtemp('/var/tmp/nameplate-spill-');
});
afterAll(() => rm(folder, { recursive: true }));

const opened: SpillFile<string>[] = [];
afterEach(async () => {
  for (const file of opened.splice(0)) await file.close().catch(() => {});
});

let count = 0;
const makeFile = () => open(join(folder, `file-${(count += 1)}`), 'wx+');

function spillInto(handle: FileHandle, chunks: number) {
  const failures: unknown[] = [];
  const file = new SpillFile<string>(handle, chunks * CHUNK, (error) => failures.push(error));
  opened.push(file);
  return { file, failures };
}

/** Puts so many of 10,000 bytes there, as fast as the disk takes them, until it fails. */
async function fill(file: SpillFile<string>, keys: readonly string[]) {
  const values = new Map<string, Buffer>();
  for (const key of keys) {
    const bytes = randomBytes(10_000);
    values.set(key, bytes);
    while (!(file.set(key, { about: `about ${key}`, bytes }) || file.isClosed)) await sleep(1);
  }
  return values;
}

/** A part is written when the one before it is: of three parts the first is on the disk. */
const THREE_PARTS = 60;
const numbered = (many: number) => Array.from({ length: many }, (_, at) => `key ${at}`);

describe('what is put into the file', () => {
  it('is found as it was, from what is still to be written and from the disk', async () => {
    const { file, failures } = spillInto(await makeFile(), 4);
    const values = await fill(file, numbered(60));
    for (const [key, bytes] of values)
      expect(file.get(key)).toEqual({ about: `about ${key}`, bytes });
    expect(file.get('another')).toBeUndefined();
    expect(failures).toEqual([]);
  });

  it('is what was put there last under its key', async () => {
    const { file } = spillInto(await makeFile(), 4);
    await fill(file, numbered(40));
    const values = await fill(file, ['key 3']);
    await fill(file, numbered(60).slice(40));
    expect(file.get('key 3')?.bytes).toEqual(values.get('key 3'));
  });

  it('takes the place of what is oldest: the file stays within its bound', async () => {
    const handle = await makeFile();
    const { file, failures } = spillInto(handle, 3);
    const values = await fill(file, numbered(500));
    await eventually(
      () => handle.stat(),
      ({ size }) => size === 3 * CHUNK,
    );
    const found = [...values.keys()].map((key) => ({ key, value: file.get(key) }));
    for (const { key, value } of found)
      if (value) expect(value).toEqual({ about: `about ${key}`, bytes: values.get(key) });
    const isFound = found.map(({ value }) => value !== undefined);
    // All that were put there last, and none from before: those of three chunks and of one in memory.
    const first = isFound.indexOf(true);
    expect(isFound.slice(first)).not.toContain(false);
    expect(500 - first).toBeGreaterThan(2 * 25);
    expect(500 - first).toBeLessThanOrEqual(4 * 26);
    expect(failures).toEqual([]);
  });

  it('is left out if it is larger than what is written at once', async () => {
    const { file } = spillInto(await makeFile(), 4);
    file.set('large', { about: '', bytes: Buffer.alloc(CHUNK) });
    expect(file.has('large')).toBe(false);
  });

  it('is remembered up to a bound, however small it is', async () => {
    const { file } = spillInto(await makeFile(), 2);
    for (let at = 0; at < 2_000; at += 1)
      file.set(`key ${at}`, { about: '', bytes: Buffer.alloc(1) });
    expect(file.size).toBeLessThanOrEqual((2 * CHUNK) / 2_048);
    expect(file.size).toBeGreaterThan(240);
    expect(file.get('key 1999')).toEqual({ about: '', bytes: Buffer.alloc(1) });
    expect(file.has('key 0')).toBe(false);
  });
});

describe('a file on a slow disk', () => {
  it('is left alone for a while, and is not lost', async () => {
    const handle = await makeFile();
    const { file } = spillInto(handle, 4);
    await fill(file, numbered(THREE_PARTS));
    let now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
    try {
      const reads = Array.from({ length: 40 }, () => file.get('key 0') !== undefined);
      expect(reads.slice(0, 10)).not.toContain(false);
      expect(reads.slice(30)).toContain(false);
      now += 5_000;
      expect(file.get('key 0')).toBeDefined();
    } finally {
      clock.mockRestore();
    }
  });
});

describe('a file that fails', () => {
  it('because the disk is full is used no more, and said to fail once', async () => {
    const { file, failures } = spillInto(await open('/dev/full', 'r+'), 4);
    await fill(file, numbered(100));
    expect(failures).toEqual([expect.objectContaining({ code: 'ENOSPC' })]);
    expect(file.size).toBe(0);
    file.set('later', { about: '', bytes: Buffer.alloc(1) });
    expect(file.get('later')).toBeUndefined();
  });

  it('when it is read has nothing', async () => {
    const handle = await makeFile();
    const { file, failures } = spillInto(handle, 4);
    await fill(file, numbered(THREE_PARTS));
    closeSync(handle.fd);
    expect(file.get('key 0')).toBeUndefined();
    expect(failures).toEqual([expect.objectContaining({ code: 'EBADF' })]);
    expect(file.get('key 29')).toBeUndefined();
  });

  it.each([
    ['what somebody else wrote', (handle: FileHandle) => handle.write('other', 5_000)],
    ['less than was written', (handle: FileHandle) => handle.truncate(5_000)],
  ])('for it holds %s has nothing', async (_what, spoil) => {
    const handle = await makeFile();
    const { file, failures } = spillInto(handle, 4);
    await fill(file, numbered(THREE_PARTS));
    await spoil(handle);
    expect(file.get('key 0')).toBeUndefined();
    expect(failures).toEqual([new Error('the file does not hold what was written')]);
    expect(file.size).toBe(0);
  });
});

describe('the file', () => {
  it('has no name, and is in the first folder where it can be', async () => {
    const empty = await mkdtemp(join(folder, 'empty-'));
    const file = await openNameless([join(folder, 'not-there'), empty], 1_000);
    expect(await file!.stat()).toMatchObject({ nlink: 0, mode: 0o100600 });
    expect((await file!.stat()).dev).toBe((await stat(empty)).dev);
    expect(await readdir(empty)).toEqual([]);
    await file!.close();
  });

  it('is not made in memory, or where there is little room', async () => {
    expect(await openNameless(['/dev/shm'], 1_000)).toBeUndefined();
    expect(await openNameless([folder], 1e15)).toBeUndefined();
  });
});
