import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '#db/migrating/migrate.ts';
import { eventually } from '../support/eventually.ts';
import { fetchJson, type ServerProcess, startServer } from '../support/server-process.ts';
import { connectPostgresDatabase } from '../support/test-database.ts';
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts';
import { KeyedWriters, KINDS, WRITERS_SETTINGS } from './keyed-writers.ts';
import { type Relay, startRelay } from './relay.ts';

const WRITERS = 6;

it('a killed primary and an address that moves to a standby lose no acknowledged write and need no restart', async () => {
  const { cluster, relay, server, writers } = await start({ synchronous: true });
  const ready = async () => (await fetchJson(`${server.url}/readyz`)).status;
  const failures = async (count: number) => {
    const before = writers.failures;
    await eventually(
      () => writers.failures - before,
      (more) => more >= count,
    );
  };

  // For a while the address points to the standby, and the connections made in that time stay open.
  relay.leadTo(cluster.url(cluster.standby()));
  relay.cut();
  await failures(10 * WRITERS);
  expect(await ready()).toBe(503);
  relay.leadTo(cluster.url(cluster.primary()));
  await writers.waitForMore(20);
  expect(await ready()).toBe(200);

  // Writes from now on are lost with the primary, so none may be acknowledged.
  await cluster.cutOff();
  const before = connectPostgresDatabase(cluster.url(cluster.primary()));
  await eventually(async () => {
    const { rows } = await sql`
      SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`.execute(before.db);
    expect(rows).not.toEqual([]);
  });
  await before.close();
  await cluster.primary().kill();
  relay.leadTo(cluster.url(cluster.standby()));
  await failures(10 * WRITERS);
  expect(await ready()).toBe(503);
  await cluster.promote();
  await writers.waitForMore(20);
  expect(await ready()).toBe(200);
  await writers.stop();
  for (const kind of KINDS) expect(writers.done(kind)).toBeGreaterThanOrEqual(60 * WRITERS);

  const after = connectPostgresDatabase(cluster.url(cluster.primary()));
  expect(await writers.findErrors(after.db)).toEqual([]);
  server.signal('SIGTERM');
  expect(await server.exit).toBe(0);
  await eventually(async () => {
    const { rows } = await sql`
      SELECT pid, query FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`.execute(after.db);
    expect(rows).toEqual([]);
  });
  await after.close();
});

it('asynchronous replication loses writes with the primary, and the writers detect it', async () => {
  const { cluster, writers } = await start({ synchronous: false });
  await cluster.cutOff();
  await writers.waitForMore(20);
  await writers.stop();
  await cluster.primary().kill();
  await cluster.promote();

  const { db, close } = connectPostgresDatabase(cluster.url(cluster.primary()));
  const wrongs = await writers.findErrors(db);
  await close();
  for (let account = 0; account < WRITERS; account += 1)
    // Toggles are left out: an even number of lost toggles leaves no trace.
    for (const what of ['metrics', 'renames', 'names'])
      expect(wrongs).toContainEqual(expect.stringMatching(`^account ${account}: ${what} `));
});

interface TestSetup {
  cluster: Cluster;
  /** The server's database address. It points to the first primary. */
  relay: Relay;
  server: ServerProcess & { url: string };
  writers: KeyedWriters;
}

/** Starts a server on the primary of a cluster, and writers. */
async function start(options: ClusterOptions): Promise<TestSetup> {
  const cluster = await startCluster(options);
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
    ...WRITERS_SETTINGS,
  });
  const writers = await KeyedWriters.start(db, () => server.url, WRITERS);
  await close();
  await writers.waitForMore(20);
  return { cluster, relay, server, writers };
}
