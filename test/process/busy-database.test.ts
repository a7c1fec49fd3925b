import pg from 'pg';
import { expect, it } from 'vitest';
import { spawnServer } from '../support/server-process.ts';
import { createPostgresDatabase } from '../support/test-database.ts';

it('a server waits for another one that makes the job queue for longer than a statement may take', async () => {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const settings = {
    DATABASE_URL,
    EMAIL_FORWARDING_PROVIDER: 'improvmx',
    IMPROVMX_API_KEY: 'key',
    IMPROVMX_BASE_URL: 'http://127.0.0.1:1',
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
