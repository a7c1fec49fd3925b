import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '#db/migrating/migrate.ts';
import { startDatabaseProxy } from '../faults/support/database-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { fetchJson, startServer } from '../support/server-process.ts';
import { connectPostgresDatabase } from '../support/test-database.ts';
import { runStatements, startCluster } from './cluster.ts';
import { IdempotentWriters, WRITER_SETTINGS } from './idempotent-writers.ts';

const WRITERS = 6;

it('no acknowledged write is lost and no restart is needed if the primary is killed or the database address moves to a standby', async () => {
  const { primary, standby, disconnectStandby } = await startCluster();
  const [primaryUrl, standbyUrl] = [primary.url('nameplate'), standby.url('nameplate')];
  const { db, close } = connectPostgresDatabase(primaryUrl);
  await migrate(db);
  // Like a load balancer with a fixed address.
  const proxy = await startDatabaseProxy(primaryUrl);
  onTestFinished(proxy.close);
  const settings = { DATABASE_URL: proxy.url, LOG_LEVEL: 'error', ...WRITER_SETTINGS };
  const server = await startServer(settings);
  const writers = await IdempotentWriters.start(db, () => server.url, WRITERS);
  await close();
  const expectWrites = async () => {
    await writers.waitForMore(20);
    expect((await fetchJson(`${server.url}/readyz`)).status).toBe(200);
  };
  const expectFailures = async () => {
    const before = writers.failures;
    await eventually(
      () => writers.failures - before,
      (more) => more >= 10 * WRITERS,
    );
    expect((await fetchJson(`${server.url}/readyz`)).status).toBe(503);
  };
  await expectWrites();

  proxy.setTarget(standbyUrl);
  proxy.closeConnections();
  await expectFailures();
  // The connections to the standby stay open.
  proxy.setTarget(primaryUrl);
  await expectWrites();

  await disconnectStandby();
  await primary.kill();
  proxy.setTarget(standbyUrl);
  await expectFailures();
  await runStatements(standby, 'SELECT pg_promote()');
  await expectWrites();
  await writers.stop();
  const promoted = connectPostgresDatabase(standbyUrl);
  await writers.expectStored(promoted.db);
  await promoted.close();

  await server.stop();
  const connections = `SELECT query FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND datname = 'nameplate'`;
  await eventually(async () => expect(await runStatements(standby, connections)).toEqual([]));
});
