import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { eventually } from '../support/eventually.ts';
import { fetchJson, startServer } from '../support/server-process.ts';
import { connectPostgresDatabase } from '../support/test-database.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { KeyedWriters, KINDS, WRITERS_SETTINGS } from './keyed-writers.ts';
import { type Relay, startRelay } from './relay.ts';

const WRITERS = 6;

let cluster: Cluster;
let relay: Relay;
let DATABASE_URL: string;
beforeAll(async () => {
  cluster = await startCluster();
  const url = new URL(cluster.url(cluster.primary()));
  const { db, close } = connectPostgresDatabase(url.href);
  await migrate(db);
  await close();
  relay = await startRelay(url.href);
  url.port = String(relay.port);
  DATABASE_URL = url.href;
});
afterAll(async () => {
  await relay.close();
  await cluster.stop();
});

it('a primary that is killed, and an address that leads to a standby, cost nothing that was acknowledged and no restart', async () => {
  const server = await startServer({ DATABASE_URL, LOG_LEVEL: 'error', ...WRITERS_SETTINGS });
  const { db, close } = connectPostgresDatabase(cluster.url(cluster.primary()));
  const writers = await KeyedWriters.start(db, () => server.url, WRITERS);
  await close();
  const ready = async () => (await fetchJson(`${server.url}/readyz`)).status;
  const failures = async (count: number) => {
    const before = writers.failures;
    await eventually(
      () => writers.failures - before,
      (more) => more >= count,
    );
  };
  await writers.more(20);

  // For a while the address leads to the standby, and nobody ends the connections made meanwhile.
  relay.leadTo(cluster.url(cluster.standby()));
  relay.cut();
  await failures(10 * WRITERS);
  expect(await ready()).toBe(503);
  relay.leadTo(cluster.url(cluster.primary()));
  await writers.more(20);
  expect(await ready()).toBe(200);

  // Else nothing might be lost by luck alone: the writers' own connections wait for the standby.
  const { db: primary, close: leave } = connectPostgresDatabase(DATABASE_URL);
  const { rows: standbys } = await sql`
    SELECT sync_state, current_setting('synchronous_commit') AS waits
    FROM pg_stat_replication`.execute(primary);
  await leave();
  expect(standbys).toEqual([{ sync_state: 'sync', waits: 'on' }]);
  await cluster.primary().kill();
  relay.leadTo(cluster.url(cluster.standby()));
  await failures(10 * WRITERS);
  expect(await ready()).toBe(503);
  await cluster.promote();
  await writers.more(20);
  expect(await ready()).toBe(200);
  await writers.stop();
  for (const kind of KINDS) expect(writers.done(kind)).toBeGreaterThanOrEqual(60 * WRITERS);

  const after = connectPostgresDatabase(cluster.url(cluster.primary()));
  expect(await writers.findWrongs(after.db)).toEqual([]);
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
