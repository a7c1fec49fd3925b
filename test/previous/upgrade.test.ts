import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TableMetadata, sql } from 'kysely';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { Database } from '#db/connections/handles.ts';
import { restartOneByOne } from '../process/support/rolling-restart.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { eventually } from '../support/eventually.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { fetchJson, spawnServer, startServer } from '../support/server-process.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

import { listChanges, readApi, readRenames } from './compare-api.ts';

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
    const tables = await listTables(db);
    const contents = [];
    for (const folder of [RELEASE, THIS_COMMIT, RELEASE, THIS_COMMIT]) {
      // Tables of the first, a middle and the last migration that changes one.
      if (contents.length === 1)
        for (const table of ['owner_mails', 'invitations', 'display_names'])
          await killDuringMigration(DATABASE_URL, table);
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

  it('the API says the same, retries get the response of the release, and its alerts are sent', async () => {
    const DATABASE_URL = await createPostgresDatabase();
    migrate(RELEASE, DATABASE_URL);
    const key = await fillWithRelease(DATABASE_URL);
    const { db, close } = connectPostgresDatabase(DATABASE_URL);
    onTestFinished(close);
    const { id: project } = await db.selectFrom('projects').select('id').executeTakeFirstOrThrow();
    const retry = async (url: string) => {
      const writes = {
        '/site/update-site-configuration': { mood: 'x', bio: 'y', unknown: 1 },
        '/stats/ingest-metrics': { projectId: project, payload: { b: 1, a: 2 } },
      };
      return Promise.all(
        Object.entries(writes).map(async ([path, json]) => {
          const headers = { 'x-api-key': key, 'content-type': 'application/json' };
          const response = await fetch(url + path, {
            method: 'POST',
            headers: { ...headers, 'idempotency-key': 'k' },
            body: JSON.stringify(json),
          });
          return [await response.text(), response.headers.get('idempotent-replayed')];
        }),
      );
    };
    const renames = await readRenames();
    const settings = { DATABASE_URL, PUBLIC_URL: 'http://localhost' };
    const old = await startServer(settings, onTestFinished, RELEASE);
    const responses = await retry(old.url);
    const before = await readApi({ url: old.url, key, project });
    await old.stop();
    await queueAlertWithRelease(DATABASE_URL);

    const { url } = await startServer(settings);
    const newName = (name: string) => new Map(renames).get(name) ?? name;
    const after = await readApi({ url, key, project });
    const changes = [...before].flatMap(([name, body]) =>
      listChanges(body, after.get(newName(name)), renames, name),
    );
    // Times are to the millisecond, and the address of alerts is in the list of connections.
    expect(changes).toEqual([
      'metrics.describeMetrics.oldest_at',
      'metrics.listMetrics.metrics..received_at',
      'alerts.listAlerts.address',
      'webhooks.listWebhooks.webhooks..platform_id',
    ]);
    expect(await retry(url)).toEqual(responses.map(([text]) => [text, 'true']));
    const { rows } = await eventually(
      () =>
        sql`SELECT connection_id = webhook_id AS is_webhook, type, data->>'text' AS text
          FROM deliveries JOIN alerts USING (connection_id)`.execute(db),
      (result) => result.rows.length > 0,
    );
    expect(rows).toEqual([{ is_webhook: true, type: 'alert_recovered', text: 'It is 7 now.' }]);
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

/** Kills the server while its migrations wait for a table that they change. */
async function killDuringMigration(DATABASE_URL: string, table: string): Promise<void> {
  const { db, close } = connectPostgresDatabase(DATABASE_URL);
  await db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE ${sql.table(table)} IN ACCESS SHARE MODE`.execute(trx);
    const server = spawnServer({ DATABASE_URL });
    await waitForBlockedQuery(trx);
    server.signal('SIGKILL');
    await server.exited;
  });
  await close();
}

const importFromRelease = (path: string): Promise<any> => import(join(RELEASE, path));

/** Fills the database with code of the release, and returns the key of an account. */
async function fillWithRelease(url: string): Promise<string> {
  const { startTestApp } = (await importFromRelease(
    'test/support/test-app.ts',
  )) as typeof import('../support/test-app.ts');
  const { insertEveryKindOfRow } = (await importFromRelease(
    'test/cli/support/every-kind-of-row.ts',
  )) as typeof import('../cli/support/every-kind-of-row.ts');
  const app = await startTestApp({}, connectPostgresDatabase(url));
  const { key } = await insertEveryKindOfRow(app);
  await app.close();
  return key;
}

/** The release stops before it sends this message. */
async function queueAlertWithRelease(url: string): Promise<void> {
  const { JobQueue } = await importFromRelease('server/platform/jobs/job-queue.ts');
  const { alertMessageJob } = await importFromRelease('server/features/alerts/send-alert.ts');
  const jobs = new JobQueue({ url, logger: console });
  const { db, close } = connectPostgresDatabase(url);
  await db.transaction().execute(async (trx) => {
    const alert = await trx
      .selectFrom('alerts')
      .select(['id', 'revision'])
      .executeTakeFirstOrThrow();
    const message = { kind: 'recovered', title: 'T', project: 'Shop', text: 'It is 7 now.' };
    const job = { alertId: alert.id, revision: alert.revision, attempt: 1, message };
    await jobs.add(trx, alertMessageJob, job, { key: alert.id });
  });
  await Promise.all([jobs.close(), close()]);
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

const listTables = async (db: Database) =>
  (await db.introspection.getTables()).filter(
    ({ schema, name }) => schema === 'public' && name !== 'kysely_migration',
  );

/** The values of these columns, by table, without times that every request of a test changes. */
async function readRows(db: Database, tables: TableMetadata[]): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const { name, columns } of tables) {
    const kept = columns.filter((column) => column.name !== 'last_used_at');
    const values = sql.join(kept.map((column) => sql.ref(column.name)));
    const query = sql`SELECT row(${values})::text AS row FROM ${sql.table(name)} ORDER BY 1`;
    ({ rows: rows[name] } = await query.execute(db));
  }
  return rows;
}
