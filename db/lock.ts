import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 20;

/** Another living process holds the lock. */
export class LockedError extends Error {
  readonly pid: number;
  readonly path: string;

  constructor(pid: number, path: string) {
    super(`process ${pid} holds ${path}`);
    this.pid = pid;
    this.path = path;
  }
}

/**
 * Makes a lock file that names this process, and returns how to remove it. A lock that a dead
 * process left is taken over; its age never counts.
 */
export async function acquireLock(path: string): Promise<() => Promise<void>> {
  const own = JSON.stringify({ pid: process.pid, started: await startTime(process.pid) });
  for (;;) {
    if (await place(own, path, link)) return () => rm(path, { force: true });
    const found = await readFile(path, 'utf8').catch(() => undefined);
    if (found === undefined) continue;
    const holder = parse(found);
    if (holder && (await isAlive(holder))) throw new LockedError(holder.pid, path);
    if (await takeOver(path, found, own)) return () => rm(path, { force: true });
  }
}

/**
 * Replaces the lock of a dead process, unless another process does. Only who holds the lock of the
 * lock may replace it, so nobody can take away what another has just taken over.
 */
async function takeOver(path: string, stale: string, own: string): Promise<boolean> {
  let release;
  try {
    release = await acquireLock(`${path}.takeover`);
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    await sleep(RETRY_MS);
    return false;
  }
  try {
    if ((await readFile(path, 'utf8').catch(() => undefined)) !== stale) return false;
    return await place(own, path, rename);
  } finally {
    await release();
  }
}

/** The process that holds a lock, if it lives. */
export async function findLockHolder(path: string): Promise<number | undefined> {
  const holder = parse(await readFile(path, 'utf8').catch(() => ''));
  return holder && (await isAlive(holder)) ? holder.pid : undefined;
}

/** Puts a file in its place whole: nobody can read a lock that is only half written. */
async function place(content: string, path: string, how: typeof link): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, content, { mode: 0o600 });
  try {
    await how(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

interface Holder {
  pid: number;
  started: string | null;
}

function parse(content: string): Holder | undefined {
  try {
    const { pid, started } = JSON.parse(content) as Holder;
    return Number.isInteger(pid) && pid > 0 ? { pid, started } : undefined;
  } catch {
    return undefined;
  }
}

async function isAlive({ pid, started }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // A process id is used again after a restart: the start time tells the two processes apart.
  return started === null || started === (await startTime(pid));
}

async function startTime(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
