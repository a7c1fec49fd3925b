import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TableMetadata, sql } from 'kysely';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { Database } from '#db/connections/handles.ts';
import { findAppliedMigrations } from '#db/migrating/migrate.ts';
import { MIGRATIONS } from '#db/migrating/migrations.ts';
import { findClockJump } from '#db/queries/clock.ts';
import { findKeyCheck } from '#db/queries/instance.ts';
import type { Feature } from '#server/features/define-feature.ts';
import { FEATURES } from '#server/features/index.ts';
import { mailJob } from '#server/platform/mail/mail-job.ts';
import { restartOneByOne } from '../process/support/rolling-restart.ts';
import { Authenticator } from '../support/authenticator.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { fetchJson, spawnServer, startServer } from '../support/server-process.ts';
import { SAME_ORIGIN_HEADERS } from '../support/session.ts';
import { TEST_ENCRYPTION_KEY } from '../support/test-app.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';
import { listChanges, readApi } from './compare-api.ts';

const RELEASE = inject('releaseFolder') ?? '';
const THIS_COMMIT = process.cwd();
const PUBLIC_URL = 'http://localhost';

describe.skipIf(RELEASE === '')('after an upgrade', () => {
  it('every row of the release is kept, also if the release starts again', async () => {
    const { db, key, settings } = await fillWithRelease();
    await preventJobs(db);
    const tables = await listTables(db);
    const contents = [];
    for (const folder of [RELEASE, THIS_COMMIT, RELEASE, THIS_COMMIT]) {
      const server = await startServer(settings, onTestFinished, folder);
      const path = '/account/get-display-name';
      expect(await fetchJson(server.url + path, { key })).toMatchObject({
        body: { display_name: 'came-back' },
      });
      await server.stop();
      await sql`DELETE FROM key_requests WHERE operation = 'account.getDisplayName'`.execute(db);
      contents.push(await readRows(db, tables));
    }
    const [stored, ...later] = contents;
    const emptyTables = Object.keys(stored!).filter((name) => stored![name]!.length === 0);
    expect(emptyTables.filter((name) => !name.startsWith('metrics_'))).toEqual([]);
    // The application that waits becomes an account.
    const { id } = await db
      .selectFrom('applications')
      .select('id')
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow();
    for (const content of later)
      for (const table of ['accounts', 'forwarding_settings']) {
        const added = content[table]!.findIndex(({ row }) => row.startsWith(`(${id},`));
        expect(content[table]!.splice(added, 1)).toHaveLength(1);
      }
    expect(later).toEqual([stored, stored, stored]);
  });

  it('the API says the same, and retries get the response of the release', async () => {
    const { db, key, settings } = await fillWithRelease();
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
    const old = await startServer(settings, onTestFinished, RELEASE);
    const responses = await retry(old.url);
    const before = await readApi({ url: old.url, key, project });
    await old.stop();

    const { url } = await startServer(settings);
    const after = await readApi({ url, key, project });
    const changes = [...before].flatMap(([name, body]) => listChanges(body, after.get(name), name));
    const expected = [
      // The time of the start, requests and the audit trail of this test.
      ...['server.getServer.', 'keys.listRequests.', 'server.listAuditEntries.entries.'],
      // The alert is evaluated each minute.
      ...['state', 'value', 'changed_at', 'evaluated_at'].map(
        (field) => `alerts.listAlerts.alerts..${field}`,
      ),
      // Counted a moment later, or once a minute.
      'members.listMembers.members..metric_bytes_today',
      ...['keys.listKeys.keys..last_used_at', 'members.listMembers.members..last_seen_at'],
      // The limit now counts per mailbox, and the drafts describe new features.
      ...['messages.listMessages.remaining', 'server.getLegalDrafts.'],
      // Announced by 0.3.1, and removed.
      ...['applications.listApplications', 'server.getMailServer', 'server.listMailProviders'],
      ...['listed_from', 'unless_objected', 'objected'].map(
        (field) => `page.getFrontPage.${field}`,
      ),
      ...['server.getInstance.instance.listing', 'server.getInstance.undecided_members'],
      ...['ended_at', 'ended_by', 'page_changed', 'earlier_reports'].map(
        (field) => `reports.listReports.reports..${field}`,
      ),
      ...['closed_at', 'closed_by', 'closed_reason', 'outcome'].map(
        (field) => `reports.listReports.reports..${field}`,
      ),
    ];
    const isExpected = (change: string) => expected.some((start) => change.startsWith(start));
    expect(changes.filter((change) => !isExpected(change))).toEqual([]);
    expect(await retry(url)).toEqual(responses.map(([text]) => [text, 'true']));
  });

  it('a passkey of the release is a way in, and logs in at servers of both versions', async () => {
    const { db, key, authenticator, settings } = await fillWithRelease();
    migrate(THIS_COMMIT, settings.DATABASE_URL);
    // No other way in is left.
    await sql`DELETE FROM identities`.execute(db);
    await sql`UPDATE api_keys SET scope = 'read'`.execute(db);
    const release = await startServer(settings, onTestFinished, RELEASE);
    const current = await startServer(settings);
    const post = { method: 'POST', headers: SAME_ORIGIN_HEADERS };
    for (const [{ url }, host] of [
      [release, null],
      [current, 'localhost'],
      [release, 'localhost'],
    ] as const) {
      const path = `${url}/owner/passkeys/create-passkey`;
      const { body } = await fetchJson(`${path}-login-options`, post);
      const json = { answer: authenticator.get((body as any).options) };
      expect((await fetchJson(`${path}-session`, { ...post, json })).status).toBe(200);
      const query = db.selectFrom('passkeys').select('host').where('id', '=', authenticator.id);
      expect(await query.execute()).toEqual([{ host }]);
      expect(await fetchJson(`${current.url}/owner/sessions/get-session`, { key })).toMatchObject({
        body: { can_log_in_again: true },
      });
    }
  });

  it('no migration changes the rows of a table that nobody can read meanwhile', async () => {
    const { db } = await fillWithRelease();
    await sql`UPDATE sites SET on_front_page = true`.execute(db);
    const applied = await findAppliedMigrations(db);
    const found: string[] = [];
    await db.connection().execute(async (connection) => {
      for (const [name, load] of Object.entries(MIGRATIONS)) {
        if (applied.includes(name)) continue;
        const { up } = await load();
        // Otherwise the view counts updates of earlier transactions, too.
        await sql`SELECT pg_stat_force_next_flush()`.execute(connection);
        await connection.transaction().execute(async (trx) => {
          await up(trx);
          const { rows } = await sql<{ table: string }>`
            SELECT DISTINCT relname AS table
            FROM pg_locks JOIN pg_stat_xact_user_tables ON relid = relation
            WHERE pid = pg_backend_pid() AND mode = 'AccessExclusiveLock' AND n_tup_upd > 0`.execute(
            trx,
          );
          found.push(...rows.map(({ table }) => `${name}: ${table}`));
        });
      }
    });
    // A table of few rows, which no page needs.
    expect(found).toEqual(['0030-waiting-accounts: applications']);
  });

  it('every mail that waits in the release is sent or dropped', async () => {
    const { FEATURES: released } = await importFromRelease('server/features/index.ts');
    const kindsOf = (features: readonly Feature[]) =>
      features.flatMap(({ mails = [] }) => mails.map(({ kind }) => kind));
    const current = kindsOf(FEATURES);
    const services = { features: { mails: new Map() } };
    for (const kind of kindsOf(released).filter((name) => !current.includes(name)))
      await expect(mailJob.run(services as never, { kind }, {} as never)).resolves.toBe(undefined);
  });

  it('only the encryption key of the release is right, also once no secret is left', async () => {
    const { db, settings } = await fillWithRelease();
    migrate(THIS_COMMIT, settings.DATABASE_URL);
    const startWithOtherKey = async () => {
      const server = spawnServer({ ...settings, ENCRYPTION_KEY: 'ab'.repeat(32) });
      expect(await server.exited).toBe(1);
      expect(server.stderr()).toContain('ENCRYPTION_KEY is not the key of this database');
    };
    await startWithOtherKey();
    expect(await findKeyCheck(db)).toBe(null);
    await (await startServer(settings)).stop();
    await sql`TRUNCATE connections CASCADE`.execute(db);
    await startWithOtherKey();
  });

  it('a clock that was ahead in the release is noticed, and the release does not forget that', async () => {
    const { db, settings } = await fillWithRelease();
    migrate(THIS_COMMIT, settings.DATABASE_URL);
    expect(await findClockJump(db)).toBe(undefined);
    await sql`UPDATE last_maintenance SET finished_at = now() + interval '3 days'`.execute(db);
    await startServer(settings);
    const { saveLastMaintenance } = await importFromRelease('db/queries/last-maintenance.ts');
    await saveLastMaintenance(db, { seconds: 1, failed: 0 });
    expect(await findClockJump(db)).toBeInstanceOf(Date);
  });

  it('after an upgrade servers of the release and of this commit work side by side', async () => {
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

/** Fills a database with code of the release. */
async function fillWithRelease() {
  const { startTestApp } = (await importFromRelease(
    'test/support/test-app.ts',
  )) as typeof import('../support/test-app.ts');
  const { insertEveryKindOfRow } = (await importFromRelease(
    'test/cli/support/every-kind-of-row.ts',
  )) as typeof import('../cli/support/every-kind-of-row.ts');
  const DATABASE_URL = await createPostgresDatabase();
  migrate(RELEASE, DATABASE_URL);
  const app = await startTestApp({ PUBLIC_URL }, connectPostgresDatabase(DATABASE_URL));
  const { key, owner } = await insertEveryKindOfRow(app);
  await owner.connections.createConnection({
    ...{ kind: 'discord', name: '#news', event_types: [] },
    url: 'https://discord.com/api/webhooks/1/token',
  });
  const authenticator = new Authenticator(PUBLIC_URL);
  const { options } = await owner.passkeys.createPasskeyOptions();
  const answer: any = authenticator.create(options as any);
  await owner.passkeys.createPasskey({ answer });
  await app.close();
  const { db, close } = connectPostgresDatabase(DATABASE_URL);
  onTestFinished(close);
  const ENCRYPTION_KEY = TEST_ENCRYPTION_KEY.toString('hex');
  return { db, key, authenticator, settings: { DATABASE_URL, PUBLIC_URL, ENCRYPTION_KEY } };
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
async function readRows(
  db: Database,
  tables: TableMetadata[],
): Promise<Record<string, { row: string }[]>> {
  const rows: Record<string, { row: string }[]> = {};
  for (const { name, columns } of tables) {
    const kept = columns.filter((column) => column.name !== 'last_used_at');
    const values = sql.join(kept.map((column) => sql.ref(column.name)));
    const query = sql<{
      row: string;
    }>`SELECT row(${values})::text AS row FROM ${sql.table(name)} ORDER BY 1`;
    ({ rows: rows[name] } = await query.execute(db));
  }
  return rows;
}
