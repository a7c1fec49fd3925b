import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isFromServer, isFull, isStarting } from '../sql-state.ts';
import { findBinaries } from './binaries.ts';
import { hasDatabase, noDatabase, prepareDataFolder } from './data-folder.ts';
import { acquireLock, LockedError } from './folder-lock.ts';
import {
  type Cluster,
  DATABASE_NAME,
  findPostmaster,
  initialise,
  start,
  stop,
} from './postmaster.ts';
import { PrivateDatabaseError } from './private-database-error.ts';
import { followLog, type LogLine, logSize } from './server-log.ts';
import { shortPathOf } from './short-path.ts';

const POLL_MS = 25;
/** How long a command that starts or stops the database is waited for. */
const PATIENCE_MS = 15_000;
/** When those who wait for a database that recovers are told so. */
const SLOW_MS = 5_000;
/** How long a process that has no socket is waited for. */
const SILENCE_MS = 60_000;
/** How long a connection may take to end after it was closed. */
const ENDING_MS = 500;
/** How often is looked whether PostgreSQL still runs. */
const WATCH_MS = 500;
const MAX_RETRY_MS = 30_000;

export interface PrivateDatabaseOptions {
  dataDir: string;
  /** Called with what people who wait should know. */
  say: (sentence: string) => void;
}

/** A running database of our own. */
export interface PrivateDatabase {
  /** For `pg`. */
  url: string;
  /** Its data folder. */
  path: string;
  close: () => Promise<void>;
}

/** Whoever runs a database, or uses one that runs. */
interface Place extends Cluster {
  url: string;
  lock: string;
  release: () => Promise<void>;
}

/**
 * Runs the database of a data folder for a server, which has the folder to itself until it closes:
 * makes the database if there is none yet, takes over one that still runs, starts it again when it
 * ends, and stops it in the end. Throws a `PrivateDatabaseError` if that cannot be.
 */
