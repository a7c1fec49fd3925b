import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { fetchJson, startServer } from '../../support/server-process.ts';
import { connectPostgresDatabase } from '../../support/test-database.ts';
import { IdempotentWriters, WRITER_SETTINGS } from './idempotent-writers.ts';

const WRITERS = 2;
/** Minimum number of successes per writer and kind in each phase of the restart. */
const MIN_SUCCESSES = 5;
/** The server ignores a signal that repeats within half a second. */
const NEXT_SIGNAL_MS = 600;

/**
 * Starts two servers from the first folder, then replaces them by servers from each following one.
 * Fails if a request fails.
 */
export async function restartOneByOne(
  DATABASE_URL: string,
  [first, ...next]: readonly [string, ...string[]],
): Promise<void> {
  const { db, close } = connectPostgresDatabase(DATABASE_URL);
  onTestFinished(close);
  // Like a load balancer, the writers send no new request to a server that is not ready.
  const readyUrls: string[] = [];
  let requests = 0;
  const nextUrl = () => readyUrls[(requests += 1) % readyUrls.length]!;
  const startServerProcess = async (folder: string) => {
    const settings = {
      DATABASE_URL,
      DATABASE_POOL_SIZE: '8',
      // Long enough to notice it, even on a slow machine.
      SHUTDOWN_DELAY_SECONDS: '600',
      ...WRITER_SETTINGS,
    };
    const server = await startServer(settings, onTestFinished, folder);
    readyUrls.push(server.url);
    return server;
  };
  const drainAndStop = async (server: Awaited<ReturnType<typeof startServer>>) => {
    server.signal('SIGTERM');
    const checkReadiness = () => fetchJson(`${server.url}/readyz`);
    await eventually(checkReadiness, ({ status }) => status === 503);
    readyUrls.splice(readyUrls.indexOf(server.url), 1);
    // Then every writer has finished its last request to this server.
    await Promise.all([writers.waitForMore(1), sleep(NEXT_SIGNAL_MS)]);
    await server.stop();
  };
  let servers = await Promise.all([first, first].map(startServerProcess));
  const writers = await IdempotentWriters.start(db, nextUrl, WRITERS);
  await writers.waitForMore(MIN_SUCCESSES);
  for (const folder of next) {
    const newServers: typeof servers = [];
    for (const server of servers) {
      await drainAndStop(server);
      await writers.waitForMore(MIN_SUCCESSES);
      newServers.push(await startServerProcess(folder));
      await writers.waitForMore(MIN_SUCCESSES);
    }
    servers = newServers;
  }
  await writers.stop();
  const { failures, replays } = writers;
  expect({ failures, replays }).toEqual({ failures: 0, replays: 0 });
  await writers.expectStored(db);
}
