import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '#db/migrating/migrate.ts';
import { type Migration, MIGRATIONS, type Migrations } from '#db/migrating/migrations.ts';
import type { NewIndex } from '#db/migrating/new-index.ts';
import type { Database } from '#db/schema.ts';
import { eventually } from '../support/eventually.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

const ON_EVENTS: NewIndex = { table: 'events', suffix: 'tried', on: '(created_at)' };
const ON_METRICS: NewIndex = { table: 'metrics', suffix: 'tried', on: '(project_id, id)' };

async function open(template = 'nameplate_template') {
  const url = await createPostgresDatabase(template);
  const { db, close } = connectPostgresDatabase(url);
  onTestFinished(close);
  return { url, db };
}

function after(...later: Migration[]): Migrations {
  return {
    ...MIGRATIONS,
    ...Object.fromEntries(
      later.map((migration, number) => [
        `${9_000 + number}-later`,
        () => Promise.resolve(migration),
      ]),
    ),
  };
}

function executing(...statements: string[]): Migration {
  return {
    up: async (db) => {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}

/** The indexes with that suffix, and whether they are valid. */
async function tried(db: Kysely<Database>): Promise<Record<string, boolean>> {
  const { rows } = await sql<{ name: string; valid: boolean }>`
    SELECT relname AS name, indisvalid AS valid FROM pg_index
    JOIN pg_class ON pg_class.oid = indexrelid WHERE relname LIKE '%\_tried' ORDER BY 1`.execute(
    db,
  );
  return Object.fromEntries(rows.map(({ name, valid }) => [name, valid]));
}

async function partitions(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT inhrelid::regclass::text AS name FROM pg_inherits
    WHERE inhparent = 'metrics'::regclass ORDER BY 1`.execute(db);
  return rows.map(({ name }) => name);
}

it.each([
  ['events', ON_EVENTS, 'events_tried'],
  ['the partitions of metrics', ON_METRICS, 'metrics_2'],
])(
  'an index on %s is built concurrently with writes, and logs what it waits for',
  async (_what, index, first) => {
    const { url, db } = await open();
    const { table } = index;
    const writing = new pg.Client({ connectionString: url });
    await writing.connect();
    await writing.query('BEGIN');
    await writing.query(`DELETE FROM ${table}`);
    const waits = Promise.withResolvers<string>();
    const migrating = migrate(db, {
      migrations: after({ indexes: [index] }),
      onWait: waits.resolve,
    });
    expect(await waits.promise).toMatch(/^PostgreSQL's process \d+ \(of the user postgres\)$/);
    await eventually(async () =>
      expect(Object.entries(await tried(db))[0]).toEqual([
        expect.stringMatching(`^${first}`),
        false,
      ]),
    );
    const writer = new pg.Client({ connectionString: url, lock_timeout: 20_000 });
    await writer.connect();
    await writer.query(`DELETE FROM ${table}`);
    await writer.end();
    await writing.query('COMMIT');
    expect(await migrating).toEqual(['9000-later']);
    await writing.end();
    const names = table === 'metrics' ? [...(await partitions(db)), table] : [table];
    expect(await tried(db)).toEqual(
      Object.fromEntries(names.toSorted().map((name) => [`${name}_tried`, true])),
    );
  },
);

it('an incomplete index is rebuilt', async () => {
  const { db } = await open();
  await sql`CREATE TABLE twins (id integer)`.execute(db);
  await sql`INSERT INTO twins VALUES (1), (1)`.execute(db);
  await expect(
    sql`CREATE UNIQUE INDEX CONCURRENTLY twins_tried ON twins (id)`.execute(db),
  ).rejects.toThrow('could not create unique index');
  expect(await tried(db)).toEqual({ twins_tried: false });
  const indexes = [{ table: 'twins', suffix: 'tried', on: '(id)' }];
  expect(await migrate(db, { migrations: after({ indexes }) })).toEqual(['9000-later']);
  expect(await tried(db)).toEqual({ twins_tried: true });
});

it('an index that cannot be built is reported without row values and removed', async () => {
  const { db } = await open();
  await sql`CREATE TABLE twins (secret text)`.execute(db);
  await sql`INSERT INTO twins VALUES ('hush'), ('hush')`.execute(db);
  const indexes = [{ table: 'twins', suffix: 'tried', on: '(secret)', unique: true }];
  await expect(migrate(db, { migrations: after({ indexes }) })).rejects.toThrow(
    'Migration 9000-later failed, and nothing of it is left: PostgreSQL says "SQLSTATE 23505, twins_tried"; mend that and start again, or run the version before.',
  );
  expect(await tried(db)).toEqual({});
  await sql`DELETE FROM twins`.execute(db);
  expect(await migrate(db, { migrations: after({ indexes }) })).toEqual(['9000-later']);
});

it.each([
  ['a new database', 'template1'],
  ['one that is in use', 'nameplate_template'],
])('migrations with and without indexes run in order in %s', async (_which, template) => {
  const { db } = await open(template);
  const migrations = after(
    executing('CREATE TABLE first (id integer)'),
    { indexes: [{ table: 'first', suffix: 'tried', on: '(id)' }, ON_METRICS] },
    executing('ALTER INDEX first_tried RENAME TO second_tried'),
    { indexes: [ON_EVENTS] },
  );
  const ran = await migrate(db, { migrations });
  expect(ran.slice(-4)).toEqual(['9000-later', '9001-later', '9002-later', '9003-later']);
  expect(ran).toHaveLength(template === 'template1' ? Object.keys(migrations).length : 4);
  expect(await tried(db)).toMatchObject({ second_tried: true, events_tried: true });
  expect((await tried(db))['metrics_tried']).toBe(true);
  expect(await migrate(db, { migrations })).toEqual([]);
});

/** Lists indexes that migrations after the first build on existing tables, which blocks all writers. */
async function findHoldingUp(migrations: Migrations): Promise<string[]> {
  const { db } = await open('template1');
  const all = Object.entries(migrations);
  await migrate(db, { migrations: Object.fromEntries(all.slice(0, 1)) });
  const found: string[] = [];
  for (const [number, [name, load]] of [...all.entries()].slice(1)) {
    const { rows: before } = await sql<{ oid: number }>`SELECT oid FROM pg_class`.execute(db);
    await migrate(db, { migrations: Object.fromEntries(all.slice(0, number + 1)) });
    if (!('up' in (await load()))) continue;
    const old = before.map(({ oid }) => oid);
    const { rows } = await sql<{ index: string }>`
      SELECT indexrelid::regclass::text AS index FROM pg_index
      WHERE indrelid = ANY(${old}) AND NOT indexrelid = ANY(${old}) ORDER BY 1`.execute(db);
    found.push(...rows.map(({ index }) => `${name}: ${index}`));
  }
  return found;
}

it('no migration blocks writers by building an index on an existing table', async () => {
  expect(await findHoldingUp(MIGRATIONS)).toEqual([]);
});

it('a migration that blocks writers while it builds an index is detected', async () => {
  const migrations = after(
    executing('CREATE INDEX events_tried ON events (created_at)'),
    executing('ALTER TABLE projects ADD CONSTRAINT projects_tried UNIQUE (id, account_id)'),
    executing('CREATE TABLE fresh (id integer PRIMARY KEY)', 'CREATE INDEX ON fresh (id)'),
    { indexes: [ON_METRICS] },
  );
  expect(await findHoldingUp(migrations)).toEqual([
    '9000-later: events_tried',
    '9001-later: projects_tried',
  ]);
});
