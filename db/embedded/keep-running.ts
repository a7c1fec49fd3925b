import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isFromServer, isFull, isStarting } from '../sql-state.ts';
import { type Cluster, findPostmaster, start, stop } from './postmaster.ts';
import { PrivateDatabaseError } from './private-database-error.ts';

const POLL_MS = 25;
/** When those who wait for a database that recovers are told so. */
const SLOW_MS = 5_000;
/** How long a process that has no socket is waited for. */
const SILENCE_MS = 60_000;
/** How long a connection may take to end after it was closed. */
const ENDING_MS = 500;
/** How often is looked whether PostgreSQL still runs. */
const WATCH_MS = 500;
const MAX_RETRY_MS = 30_000;

/** A PostgreSQL of our own, and its URL. */
export interface Reachable extends Cluster {
  /** Undefined as long as there is no database. */
  url: () => Promise<string | undefined>;
}

/**
 * Starts the database unless it runs, waits until it answers, and returns its URL. Only for the holder
 * of the lock.
 */
export async function ensureRunning(
  place: Reachable,
  say: (sentence: string) => void,
): Promise<string> {
  for (let waited = 0; ; waited += POLL_MS) {
    const url = await place.url();
    if (url === undefined) throw new Error('there is no database');
    const state = await probe(url);
    const pid = await findPostmaster(place.folder);
    if (state === 'ready' && pid !== undefined) return url;
    if (state !== 'absent' && pid === undefined)
      throw new PrivateDatabaseError(
        `The database in ${place.folder.path} runs in another container, or on another machine; stop it there, or choose another DATA_DIR.`,
      );
    if (state === 'absent' && pid === undefined) await start(place);
    else if (state === 'absent' && waited >= SILENCE_MS)
      throw new PrivateDatabaseError(
        `The database in ${place.folder.path} runs as process ${pid}, but does not answer; stop it with SIGINT.`,
      );
    // In other states it starts, recovers or stops.
    else if (waited === SLOW_MS)
      say('The database is recovering from a hard stop; this can take a while.');
    await sleep(POLL_MS);
  }
}

/** Whether a database answers. */
export async function probe(url: string): Promise<'ready' | 'busy' | 'absent'> {
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

/** Connects to the database to be seen there, and returns how to end that. */
export async function enter(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url, keepAlive: true });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    // Whoever fills it is seen as well.
    if (!isFull(error)) throw error;
  }
  return () => client.end();
}

/** Starts the database again whenever it has ended without being asked to; returns how to stop that. */
export function keepRunning(
  place: Reachable,
  report: (error: Error | undefined) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const watching = (async () => {
    for (let delay = WATCH_MS; !signal.aborted;) {
      await sleep(delay, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) break;
      try {
        if ((await findPostmaster(place.folder)) !== undefined) continue;
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

/** Stops the database unless somebody is connected to it. */
export async function stopIfUnused(place: Reachable): Promise<void> {
  // Connections of our own that were just closed may still be ending.
  const url = await place.url();
  for (let waited = 0; url !== undefined && (await hasOtherClients(url)); waited += POLL_MS) {
    if (waited >= ENDING_MS) return;
    await sleep(POLL_MS);
  }
  await stop(place, 'smart');
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
