import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { startTransactionPooler } from '../faults/support/transaction-pooler.ts';
import { fetchJson, spawnServer, startServer } from '../support/server-process.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

it('servers that migrate an empty database at once all succeed, and one of them did the work', async () => {
  const url = await createPostgresDatabase();
  const databases = Array.from({ length: 5 }, () => connectPostgresDatabase(url, { max: 1 }));
  try {
    const ran = await Promise.all(databases.map(({ db }) => migrate(db)));
    expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
    expect(await migrate(databases[0]!.db)).toEqual([]);
    const { rows } = await sql<{ partitions: number }>`
      SELECT count(*)::integer AS partitions FROM pg_inherits
      WHERE inhparent = 'metrics'::regclass`.execute(databases[0]!.db);
    expect(rows).toEqual([{ partitions: 4 }]);
  } finally {
    await Promise.all(databases.map((database) => database.close()));
  }
});

it('two server processes that start at once on an empty database both come up', async () => {
  const DATABASE_URL = await createPostgresDatabase();
  const servers = await Promise.all([startServer({ DATABASE_URL }), startServer({ DATABASE_URL })]);
  for (const { url } of servers)
    expect(await fetchJson(`${url}/readyz`)).toEqual({ status: 200, body: { status: 'ready' } });
});

it('behind a pooler that gives each transaction another connection, a migration leaves no lock behind', async () => {
  const pooler = await startTransactionPooler(await createPostgresDatabase());
  for (const isFirst of [true, false, false]) {
    const { db, close } = connectPostgresDatabase(pooler.url, { max: 1 });
    expect((await migrate(db)).length > 0).toBe(isFirst);
    await close();
  }
  await pooler.close();
});

it('a migration that fails says why, and leaves no lock and nothing of it behind', async () => {
  const pooler = await startTransactionPooler(await createPostgresDatabase());
  const { db, close } = connectPostgresDatabase(pooler.url, { max: 1 });
  await sql`CREATE TABLE sites (id integer)`.execute(db);
  for (let count = 0; count < 3; count += 1)
    await expect(migrate(db)).rejects.toThrow('relation "sites" already exists');
  const tables = await db.introspection.getTables();
  expect(tables.map(({ name }) => name)).toEqual(['sites']);
  await close();
  await pooler.close();
});

it('a server that waits for the migration of another one says so, and no time limit of the database ends that', async () => {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const { db, close } = connectPostgresDatabase(DATABASE_URL);
  const name = sql.id(new URL(DATABASE_URL).pathname.slice(1));
  await sql`ALTER DATABASE ${name} SET statement_timeout = '1s'`.execute(db);
  await sql`ALTER DATABASE ${name} SET lock_timeout = '1s'`.execute(db);
  const server = await db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(5461826771)`.execute(trx);
    const waiting = spawnServer({ DATABASE_URL });
    await waiting.waitFor(/^Another server is migrating the database; waiting for it\.$/m);
    expect(waiting.said()).not.toContain('Trying again');
    return waiting;
  });
  await server.waitFor(/^Ready\./m);
  await close();
});
