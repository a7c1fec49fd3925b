import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { findAppliedMigrations, migrate, NewerSchemaError } from '#db/migrating/migrate.ts';
import { MIGRATIONS } from '#db/migrating/migrations.ts';
import { up as fillListedText } from '#db/migrations/0046-fill-listed-text.ts';
import { createMetricPartitions, listMetricPartitions } from '#db/partitions.ts';
import { createPage } from '../support/publish-page.ts';
import { spawnServer } from '../support/server-process.ts';
import { startTestApp } from '../support/test-app.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  openTestDatabase,
} from '../support/test-database.ts';

it('several servers can migrate an empty database at once, and each migration runs once', async () => {
  const url = await createPostgresDatabase();
  const databases = Array.from({ length: 5 }, () => connectPostgresDatabase(url, { max: 1 }));
  for (const { close } of databases) onTestFinished(close);
  const results = await Promise.all(databases.map(({ db }) => migrate(db)));
  expect(results.flat().toSorted()).toEqual(Object.keys(MIGRATIONS));
  expect(await migrate(databases[0]!.db)).toEqual([]);
  expect(await listMetricPartitions(databases[0]!.db)).toHaveLength(4);
});

it('a server is not ready, nor starts, only if a newer version has removed schema objects that it uses', async () => {
  const { app, database, close } = await startTestApp();
  const { db } = database;
  const readReadiness = async () => (await app.inject('/readyz')).statusCode;
  for (const name of ['9999-future', '9999-future-needs-0001']) {
    await sql`INSERT INTO kysely_migration VALUES (${name}, 'now')`.execute(db);
    expect([name, await migrate(db), await readReadiness()]).toEqual([name, [], 200]);
  }
  const name = '9999-future-needs-9998';
  await sql`INSERT INTO kysely_migration VALUES (${name}, 'now')`.execute(db);
  expect(await readReadiness()).toBe(503);
  await expect(migrate(db)).rejects.toThrow(NewerSchemaError);
  await sql`DELETE FROM kysely_migration WHERE name = ${name}`.execute(db);
  expect(await readReadiness()).toBe(200);
  await close();
});

it('a failed migration reports the reason, is rolled back and leaves no lock behind', async () => {
  const url = await createPostgresDatabase();
  const { db, close } = connectPostgresDatabase(url, { max: 1 });
  // A lock that a session keeps would block the other one.
  const other = connectPostgresDatabase(url, { max: 1 });
  await sql`CREATE TABLE sites (id integer)`.execute(db);
  for (const session of [db, other.db, db])
    await expect(migrate(session)).rejects.toThrow('relation "sites" already exists');
  const tables = await db.introspection.getTables();
  expect(tables.map(({ name }) => name)).toEqual(['sites']);
  await close();
  await other.close();
});

it('the texts of the list are filled without the right to create temporary tables', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.close());
  const { account } = await createPage(app, { display_name: 'Jane Doe' }, 'jane');
  await account.owner.page.updateFrontPage({ visible: true });
  await expect(
    inTransaction(app.db, async (trx) => {
      for (const statement of [
        'UPDATE sites SET listed_text = NULL',
        `DO $$ BEGIN EXECUTE format('REVOKE TEMP ON DATABASE %I FROM PUBLIC', current_database()); END $$`,
        'CREATE ROLE without_temp',
        'GRANT ALL ON ALL TABLES IN SCHEMA public TO without_temp',
        'SET LOCAL ROLE without_temp',
      ])
        await sql.raw(statement).execute(trx);
      await fillListedText(trx as unknown as Kysely<unknown>);
      const { rows } = await sql`SELECT FROM sites
        WHERE on_front_page AND listed_text LIKE 'jane%'`.execute(trx);
      throw new Error(`filled ${rows.length}`);
    }),
  ).rejects.toThrow('filled 1');
});

/** Creates a database in which a transaction of another session has run the statements. */
async function openWithLock(template: string | undefined, ...statements: string[]) {
  const url = await createPostgresDatabase(template);
  const lockSession = new pg.Client({ connectionString: url });
  await lockSession.connect();
  for (const statement of statements) await lockSession.query(statement);
  const { rows } = await lockSession.query<{ holder: string }>(
    "SELECT format('PostgreSQL''s process %s (of the user %s)', pg_backend_pid(), current_user) AS holder",
  );
  return { url, lockSession, holderDescription: rows[0]!.holder };
}

/** Creates a database with pending migrations. Another session holds the migration lock. */
const openLockedDatabase = () =>
  openWithLock(
    undefined,
    'CREATE TABLE kysely_migration (name varchar PRIMARY KEY, timestamp varchar)',
    'BEGIN',
    // An exclusive lock also blocks readers.
    'LOCK TABLE kysely_migration',
  );

it("a server that waits for another server's migration logs which one, and no database timeout applies", async () => {
  const { url: DATABASE_URL, lockSession, holderDescription } = await openLockedDatabase();
  const { db, close } = connectPostgresDatabase(DATABASE_URL, { max: 1 });
  const name = sql.id(new URL(DATABASE_URL).pathname.slice(1));
  await sql`ALTER DATABASE ${name} SET statement_timeout = '1s'`.execute(db);
  await sql`ALTER DATABASE ${name} SET lock_timeout = '1s'`.execute(db);
  await close();
  const server = spawnServer({ DATABASE_URL });
  await server.waitFor(/^The database migration is waiting/m);
  expect(server.stderr()).toContain(
    `The database migration is waiting for a lock that ${holderDescription} holds.\n`,
  );
  expect(server.stderr()).not.toContain('Retrying');
  await lockSession.end();
  await server.waitFor(/^Ready\./m);
});

