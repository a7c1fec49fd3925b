import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isFromServer, isConnectionLimitReached, isStartingOrStopping } from '../sql-state.ts';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';
import { type Cluster, findPostmaster, startPostgres, stopPostgres } from './postmaster.ts';

const POLL_MS = 25;
/** After this time, say what the start waits for. */
const START_NOTICE_MS = 3_000;
const UNRESPONSIVE_TIMEOUT_MS = 60_000;
/** Time for closed connections to disappear from `pg_stat_activity`. */
const CLOSE_TIMEOUT_MS = 500;
const WATCH_INTERVAL_MS = 500;
const MAX_RETRY_MS = 30_000;

/**
 * Starts the database if necessary, waits until it accepts connections, and returns its URL. Call
 * only while holding the folder lock.
 */
export async function ensureRunning(
  cluster: Cluster,
  onMessage: (message: string) => void,
): Promise<string> {
  const notice = setTimeout(
    () =>
      onMessage('Waiting for PostgreSQL: after a hard stop it recovers, which can take a while.'),
    START_NOTICE_MS,
  );
  return startAndWait(cluster).finally(() => clearTimeout(notice));
}

async function startAndWait(cluster: Cluster): Promise<string> {
  const startedAt = performance.now();
  for (;;) {
    const url = await cluster.url();
    if (url === undefined) throw new Error('there is no database');
    const state = await probeDatabase(url);
    const pid = await findPostmaster(cluster.folder);
    // A probe of a database that does not answer takes seconds.
    const waitedMs = performance.now() - startedAt;
    if (state === 'ready' && pid !== undefined) return url;
    if (state !== 'absent' && pid === undefined)
      throw new EmbeddedDatabaseError(
        `The database in ${cluster.folder.path} runs in another container, or on another machine; stop it there, or choose another DATA_DIR.`,
      );
    if (state === 'absent' && pid === undefined) await startPostgres(cluster);
    else if (state === 'absent' && waitedMs >= UNRESPONSIVE_TIMEOUT_MS)
      throw new EmbeddedDatabaseError(
        `The database in ${cluster.folder.path} runs as process ${pid}, but does not answer; stop it with SIGINT.`,
      );
    // Otherwise, the database is starting, recovering or stopping.
    await sleep(POLL_MS);
  }
}

export async function probeDatabase(url: string): Promise<'ready' | 'busy' | 'absent'> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return 'ready';
  } catch (error) {
    if (isStartingOrStopping(error)) return 'busy';
    if (isConnectionLimitReached(error)) return 'ready';
    if (isFromServer(error)) throw error;
    return 'absent';
  } finally {
    await client.end();
  }
}

/** Keeps a connection open, so that other processes do not stop the database. Returns a function that closes it. */
export async function holdConnection(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url, keepAlive: true });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    // If all connections are in use, their clients keep the database running.
    if (!isConnectionLimitReached(error)) throw error;
  }
  return () => client.end();
}

/**
 * Monitors the database and restarts it after a crash. Returns a function that ends the monitoring.
 */
export function restartOnExit(
  cluster: Cluster,
  onRestart: (error: Error | undefined) => void,
): () => Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const monitoring = (async () => {
    for (let delayMs = WATCH_INTERVAL_MS; !signal.aborted;) {
      await sleep(delayMs, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) break;
      try {
        if ((await findPostmaster(cluster.folder)) !== undefined) continue;
        await startPostgres(cluster);
        delayMs = WATCH_INTERVAL_MS;
        onRestart(undefined);
      } catch (error) {
        delayMs = Math.min(delayMs * 2, MAX_RETRY_MS);
        onRestart(error as Error);
      }
    }
  })();
  return () => {
    controller.abort();
    return monitoring;
  };
}

export async function stopIfUnused(cluster: Cluster): Promise<void> {
  // Our closed connections may still be listed for a moment.
  const url = await cluster.url();
  const startedAt = performance.now();
  while (url !== undefined && (await hasOtherClients(url))) {
    if (performance.now() - startedAt >= CLOSE_TIMEOUT_MS) return;
    await sleep(POLL_MS);
  }
  await stopPostgres(cluster, 'smart');
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
