import pg from 'pg';
import { expect, it } from 'vitest';
import { JobQueue } from '#server/platform/jobs/job-queue.ts';
import { spawnServer } from '../support/server-process.ts';
import { createPostgresDatabase, openTestDatabase } from '../support/test-database.ts';

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
  server.signal('SIGTERM');
  expect(await server.exited).toBe(0);
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