export async function runPrivateDatabase({
  dataDir,
  say,
  onLog,
  onRestart,
}: PrivateDatabaseOptions & {
  onLog: (line: LogLine) => void;
  /** Called when PostgreSQL has ended without being asked to, with why if it cannot be started again. */
  onRestart: (error: Error | undefined) => void;
}): Promise<PrivateDatabase> {
  const place = await find(dataDir, true);
  const unlock = await lockForServer(place).catch(async (error: unknown) => {
    await place.release();
    throw error;
  });
  const release = async () => {
    await unlock();
    await place.release();
  };
  try {
    const logged = await logSize(place.folder);
    if (!(await hasDatabase(place.folder))) await initialise(place);
    await ensureRunning(place, say);
    const stopFollowing = followLog(place.folder, logged, onLog);
    const stopWatching = watch(place, onRestart);
    return {
      url: place.url,
      path: place.folder.path,
      close: async () => {
        await stopWatching();
        await stop(place, 'fast');
        stopFollowing();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/**
 * Uses the database of a data folder for a command, beside a server or alone: it is started if it
 * does not run, and stopped in the end if nobody else uses it. `make` makes it if there is none.
 */
export async function usePrivateDatabase({
  dataDir,
  say,
  make,
}: PrivateDatabaseOptions & { make: boolean }): Promise<PrivateDatabase> {
  const place = await find(dataDir, make);
  try {
    for (let waited = 0; (await probe(place.url)) !== 'ready'; waited += POLL_MS) {
      const unlock = await tryLock(place, 'command');
      if (typeof unlock === 'function')
        try {
          if (!(await hasDatabase(place.folder))) {
            if (!make) throw noDatabase(place.folder.path);
            await initialise(place);
          }
          await ensureRunning(place, say);
        } finally {
          await unlock();
        }
      else if (waited >= PATIENCE_MS)
        throw new PrivateDatabaseError(
          `The database in ${place.folder.path} is being started or stopped by another process (${unlock.pid ?? 'unknown'}); try again when it is done.`,
        );
      else await sleep(POLL_MS);
    }
  } catch (error) {
    await place.release();
    throw error;
  }
  return {
    url: place.url,
    path: place.folder.path,
    close: async () => {
      await stopIfUnused(place);
      await place.release();
    },
  };
}

async function find(dataDir: string, make: boolean): Promise<Place> {
  const folder = await prepareDataFolder(dataDir, make);
  const binaries = await findBinaries(folder.user, folder.path);
  const { path, release } = await shortPathOf(folder.path);
  const url = `postgres://${DATABASE_NAME}@localhost/${DATABASE_NAME}?host=${encodeURIComponent(path)}`;
  return { folder, binaries, url, lock: join(path, 'lock'), release };
}

async function lockForServer(place: Place): Promise<() => Promise<void>> {
  for (let waited = 0; ; waited += POLL_MS) {
    const unlock = await tryLock(place, 'server');
    if (typeof unlock === 'function') return unlock;
    if (unlock.purpose !== 'command' || waited >= PATIENCE_MS)
      throw new PrivateDatabaseError(
        `Another process (${unlock.pid ?? 'which does not answer'}) is using the data folder ${place.folder.path}; stop it, or choose another DATA_DIR.`,
      );
    await sleep(POLL_MS);
  }
}

/** How to let go of the lock, or who holds it. */
async function tryLock({ lock }: Place, purpose: 'server' | 'command') {
  try {
    return await acquireLock(lock, purpose);
  } catch (error) {
    if (error instanceof LockedError) return error.holder;
    throw error;
  }
}

/** Only for the holder of the lock. */
async function ensureRunning(place: Place, say: (sentence: string) => void): Promise<void> {
  for (let waited = 0; ; waited += POLL_MS) {
    const state = await probe(place.url);
    const pid = await findPostmaster(place.folder);
    if (state === 'ready' && pid !== undefined) return;
    if (state !== 'absent' && pid === undefined)
      throw new PrivateDatabaseError(
        `The database in ${place.folder.path} runs in another container, or on another machine; stop it there, or choose another DATA_DIR.`,
      );
    if (state === 'absent' && pid === undefined) return start(place);
    // It starts, recovers or stops.
    if (state === 'absent' && waited >= SILENCE_MS)
      throw new PrivateDatabaseError(
        `The database in ${place.folder.path} runs as process ${pid}, but does not answer; stop it with SIGINT.`,
      );
    if (waited === SLOW_MS)
      say('The database is recovering from a hard stop; this can take a while.');
    await sleep(POLL_MS);
  }
}

async function probe(url: string): Promise<'ready' | 'busy' | 'absent'> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return 'ready';
  } catch (error) {
    if (isStarting(error)) return 'busy';
    if (isFull(error)) return 'ready';
    if (isFromServer(error)) throw error;
    return 'absent';
  } finally {
    await client.end();
  }
}

/** Starts the database again whenever it has ended without being asked to; returns how to stop that. */
function watch(place: Place, report: (error: Error | undefined) => void): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const watching = (async () => {
    for (let delay = WATCH_MS; !signal.aborted;) {
      await sleep(delay, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted || (await findPostmaster(place.folder)) !== undefined) continue;
      try {
        await start(place);
        delay = WATCH_MS;
        report(undefined);
      } catch (error) {
        delay = Math.min(delay * 2, MAX_RETRY_MS);
        report(error as Error);
      }
    }
  })();
  return () => {
    stopping.abort();
    return watching;
  };
}

/** Whoever leaves last puts the light out. */
async function stopIfUnused(place: Place): Promise<void> {
  const unlock = await tryLock(place, 'command');
  if (typeof unlock !== 'function') return;
  try {
    // Those of our own that were just closed may still be ending.
    for (let waited = 0; await hasOtherClients(place.url); waited += POLL_MS) {
      if (waited >= ENDING_MS) return;
      await sleep(POLL_MS);
    }
    await stop(place, 'smart');
  } finally {
    await unlock();
  }
}

async function hasOtherClients(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query(
      `SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    return rowCount !== 0;
  } catch {
    return true;
  } finally {
    await client.end();
  }
}
