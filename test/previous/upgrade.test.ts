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

import { listChanges, readApi } from './compare-api.ts';

const RELEASE = inject('releaseFolder') ?? '';
const THIS_COMMIT = process.cwd();

describe.skipIf(RELEASE === '')('after an upgrade', () => {
  it('every row of the release is kept, also if the release starts again', async () => {
    const DATABASE_URL = await createPostgresDatabase();
    migrate(RELEASE, DATABASE_URL);
    const key = await fillWithRelease(DATABASE_URL);
    const { db, close } = connectPostgresDatabase(DATABASE_URL);
    onTestFinished(close);
    await preventJobs(db);
    const tables = await listTables(db);
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
    // `chat_webhooks` is left from an earlier release.
    expect(emptyTables.filter((name) => !name.startsWith('metrics_'))).toEqual(['chat_webhooks']);
    expect(later).toEqual([stored, stored, stored]);
  });

  it('the API says the same, and retries get the response of the release', async () => {
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
    const settings = { DATABASE_URL, PUBLIC_URL: 'http://localhost' };
    const old = await startServer(settings, onTestFinished, RELEASE);
    const responses = await retry(old.url);
    const before = await readApi({ url: old.url, key, project });
    await old.stop();

    const { url } = await startServer(settings);
    const after = await readApi({ url, key, project });
    const changes = [...before].flatMap(([name, body]) => listChanges(body, after.get(name), name));
    // An apex has no address record until the address of the server is known. The start and the
    // storage of the server are of today. The draft names what is stored since.
    const expected = [
      ...['domains.listDomains.domains..records.', 'server.getServer.'],
      'server.getLegalDrafts.privacy',
      // This version has `members.exportMembers`, which the audit trail records.
      'server.listAuditEntries.entries.',
      // The alert is evaluated each minute.
      ...['state', 'value', 'changed_at', 'evaluated_at'].map(
        (field) => `alerts.listAlerts.alerts..${field}`,
      ),
      // A key without a name has words instead of its id.
      'events.listEvents.events..summary',
      // Counted a moment later.
      'members.listMembers.members..metric_bytes_today',
    ];
    const isExpected = (change: string) => expected.some((start) => change.startsWith(start));
    expect(changes.filter((change) => !isExpected(change))).toEqual([]);
    expect(await retry(url)).toEqual(responses.map(([text]) => [text, 'true']));
  });

  it('a repeat of a metric stores nothing, also at a server of the other version', async () => {
    const DATABASE_URL = await createPostgresDatabase();
    migrate(RELEASE, DATABASE_URL);
    const key = await fillWithRelease(DATABASE_URL);
    migrate(THIS_COMMIT, DATABASE_URL);
    const { db, close } = connectPostgresDatabase(DATABASE_URL);
    onTestFinished(close);
    const { id: projectId } = await db
      .selectFrom('projects')
      .select('id')
      .executeTakeFirstOrThrow();
    const release = await startServer({ DATABASE_URL }, onTestFinished, RELEASE);
    const current = await startServer({ DATABASE_URL });
    const ingest = async ({ url }: { url: string }, idempotencyKey: string) => {
      const response = await fetch(`${url}/stats/ingest-metrics`, {
        method: 'POST',
        headers: {
          'x-api-key': key,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify({ projectId, payload: { of: idempotencyKey } }),
      });
      return [response.status, response.headers.get('idempotent-replayed')];
    };
    const [stored, replayed, tryAgain] = [
      [200, null],
      [200, 'true'],
      [503, null],
    ];
    expect(await ingest(release, 'first')).toEqual(stored);
    for (const server of [release, current])
      expect(await ingest(server, 'first')).toEqual(replayed);
    expect(await ingest(current, 'second')).toEqual(stored);
    expect(await ingest(release, 'second')).toEqual(tryAgain);
    expect(await ingest(current, 'second')).toEqual(replayed);
    const { rows } = await sql`SELECT payload->>'of' AS of FROM metrics
      WHERE payload->>'of' IS NOT NULL ORDER BY id`.execute(db);
    expect(rows).toEqual([{ of: 'first' }, { of: 'second' }]);
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
