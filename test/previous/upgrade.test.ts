import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TableMetadata, sql } from 'kysely';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { Database } from '#db/connections/handles.ts';
import { restartOneByOne } from '../process/support/rolling-restart.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { fetchJson, startServer } from '../support/server-process.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

const RELEASE = inject('releaseFolder') ?? '';
const THIS_COMMIT = process.cwd();

describe.skipIf(RELEASE === '')('after an upgrade', () => {
  it('every row of the release is kept, also if the release starts again', async () => {
    const DATABASE_URL = await createPostgresDatabase();
    migrate(RELEASE, DATABASE_URL);
    const key = await fillWithRelease(DATABASE_URL);
    await addMailedAlert(DATABASE_URL);
    const { db, close } = connectPostgresDatabase(DATABASE_URL);
    onTestFinished(close);
    await preventJobs(db);
    const tables = (await db.introspection.getTables()).filter(
      ({ schema, name }) => schema === 'public' && name !== 'kysely_migration',
    );
    const contents = [];
    for (const folder of [RELEASE, THIS_COMMIT, RELEASE, THIS_COMMIT]) {
      const server = await startServer({ DATABASE_URL }, onTestFinished, folder);
      const path = '/account/get-display-name';
      expect(await fetchJson(server.url + path, { key })).toMatchObject({
        body: { display_name: 'came-back' },
      });
      await server.stop();
      contents.push(await readRows(db, tables));
    }
    const [stored, ...later] = contents;
    const emptyTables = Object.keys(stored!).filter((name) => stored![name]!.length === 0);
    expect(emptyTables.filter((name) => !name.startsWith('metrics_'))).toEqual([]);
    expect(later).toEqual([stored, stored, stored]);
    await expectConnections(db);
  });

  it('servers of the release and of this commit work side by side', async () => {
    const DATABASE_URL = await createPostgresDatabase();
    migrate(RELEASE, DATABASE_URL);
    migrate(THIS_COMMIT, DATABASE_URL);
    await restartOneByOne(DATABASE_URL, [RELEASE, THIS_COMMIT, RELEASE]);
  });
});

it.skipIf(RELEASE === '')('the migrations of the release are unchanged', async () => {
  const folder = 'db/migrations';
  for (const file of await readdir(join(RELEASE, folder)))
    expect(await readFile(join(THIS_COMMIT, folder, file), 'utf8')).toBe(
      await readFile(join(RELEASE, folder, file), 'utf8'),
    );
});

function migrate(cwd: string, DATABASE_URL: string): void {
  const args = ['server/entry/cli/cli.ts', 'migrate'];
  execFileSync(process.execPath, args, { cwd, env: childEnvironment({ DATABASE_URL }) });
}

/** Fills the database with code of the release, and returns the key of an account. */
async function fillWithRelease(url: string): Promise<string> {
  const load = (path: string): Promise<unknown> => import(join(RELEASE, 'test', path));
  const { startTestApp } = (await load(
    'support/test-app.ts',
  )) as typeof import('../support/test-app.ts');
  const { insertEveryKindOfRow } = (await load(
    'cli/support/every-kind-of-row.ts',
  )) as typeof import('../cli/support/every-kind-of-row.ts');
  const app = await startTestApp({}, connectPostgresDatabase(url));
  const { key } = await insertEveryKindOfRow(app);
  await app.close();
  return key;
}

/** The rows of the release have an alert that goes to a stored webhook. */
async function addMailedAlert(url: string): Promise<void> {
  const { db, close } = connectPostgresDatabase(url);
  await sql`INSERT INTO alerts (account_id, project_id, target, path, aggregate, minutes, comparison,
      pause_minutes)
    SELECT account_id, project_id, '{}', '[]', 'count', 5, 'absent', 60 FROM alerts`.execute(db);
  await close();
}

/** Stored webhooks and both targets of alerts are carried over. */
async function expectConnections(db: Database): Promise<void> {
  const { rows: connections } = await sql`SELECT kind, event_types, name FROM connections
    ORDER BY kind`.execute(db);
  expect(connections).toEqual([
    { kind: 'discord', event_types: [], name: 'a\\b' },
    { kind: 'email', event_types: [], name: 'Email' },
  ]);
  const { rows: alerts } = await sql`SELECT kind, connections.id = webhook_id AS is_webhook
    FROM alerts JOIN connections ON connections.id = connection_id ORDER BY kind`.execute(db);
  expect(alerts).toEqual([
    { kind: 'discord', is_webhook: true },
    { kind: 'email', is_webhook: null },
  ]);
}

/** Jobs of the servers would change rows, such as the state of an alert. */
async function preventJobs(db: Database): Promise<void> {
  await sql`DELETE FROM pgboss.job`.execute(db);
  await sql`CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`.execute(
    db,
  );
  await sql`CREATE TRIGGER skip BEFORE INSERT ON pgboss.job
    FOR EACH ROW EXECUTE FUNCTION skip()`.execute(db);
}

/** The values of these columns, by table. */
async function readRows(db: Database, tables: TableMetadata[]): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const { name, columns } of tables) {
    const values = sql.join(columns.map((column) => sql.ref(column.name)));
    const query = sql`SELECT row(${values})::text AS row FROM ${sql.table(name)} ORDER BY 1`;
    ({ rows: rows[name] } = await query.execute(db));
  }
  return rows;
}
