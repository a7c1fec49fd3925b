import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { migrate } from '#db/migrating/migrate.ts';
import { createMetricPartitions } from '#db/partitions.ts';
import { forwardingJob } from '#server/features/forwarding/reconcile.ts';
import { JobQueue } from '#server/platform/jobs/job-queue.ts';
import { failure, runCommand, runJson } from '../cli/support/command-line.ts';
import { call } from '../support/call.ts';
import { coreEndpoints, createValidBody } from '../support/endpoints.ts';
import { runPsqlScript } from '../support/run-psql-script.ts';
import { createTempFolder, fetchJson, startServer } from '../support/server-process.ts';
import { startTestApp } from '../support/test-app.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

const logger = { warn: () => {} };

let owner: pg.Client;
let ownerUrl: string;
let url: string;
beforeAll(async () => {
  ownerUrl = await createPostgresDatabase('nameplate_template');
  owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await runPsqlScript(owner, 'deploy/postgres/server-role.sql');
  // After a restore, the role exists already.
  await runPsqlScript(owner, 'deploy/postgres/server-role.sql');
  const serverUrl = new URL(ownerUrl);
  Object.assign(serverUrl, { username: 'nameplate_server', password: 'secret' });
  url = serverUrl.href;
});
afterAll(async () => {
  await owner.query('DROP OWNED BY nameplate_server');
  await owner.query('DROP ROLE nameplate_server');
  await owner.end();
});

it('a role without schema privileges serves every endpoint', async () => {
  const server = await startTestApp(
    { chat: { deliver: () => Promise.resolve('1') } },
    connectPostgresDatabase(url),
  );
  expect(await migrate(server.db)).toEqual([]);
  const account = await server.createAccount();
  for (const endpoint of coreEndpoints) {
    const { method, path } = endpoint;
    const json = await createValidBody(server, account, endpoint);
    const headers: Record<string, string> = method === 'GET' ? {} : { 'idempotency-key': 'k' };
    const { status } = await call(server.app, { method, path, key: account.key, json, headers });
    expect([path, status]).toEqual([path, 200]);
  }
  expect((await server.app.inject('/readyz')).statusCode).toBe(200);
  await server.close();
});

it('a role without schema privileges cannot restore; after the owner has, migrating and granting again suffice', async () => {
  const restoredUrl = new URL(await createPostgresDatabase());
  const DATABASE_URL = restoredUrl.href;
  const asServer = new URL(url);
  asServer.pathname = restoredUrl.pathname;
  const file = join(await createTempFolder(), 'nameplate.zip');
  await runJson({ DATABASE_URL: ownerUrl }, 'backup', file);
  expect(await runCommand({ DATABASE_URL: asServer.href }, 'restore', file)).toEqual(
    failure(/^The user of DATABASE_URL may not create tables\..* Restore as the owner/),
  );
  await runJson({ DATABASE_URL }, 'restore', file);
  await runJson({ DATABASE_URL }, 'migrate');
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  await runPsqlScript(client, 'deploy/postgres/server-role.sql');
  const server = await startServer({ DATABASE_URL: asServer.href });
  expect((await fetchJson(`${server.url}/readyz`)).status).toBe(200);
  await server.stop();
  await client.query('DROP OWNED BY nameplate_server');
  await client.end();
});

it('a role without schema privileges runs jobs', async () => {
  const { db, close } = connectPostgresDatabase(url);
  const jobs = new JobQueue({ url, logger });
  const jobName = new Promise((resolve) => {
    jobs.register(forwardingJob, async ({ name }) => resolve(name));
  });
  await jobs.open();
  await inTransaction(db, (trx) => jobs.add(trx, forwardingJob, { name: 'jane' }));
  expect(await jobName).toBe('jane');
  await jobs.close();
  await close();
});

it('a role without schema privileges cannot create, alter or truncate a table or a future partition', async () => {
  const { db, close } = connectPostgresDatabase(url);
  for (const statement of [
    'CREATE TABLE own ()',
    'ALTER TABLE accounts ADD COLUMN own integer',
    'DROP TABLE accounts',
    'TRUNCATE metrics',
    'CREATE SCHEMA own',
  ])
    await expect(sql.raw(statement).execute(db)).rejects.toMatchObject({ code: '42501' });
  const nextYear = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 11, 31));
  await expect(
    inTransaction(db, (trx) => createMetricPartitions(trx, nextYear)),
  ).rejects.toMatchObject({ code: '42501' });
  await close();
});
