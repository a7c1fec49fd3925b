import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { KeyedWriters, WRITERS_SETTINGS } from '../failover/keyed-writers.ts';
import { DEBIANS } from '../support/postgres-15-setup.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { startServer } from '../support/server-process.ts';
import { connectPostgresDatabase } from '../support/test-database.ts';
import { startPgBouncer } from './pgbouncer.ts';

let postgres: PostgresServer;
let url: string;
let databases = 0;
beforeAll(async () => {
  postgres = await startPostgres({ binaries: DEBIANS });
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  databases += 1;
  await postgres.createDatabase(`pooled_${databases}`);
  url = postgres.url(`pooled_${databases}`);
});

async function writeThrough(mode: 'session' | 'transaction') {
  const { db, close } = connectPostgresDatabase(url);
  await migrate(db);
  const pooler = await startPgBouncer(url, mode);
  const server = await startServer({ DATABASE_URL: pooler.through(url), ...WRITERS_SETTINGS });
  const writers = await KeyedWriters.start(db, () => server.url, 6);
  await writers.more(30);
  await writers.stop();
  const wrongs = await writers.findWrongs(db);
  await close();
  server.signal('SIGTERM');
  expect(await server.exit).toBe(0);
  await pooler.stop();
  return { failures: writers.failures, wrongs };
}

it('through PgBouncer in session mode all keyed writes are done, each once and at the first attempt', async () => {
  expect(await writeThrough('session')).toEqual({ failures: 0, wrongs: [] });
});

it('in transaction mode, too, what is repeated until it is acknowledged is done once', async () => {
  expect((await writeThrough('transaction')).wrongs).toEqual([]);
});

it('what PgBouncer leaves out of a connection the role brings along, as documented', async () => {
  const pooler = await startPgBouncer(url);
  const first = await startServer({ DATABASE_URL: pooler.through(url) });
  expect(first.said()).toContain(
    'A pooler before PostgreSQL leaves out idle_in_transaction_session_timeout, lock_timeout, statement_timeout: set them for the user of DATABASE_URL with ALTER ROLE',
  );
  first.signal('SIGTERM');
  expect(await first.exit).toBe(0);
  await pooler.stop();

  const documented = await readFile('docs/operations.md', 'utf8');
  const statements = documented.match(/^ALTER ROLE nameplate SET \w+ = '\d+s';$/gm) ?? [];
  expect(statements).toHaveLength(3);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements)
    await client.query(statement.replace('ROLE nameplate', 'ROLE postgres'));
  await client.end();
  const again = await startPgBouncer(url);
  const second = await startServer({ DATABASE_URL: again.through(url) });
  expect(second.said()).not.toContain('A pooler before PostgreSQL');
  second.signal('SIGTERM');
  expect(await second.exit).toBe(0);
  await again.stop();
});
