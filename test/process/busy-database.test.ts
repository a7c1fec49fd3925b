import pg from 'pg';
import { expect, it } from 'vitest';
import { JobQueue } from '../../server/service/forwarding/queue.ts';
import { TIMING } from '../../server/service/forwarding/timing.ts';
import { spawnServer } from '../support/server-process.ts';
import { createPostgresDatabase, openTestDatabase } from '../support/test-database.ts';

it('a server waits for another one that makes the job queue for longer than a statement may take', async () => {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const settings = {
    DATABASE_URL,
    EMAIL_FORWARDING_PROVIDER: 'improvmx',
    IMPROVMX_API_KEY: 'key',
    FORWARDING_API_URL: 'http://127.0.0.1:1',
  };
  const other = new pg.Client({ connectionString: DATABASE_URL });
  await other.connect();
  // The lock under which the queue's tables are made.
  await other.query(`SELECT pg_advisory_lock(('x' || encode(sha224(
    (current_database() || '.pgboss.pgboss')::bytea), 'hex'))::bit(64)::bigint)`);
  const server = spawnServer(settings);
  await server.waitFor(/^The database is busy\. Trying again in 1 s\.$/m);
  await other.end();
  await server.waitFor(/^Ready\./m);
  server.signal('SIGTERM');
  expect(await server.exit).toBe(0);
});

it('a server starts though somebody has the locks under which a job queue is made, if it is made', async () => {
  const { url, close } = await openTestDatabase();
  const options = { url, topics: ['forwarding'], timing: TIMING, logger: { warn } } as const;
  const first = new JobQueue(options);
  await first.open();
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  for (const key of ['', 'create-queue'])
    await other.query(`SELECT pg_advisory_lock(('x' || encode(sha224(
      (current_database() || '.pgboss.pgboss${key}')::bytea), 'hex'))::bit(64)::bigint)`);
  const second = new JobQueue(options);
  await second.open();
  await Promise.all([first.close(), second.close(), other.end(), close()]);
});

function warn(): void {}
