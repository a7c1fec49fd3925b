import { sql } from 'kysely';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { defineJob, NO_DATA } from '#server/platform/jobs/define-job.ts';
import { JobQueue } from '#server/platform/jobs/job-queue.ts';
import { eventually } from '../support/eventually.ts';
import {
  createTempFolder,
  fetchJson,
  startServerWithAccount,
  spawnServer,
} from '../support/server-process.ts';
import { openTestDatabase, createPostgresDatabase } from '../support/test-database.ts';

it('a server runs queued jobs and schedules the recurring ones', async () => {
  const { url, db, id, key } = await startServerWithAccount({
    BACKUP_DIR: await createTempFolder(),
    CUSTOM_DOMAIN_TARGET: 'domains.example.org',
    PUBLIC_URL: 'https://names.example.org',
  });
  const { rows } = await sql`SELECT name, cron FROM pgboss.schedule ORDER BY name`.execute(db);
  expect(rows).toEqual([
    { name: 'alert-evaluation', cron: '* * * * *' },
    { name: 'backup', cron: '0 3 * * *' },
    { name: 'domain-check', cron: '* * * * *' },
    { name: 'maintenance', cron: '0 * * * *' },
    { name: 'week-summary', cron: '1,16,31,46 * * * *' },
  ]);
  const request = { key, method: 'POST', json: { confirm: id } };
  expect(await fetchJson(`${url}/owner/account/delete-account`, request)).toMatchObject({
    status: 200,
  });
  await eventually(async () =>
    expect(await db.selectFrom('accounts').select('id').execute()).toEqual([]),
  );
});

it('a stopping queue gives back the jobs that it does not finish', async () => {
  const { db, url, close } = await openTestDatabase();
  onTestFinished(close);
  const started = Promise.withResolvers<void>();
  const job = defineJob({
    ...{ kind: 'stuck', schema: NO_DATA, pollSeconds: 0.5, expireSeconds: 600 },
    run: () => Promise.resolve(),
  });
  const jobs = new JobQueue({ url, logger: { warn: () => {} } });
  jobs.register(job, () => {
    started.resolve();
    return new Promise(() => {});
  });
  await jobs.open();
  await db.transaction().execute((trx) => jobs.add(trx, job, {}));
  await started.promise;
  await jobs.close();
  const { rows } = await sql`SELECT state, start_after < now() + interval '5 seconds' AS is_soon
    FROM pgboss.job WHERE name = 'stuck'`.execute(db);
  expect(rows).toEqual([{ state: 'retry', is_soon: true }]);
});

it('errors of the queue are logged as errors', async () => {
  const { db, url, close } = await openTestDatabase();
  onTestFinished(close);
  const logged = Promise.withResolvers<unknown>();
  const warn = (details: { err?: unknown }) => details.err && logged.resolve(details.err);
  const jobs = new JobQueue({ url, logger: { warn } as never });
  const job = {
    kind: 'lost',
    schema: NO_DATA,
    expireSeconds: 600,
    pollSeconds: 0.5,
    run: () => Promise.resolve(),
  };
  jobs.register(defineJob(job), () => Promise.resolve());
  await jobs.open();
  onTestFinished(() => jobs.close());
  await sql`ALTER SCHEMA pgboss RENAME TO lost`.execute(db);
  const error = await logged.promise;
  await sql`ALTER SCHEMA lost RENAME TO pgboss`.execute(db);
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ message: expect.stringContaining('does not exist') });
});

it('a server waits while another one creates the job queue for longer than the statement timeout', async () => {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const lockSession = new pg.Client({ connectionString: DATABASE_URL });
  await lockSession.connect();
  await lockSession.query('DROP SCHEMA pgboss CASCADE');
  // The lock that pg-boss holds while it creates its tables.
  await lockSession.query(`SELECT pg_advisory_lock(('x' || encode(sha224(
    (current_database() || '.pgboss.pgboss')::bytea), 'hex'))::bit(64)::bigint)`);
  const server = spawnServer({ DATABASE_URL });
  await server.waitFor(/^The database is busy\. Retrying in 1 s\.$/m);
  await lockSession.end();
  await server.waitFor(/^Ready\./m);
  await server.stop();
});

it('an existing job queue opens while another session holds the migration locks', async () => {
  const { url, close } = await openTestDatabase();
  const lockSession = new pg.Client({ connectionString: url });
  await lockSession.connect();
  for (const key of ['', 'create-queue'])
    await lockSession.query(`SELECT pg_advisory_lock(('x' || encode(sha224(
      (current_database() || '.pgboss.pgboss${key}')::bytea), 'hex'))::bit(64)::bigint)`);
  const jobs = new JobQueue({ url, logger: { warn: () => {} } });
  await jobs.open();
  await Promise.all([jobs.close(), lockSession.end(), close()]);
});
