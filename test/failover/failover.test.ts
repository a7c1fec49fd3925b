import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '#db/migrating/migrate.ts';
import { eventually } from '../support/eventually.ts';
import { fetchJson, type ServerProcess, startServer } from '../support/server-process.ts';
import { connectPostgresDatabase } from '../support/test-database.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { IdempotentWriters, KINDS, WRITER_SETTINGS } from './idempotent-writers.ts';
import { type Relay, startRelay } from './relay.ts';

const WRITERS = 6;

it('no acknowledged write is lost and no restart is needed if the primary is killed or the database address moves to a standby', async () => {
  const { cluster, relay, server, writers } = await start();
  const readReadiness = async () => (await fetchJson(`${server.url}/readyz`)).status;
  const waitForFailures = async (count: number) => {
    const before = writers.failures;
    await eventually(
      () => writers.failures - before,
      (more) => more >= count,
    );
  };

  // Points the relay to the standby for a while. Connections opened in that time stay open.
  relay.setTarget(cluster.url(cluster.standby()));
  relay.closeConnections();
  await waitForFailures(10 * WRITERS);
  expect(await readReadiness()).toBe(503);
  relay.setTarget(cluster.url(cluster.primary()));
  await writers.waitForMore(20);
  expect(await readReadiness()).toBe(200);

  // From now on, writes would be lost with the primary, so none may be acknowledged.
  await cluster.disconnectStandby();
  const before = connectPostgresDatabase(cluster.url(cluster.primary()));
  await eventually(async () => {
    const { rows } = await sql`
      SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`.execute(before.db);
    expect(rows).not.toEqual([]);
  });
  await before.close();
  await cluster.primary().kill();
  relay.setTarget(cluster.url(cluster.standby()));
  await waitForFailures(10 * WRITERS);
  expect(await readReadiness()).toBe(503);
  await cluster.promote();
  await writers.waitForMore(20);
  expect(await readReadiness()).toBe(200);
  await writers.stop();
  for (const kind of KINDS) expect(writers.doneCount(kind)).toBeGreaterThanOrEqual(60 * WRITERS);

  const primaryDatabase = connectPostgresDatabase(cluster.url(cluster.primary()));
  expect(await writers.findErrors(primaryDatabase.db)).toEqual([]);
  await server.stop();
  await eventually(async () => {
    const { rows } = await sql`
      SELECT pid, query FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`.execute(
      primaryDatabase.db,
    );
    expect(rows).toEqual([]);
  });
  await primaryDatabase.close();
});

interface TestSetup {
  cluster: Cluster;
  /** The server connects to the database through this relay. */
  relay: Relay;
  server: ServerProcess & { url: string };
  writers: IdempotentWriters;
}

/** Starts a cluster, a server that uses its primary, and writers. */
async function start(): Promise<TestSetup> {
  const cluster = await startCluster();
  onTestFinished(cluster.stop);
  const url = new URL(cluster.url(cluster.primary()));
  const { db, close } = connectPostgresDatabase(url.href);
  await migrate(db);
  const relay = await startRelay(url.href);
  onTestFinished(relay.close);
  url.port = String(relay.port);
  const server = await startServer({
    DATABASE_URL: url.href,
    LOG_LEVEL: 'error',
    ...WRITER_SETTINGS,
  });
  const writers = await IdempotentWriters.start(db, () => server.url, WRITERS);
  await close();
  await writers.waitForMore(20);
  return { cluster, relay, server, writers };
}