/** Too short to succeed, but long enough to observe. */
const SHORT_LOCK_RETRY = { maxAttempts: 2, lockTimeoutMs: 1_000, pauseMs: 0 };
const LONG_LOCK_RETRY = { maxAttempts: Infinity, lockTimeoutMs: 50, pauseMs: 50 };

/** All migrations, and one more that needs an exclusive table lock. */
const PENDING_MIGRATION = {
  ...MIGRATIONS,
  '9998-more': () =>
    Promise.resolve({
      up: async (db: Kysely<unknown>) => {
        await sql`CREATE TABLE more (id integer)`.execute(db);
        await sql`ALTER TABLE sites ADD COLUMN more integer`.execute(db);
      },
    }),
};

/** Creates a database in which `PENDING_MIGRATION` waits, because another session uses `sites`. */
const openBusyDatabase = () =>
  openWithLock('nameplate_template', 'BEGIN', 'UPDATE sites SET enabled = false');

it.each([
  ['another migration', openLockedDatabase],
  ['a table that is in use', openBusyDatabase],
])(
  'a migration that waits too long for %s names the blocking process and is rolled back',
  async (_what, openDatabase) => {
    const { url, lockSession, holderDescription } = await openDatabase();
    const { db, close } = connectPostgresDatabase(url);
    const holderDescriptions: string[] = [];
    const options = {
      migrations: PENDING_MIGRATION,
      onWait: (description: string) => void holderDescriptions.push(description),
    };
    const before = await db.introspection.getTables();
    await expect(migrate(db, { ...options, lockRetry: SHORT_LOCK_RETRY })).rejects.toThrow(
      `The database has to be migrated, but ${holderDescription} keeps a lock that this needs: wait until it is done, or end it with pg_terminate_backend if it does not migrate.`,
    );
    expect(holderDescriptions).toEqual([holderDescription]);
    expect(await db.introspection.getTables()).toEqual(before);
    await lockSession.end();
    expect(await migrate(db, options)).toContain('9998-more');
    await close();
  },
);

it('a migration that waits for a table does not block writers, and continues when the table is free', async () => {
  const { url, lockSession } = await openBusyDatabase();
  const { db, close } = connectPostgresDatabase(url);
  const firstWait = Promise.withResolvers<string>();
  const migrationResult = migrate(db, {
    migrations: PENDING_MIGRATION,
    lockRetry: LONG_LOCK_RETRY,
    onWait: firstWait.resolve,
  });
  await firstWait.promise;
  const writer = new pg.Client({ connectionString: url, lock_timeout: 20_000 });
  await writer.connect();
  for (let count = 0; count < 20; count += 1) await writer.query('DELETE FROM sites');
  await writer.end();
  await lockSession.query('COMMIT');
  expect(await migrationResult).toEqual(['9998-more']);
  await lockSession.end();
  await close();
});

it('a migration is committed before the next one waits', async () => {
  const { url, lockSession } = await openBusyDatabase();
  const { db, close } = connectPostgresDatabase(url);
  const first = { up: (trx: Kysely<unknown>) => trx.schema.createTable('first').execute() };
  const migrations = { ...PENDING_MIGRATION, '9997-first': () => Promise.resolve(first) };
  const sorted = Object.fromEntries(Object.entries(migrations).toSorted());
  const migrating = migrate(db, { migrations: sorted, lockRetry: SHORT_LOCK_RETRY });
  await expect(migrating).rejects.toThrow('keeps a lock that this needs');
  expect((await findAppliedMigrations(db)).at(-1)).toBe('9997-first');
  await lockSession.end();
  await close();
});

it('a role that may only connect cannot block migrations or server starts', async () => {
  const url = await createPostgresDatabase();
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  const role = `stranger_${new URL(url).pathname.slice(1)}`;
  await session.query(`CREATE ROLE ${role}`);
  await session.query(`SET SESSION AUTHORIZATION ${role}`);
  const { db, close } = connectPostgresDatabase(url, { max: 1 });
  expect((await migrate(db)).length).toBeGreaterThan(0);
  for (const table of ['kysely_migration', 'metrics']) {
    await expect(session.query(`BEGIN; LOCK TABLE ${table} IN ACCESS SHARE MODE`)).rejects.toThrow(
      `permission denied for table ${table}`,
    );
    await session.query('ROLLBACK');
  }
  await close();
  await session.query('RESET SESSION AUTHORIZATION');
  await session.query(`DROP ROLE ${role}`);
  await session.end();
});

it("several servers can create a new month's partitions at once", async () => {
  const first = await openTestDatabase();
  const second = connectPostgresDatabase(first.url);
  for (const { close } of [first, second]) onTestFinished(close);
  const nextYear = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 11, 31));
  const servers = [first.db, second.db, first.db, second.db];
  await Promise.all(
    servers.map((db) => inTransaction(db, (trx) => createMetricPartitions(trx, nextYear))),
  );
  await migrate(second.db);
  expect(await listMetricPartitions(first.db)).toHaveLength(8);
});
