import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '#db/migrating/migrate.ts';
import { type Migration, MIGRATIONS, type Migrations } from '#db/migrating/migrations.ts';
import type { NewIndex } from '#db/migrating/new-index.ts';
import type { Database } from '#db/schema.ts';
import { eventually } from '../support/eventually.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

const EVENTS_INDEX: NewIndex = { table: 'events', suffix: 'added', on: '(created_at)' };
const METRICS_INDEX: NewIndex = { table: 'metrics', suffix: 'added', on: '(project_id, id)' };

async function openDatabase(template = 'nameplate_template') {
  const url = await createPostgresDatabase(template);
  const { db, close } = connectPostgresDatabase(url);
  onTestFinished(close);
  return { url, db };
}

function appendMigrations(...migrations: Migration[]): Migrations {
  return {
    ...MIGRATIONS,
    ...Object.fromEntries(
      migrations.map((migration, index) => [
        `${9_000 + index}-later`,
        () => Promise.resolve(migration),
      ]),
    ),
  };
}

function runStatements(...statements: string[]): Migration {
  return {
    up: async (db) => {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}

/** Lists the indexes with the suffix `_added`, and whether each is valid. */
async function listTestIndexes(db: Kysely<Database>): Promise<Record<string, boolean>> {
  const { rows } = await sql<{ name: string; valid: boolean }>`
    SELECT relname AS name, indisvalid AS valid FROM pg_index
    JOIN pg_class ON pg_class.oid = indexrelid WHERE relname LIKE '%\_added' ORDER BY 1`.execute(
    db,
  );
  return Object.fromEntries(rows.map(({ name, valid }) => [name, valid]));
}

async function listPartitions(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT inhrelid::regclass::text AS name FROM pg_inherits
    WHERE inhparent = 'metrics'::regclass ORDER BY 1`.execute(db);
  return rows.map(({ name }) => name);
}

it.each([
  ['events', EVENTS_INDEX, 'events_added'],
  ['the partitions of metrics', METRICS_INDEX, 'metrics_2'],
])(
  'an index on %s is built concurrently with writes, and logs what it waits for',
  async (_what, index, firstIndex) => {
    const { url, db } = await openDatabase();
    const { table } = index;
    const writeTransaction = new pg.Client({ connectionString: url });
    await writeTransaction.connect();
    await writeTransaction.query('BEGIN');
    await writeTransaction.query(`DELETE FROM ${table}`);
    const firstWait = Promise.withResolvers<string>();
    const migrationResult = migrate(db, {
      migrations: appendMigrations({ indexes: [index] }),
      onWait: firstWait.resolve,
    });
    expect(await firstWait.promise).toMatch(/^PostgreSQL's process \d+ \(of the user postgres\)$/);
    await eventually(async () =>
      expect(Object.entries(await listTestIndexes(db))[0]).toEqual([
        expect.stringMatching(`^${firstIndex}`),
        false,
      ]),
    );
    const writer = new pg.Client({ connectionString: url, lock_timeout: 20_000 });
    await writer.connect();
    await writer.query(`DELETE FROM ${table}`);
    await writer.end();
    await writeTransaction.query('COMMIT');
    expect(await migrationResult).toEqual(['9000-later']);
    await writeTransaction.end();
    const names = table === 'metrics' ? [...(await listPartitions(db)), table] : [table];
    expect(await listTestIndexes(db)).toEqual(
      Object.fromEntries(names.toSorted().map((name) => [`${name}_added`, true])),
    );
  },
);

it('an incomplete index is rebuilt', async () => {
  const { db } = await openDatabase();
  await sql`CREATE TABLE twins (id integer)`.execute(db);
  await sql`INSERT INTO twins VALUES (1), (1)`.execute(db);
  await expect(
    sql`CREATE UNIQUE INDEX CONCURRENTLY twins_added ON twins (id)`.execute(db),
  ).rejects.toThrow('could not create unique index');
  expect(await listTestIndexes(db)).toEqual({ twins_added: false });
  const indexes = [{ table: 'twins', suffix: 'added', on: '(id)' }];
  expect(await migrate(db, { migrations: appendMigrations({ indexes }) })).toEqual(['9000-later']);
  expect(await listTestIndexes(db)).toEqual({ twins_added: true });
});

it('an index that cannot be built is reported without row values and removed', async () => {
  const { db } = await openDatabase();
  await sql`CREATE TABLE twins (secret text)`.execute(db);
  await sql`INSERT INTO twins VALUES ('hush'), ('hush')`.execute(db);
  const indexes = [{ table: 'twins', suffix: 'added', on: '(secret)', unique: true }];
  await expect(migrate(db, { migrations: appendMigrations({ indexes }) })).rejects.toThrow(
    'Migration 9000-later failed and was rolled back: PostgreSQL reported "SQLSTATE 23505, twins_added". Fix the cause and start again, or run the previous version.',
  );
  expect(await listTestIndexes(db)).toEqual({});
  await sql`DELETE FROM twins`.execute(db);
  expect(await migrate(db, { migrations: appendMigrations({ indexes }) })).toEqual(['9000-later']);
});

it.each([
  ['a new database', 'template1'],
  ['an existing database', 'nameplate_template'],
])('migrations with and without indexes run in order in %s', async (_which, template) => {
  const { db } = await openDatabase(template);
  const migrations = appendMigrations(
    runStatements('CREATE TABLE first (id integer)'),
    { indexes: [{ table: 'first', suffix: 'added', on: '(id)' }, METRICS_INDEX] },
    runStatements('ALTER INDEX first_added RENAME TO second_added'),
    { indexes: [EVENTS_INDEX] },
  );
  const applied = await migrate(db, { migrations });
  expect(applied.slice(-4)).toEqual(['9000-later', '9001-later', '9002-later', '9003-later']);
  expect(applied).toHaveLength(template === 'template1' ? Object.keys(migrations).length : 4);
  expect(await listTestIndexes(db)).toMatchObject({ second_added: true, events_added: true });
  expect((await listTestIndexes(db))['metrics_added']).toBe(true);
  expect(await migrate(db, { migrations })).toEqual([]);
});

/** Lists the indexes that migrations after the first build on existing tables, blocking writers. */
async function findBlockingIndexes(migrations: Migrations): Promise<string[]> {
  const { db } = await openDatabase('template1');
  const entries = Object.entries(migrations);
  await migrate(db, { migrations: Object.fromEntries(entries.slice(0, 1)) });
  const blockingIndexes: string[] = [];
  for (const [position, [name, load]] of [...entries.entries()].slice(1)) {
    const { rows: before } = await sql<{ oid: number }>`SELECT oid FROM pg_class`.execute(db);
    await migrate(db, { migrations: Object.fromEntries(entries.slice(0, position + 1)) });
    if (!('up' in (await load()))) continue;
    const oldIds = before.map(({ oid }) => oid);
    const { rows } = await sql<{ index: string }>`
      SELECT indexrelid::regclass::text AS index FROM pg_index
      WHERE indrelid = ANY(${oldIds}) AND NOT indexrelid = ANY(${oldIds}) ORDER BY 1`.execute(db);
    blockingIndexes.push(...rows.map(({ index }) => `${name}: ${index}`));
  }
  return blockingIndexes;
}

it('no migration blocks writers by building an index on an existing table', async () => {
  expect(await findBlockingIndexes(MIGRATIONS)).toEqual([]);
});

it('a migration that blocks writers while it builds an index is detected', async () => {
  const migrations = appendMigrations(
    runStatements('CREATE INDEX events_added ON events (created_at)'),
    runStatements('ALTER TABLE projects ADD CONSTRAINT projects_added UNIQUE (id, account_id)'),
    runStatements('CREATE TABLE fresh (id integer PRIMARY KEY)', 'CREATE INDEX ON fresh (id)'),
    { indexes: [METRICS_INDEX] },
  );
  expect(await findBlockingIndexes(migrations)).toEqual([
    '9000-later: events_added',
    '9001-later: projects_added',
  ]);
});
