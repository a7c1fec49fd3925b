import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { writeArchive } from '#db/backup/archive.ts';
import { connectForCopy } from '#db/backup/connection.ts';
import { copyIntoDatabase } from '#db/backup/copy-into-database.ts';
import { takeSnapshot } from '#db/backup/snapshot.ts';
import { EmbeddedDatabaseError } from '#db/embedded/embedded-database-error.ts';
import { findAppliedMigrations } from '#db/migrating/migrate.ts';
import { MIGRATIONS } from '#db/migrating/migrations.ts';
import { findLastBackup } from '#db/queries/last-backup.ts';
import packageJson from '../../package.json' with { type: 'json' };
import '../support/vitest-context.ts';
import { send } from '../support/call.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { eventually } from '../support/eventually.ts';
import { openAsServer } from '../support/open-as-server.ts';
import { findDatabasePid, createTempFolder } from '../support/server-process.ts';
import { startTestApp, type TestAccount } from '../support/test-app.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  openEmbeddedTestDatabase,
  type TestDatabase,
} from '../support/test-database.ts';
import { unzip } from '../support/unzip.ts';
import {
  createDatabase,
  failure,
  runCommand,
  runJson,
  runProgram,
  spawnCommand,
} from './support/command-line.ts';
import { readContents, isEmpty } from './support/contents.ts';
import { insertEveryKindOfRow } from './support/every-kind-of-row.ts';

const NAMEPLATE = fileURLToPath(new URL('../../bin/nameplate.js', import.meta.url));
const DAMAGED_MESSAGE = / is damaged.* Nothing was restored\.\n$/;

/** A database with rows in every table, the account that owns them, and a backup of its contents. */
let original: {
  url: string;
  database: TestDatabase;
  account: TestAccount;
  contents: Awaited<ReturnType<typeof readContents>>;
  backup: Buffer;
};
beforeAll(async () => {
  const url = await createPostgresDatabase('nameplate_template');
  const app = await startTestApp({}, connectPostgresDatabase(url));
  const account = await insertEveryKindOfRow(app);
  // Closing the app stores its pending counts.
  await app.close();
  const database = connectPostgresDatabase(url);
  const contents = await readContents(database.db);
  const file = join(inject('tempDir'), 'original.zip');
  await runJson({ DATABASE_URL: url }, 'backup', file);
  const backup = await readFile(file);
  original = { url, database, account, contents, backup };
  return database.close;
});

/** Creates a backup in a new folder. Returns its path. */
async function backUp(url: string): Promise<string> {
  const file = join(await createTempFolder(), 'nameplate.zip');
  await runJson({ DATABASE_URL: url }, 'backup', file);
  return file;
}

/** Writes `original.backup`, or a changed copy, to a new folder. Returns its path. */
async function writeBackup(backup = original.backup): Promise<string> {
  const file = join(await createTempFolder(), 'nameplate.zip');
  await writeFile(file, backup);
  return file;
}

it('a restored backup is identical in every table, works with the same API key, and continues its sequences', async () => {
  // Every table needs a row, or the test proves nothing about it.
  for (const [table, rows] of Object.entries(original.contents.rows))
    expect([table, rows.length > 0]).toEqual([table, true]);
  const file = await writeBackup();
  const { url, database } = await createDatabase('template1');
  const { code, stdout, stderr } = await runCommand({ DATABASE_URL: url }, 'restore', file);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /^Restored +\/.*\nCreated +.* by version .*\nInto +PostgreSQL at .*\nAccounts +3\nRows +\d+\nNext +put .env back, and encryption.key into DATA_DIR .*\n$/,
  );
  expect(await readContents(database.db)).toEqual(original.contents);

  const server = await startTestApp({}, database);
  onTestFinished(() => server.jobs.close());
  // Every server opens the job queue at startup.
  await server.jobs.open();
  const project = await database.db.selectFrom('projects').select('id').executeTakeFirstOrThrow();
  const metric = { projectId: project.id, payload: { again: true } };
  const path = 'POST /stats/ingest-metrics';
  expect(await send(server, original.account, path, metric)).toMatchObject({ status: 200 });
});

it('a restored backup is migrated to the current schema if it is older', async () => {
  const { url, database } = await createDatabase('template1');
  await using source = await connectForCopy(original.url);
  await using target = await connectForCopy(url);
  await copyIntoDatabase(target, await takeSnapshot(source), {
    ...MIGRATIONS,
    '9000-later': () =>
      Promise.resolve({
        up: async (trx) => {
          await sql`CREATE TABLE later AS SELECT id FROM accounts`.execute(trx);
        },
      }),
  });
  const listIds = async (table: string) =>
    (await sql`SELECT id FROM ${sql.id(table)} ORDER BY id`.execute(database.db)).rows;
  // The migration processed the restored rows.
  expect(await listIds('later')).toEqual(await listIds('accounts'));
  expect(await listIds('later')).not.toEqual([]);
  expect(await findAppliedMigrations(database.db)).toEqual([
    ...(await findAppliedMigrations(original.database.db)),
    '9000-later',
  ]);
});

it('a restored backup leaves out tables that are not Nameplate’s, with a message', async () => {
  const { url: sourceUrl, db } = await createDatabase();
  await sql`CREATE TABLE notes AS SELECT 1 AS one`.execute(db);
  const { url, database } = await createDatabase('template1');
  const { stdout } = await runCommand({ DATABASE_URL: url }, 'restore', await backUp(sourceUrl));
  expect(stdout).toMatch(/^Left out +notes \(not a Nameplate table\)$/m);
  expect((await readContents(database.db)).rows).not.toHaveProperty('notes');
});

it('the documented commands back up and restore a database', async () => {
  const documentation = await readFile(new URL('../../docs/backup.md', import.meta.url), 'utf8');
  const commands = [...documentation.matchAll(/^ *(npx nameplate (?:backup|restore) .*)$/gm)].map(
    ([, command]) => command!,
  );
  expect(commands.map((command) => command.split(' ')[2])).toEqual(['backup', 'restore']);
  const { url, database } = await createDatabase('template1');
  const folder = await createTempFolder();
  const before = await readContents(original.database.db);
  for (const [command, DATABASE_URL] of [
    [commands[0]!, original.url],
    [commands[1]!, url],
  ] as const) {
    const script = `cd ${folder} && ${command.replace('npx nameplate', '"$0" "$1"')}`;
    const shell = ['sh', '-c', script, process.execPath, NAMEPLATE] as const;
    expect(await runProgram({ DATABASE_URL }, ...shell)).toMatchObject({ code: 0, stderr: '' });
  }
  expect(await readContents(database.db)).toEqual(before);
});

it('a backup is a consistent snapshot despite concurrent writes', async () => {
  const { url, db } = await createDatabase();
  await using connection = await connectForCopy(url);
  const snapshot = await takeSnapshot(connection);
  const readTable = async (name: string) => {
    const chunks = [];
    const table = snapshot.tables.find((candidate) => candidate.name === name)!;
    for await (const chunk of snapshot.read(table)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  expect(await readTable('accounts')).toBe('');
  await sql`WITH account AS (INSERT INTO accounts DEFAULT VALUES RETURNING id)
      INSERT INTO projects (account_id, name) SELECT id, 'Shop' FROM account`.execute(db);
  expect(await readTable('projects')).toBe('');
  expect((await snapshot.readSummary()).rows).toEqual({ accounts: 0, projects: 0 });
});

it('a backup is readable only by its owner, as an ordinary archive without the secret of a key', async () => {
  expect((await stat(await backUp(original.url))).mode & 0o777).toBe(0o600);
  const entries = await unzip(original.backup);
  const tables = Object.keys(original.contents.rows);
  expect([...entries.keys()].toSorted()).toEqual(
    ['manifest.json', ...tables.map((table) => `tables/${table}`)].toSorted(),
  );
  expect(JSON.parse(entries.get('manifest.json')!)).toMatchObject({
    format: 'nameplate backup 1',
    version: packageJson.version,
  });
  const secret = original.account.key.split('.')[1]!;
  for (const content of entries.values()) expect(content).not.toContain(secret);
});

it('a backup is written to standard output if the file is -, and its time is stored', async () => {
  const file = join(await createTempFolder(), 'piped.zip');
  const command = `"$0" server/entry/cli/cli.ts backup - > ${file}`;
  const settings = { DATABASE_URL: original.url };
  const { db } = original.database;
  await sql`UPDATE last_backup SET finished_at = '2020-01-01'`.execute(db);
  const before = await readContents(db);
  expect(await runProgram(settings, 'sh', '-c', command, process.execPath)).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  expect((await findLastBackup(db)).finished_at!.getFullYear()).toBeGreaterThan(2020);
  const { url, database } = await createDatabase('template1');
  await runJson({ DATABASE_URL: url }, 'restore', file);
  expect(await readContents(database.db)).toEqual(before);
});

it('a backup of a read-only database is complete, but prints that its time was not stored', async () => {
  const { url: DATABASE_URL, db, name } = await createDatabase();
  await sql`ALTER DATABASE ${sql.id(name)} SET default_transaction_read_only = on`.execute(db);
  const file = join(await createTempFolder(), 'nameplate.zip');
  expect(await runCommand({ DATABASE_URL }, 'backup', file)).toMatchObject({
    code: 0,
    stderr:
      'The backup is complete, but its time could not be stored for status and monitoring (cannot execute INSERT in a read-only transaction).\n',
  });
  expect((await unzip(await readFile(file))).has('manifest.json')).toBe(true);
});

it('a backup replaces a file only with --force', async () => {
  const file = await writeBackup(Buffer.from('keep me'));
  const settings = { DATABASE_URL: original.url };
  expect(await runCommand(settings, 'backup', file)).toEqual(
    failure(`${file} already exists; choose another name, or add --force to replace it.`),
  );
  expect(await readFile(file, 'utf8')).toBe('keep me');
  await runJson(settings, 'backup', file, '--force');
  expect((await unzip(await readFile(file))).has('manifest.json')).toBe(true);
});

it.each(['SIGTERM', 'SIGINT'] as const)('a backup cut off by %s leaves no file', async (signal) => {
  const folder = await createTempFolder();
  await original.database.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE owner_mails`.execute(trx);
    const settings = { DATABASE_URL: original.url };
    const { child, exited } = spawnCommand(settings, 'backup', join(folder, 'x.zip'));
    await waitForBlockedQuery(original.database.db);
    expect(await readdir(folder)).toHaveLength(1);
    child.kill(signal);
    expect(await exited).toMatchObject({ signal });
  });
  expect(await readdir(folder)).toEqual([]);
});

it('a backup removes the leftovers of killed backups in its folder, and nothing else', async () => {
  const folder = await createTempFolder();
  const killed = spawn(process.execPath, ['--eval', '']);
  await once(killed, 'exit');
  const names = ['nameplate.zip', `a.zip.${process.ppid}.nameplate-partial`, 'b.zip.7.partial'];
  for (const name of [...names, `a.zip.${killed.pid}.nameplate-partial`])
    await writeFile(join(folder, name), '');
  // In a container, an earlier backup may have had the same process id.
  await writeFile(join(folder, `new.zip.${process.pid}.nameplate-partial`), '');
  await runJson({ DATABASE_URL: original.url }, 'backup', join(folder, 'new.zip'));
  expect(new Set(await readdir(folder))).toEqual(new Set([...names, 'new.zip']));
});

it('a backup without enough disk space or tables leaves no file and stores no time', async () => {
  const { url: DATABASE_URL, database } = await createDatabase();
  const folder = await createTempFolder();
  const { url } = await createDatabase('template1');
  expect(await runCommand({ DATABASE_URL: url }, 'backup', join(folder, 'x.zip'))).toEqual(
    failure('The database has no tables of Nameplate.'),
  );
  // Limits files to two 512-byte blocks, less than any backup.
  const command = `ulimit -f 2 && exec "$0" server/entry/cli/cli.ts backup ${folder}/x.zip`;
  const result = await runProgram({ DATABASE_URL }, 'sh', '-c', command, process.execPath);
  expect(result).toMatchObject(failure(/^The backup could not be written\. \(EFBIG/));
  expect(await readdir(folder)).toEqual([]);
  expect((await findLastBackup(database.db)).finished_at).toBeNull();
});

it('a failed restore stores nothing: it refuses a truncated file of any length, and a file with one changed byte', async () => {
  const { backup } = original;
  const file = await writeBackup();
  const { url, database } = await createDatabase('template1');
  for (const length of [0, 1, backup.length >> 1, backup.length - 100, backup.length - 1]) {
    await writeFile(file, backup.subarray(0, length));
    expect(await runCommand({ DATABASE_URL: url }, 'restore', file)).toEqual(
      failure(`${file} is not a ZIP file, or is incomplete. Nothing was restored.`),
    );
  }
  // Changes the compressed data of a large table, a small one and the manifest.
  for (const name of ['tables/metrics', 'tables/display_names', 'manifest.json']) {
    const offset = backup.indexOf(name) + name.length + 12;
    const damagedBackup = Buffer.from(backup);
    damagedBackup[offset]! ^= 0xff;
    await writeFile(file, damagedBackup);
    const { code, stderr } = await runCommand({ DATABASE_URL: url }, 'restore', file);
    expect([name, code, stderr]).toEqual([name, 1, expect.stringMatching(DAMAGED_MESSAGE)]);
  }
  expect(await isEmpty(database.db)).toBe(true);
});

it.each(['9999-future', 'toString'])(
  'a failed restore stores nothing: it refuses a backup of a newer version: %s',
  async (name) => {
    const newer = await createDatabase();
    await sql`INSERT INTO kysely_migration VALUES (${name}, 'now')`.execute(newer.db);
    const file = await backUp(newer.url);
    const DATA_DIR = await createTempFolder();
    const { url, database } = await createDatabase('template1');
    for (const settings of [{ DATABASE_URL: url }, { DATA_DIR }])
      expect(await runCommand(settings, 'restore', file)).toEqual(
        failure(
          'A newer version of Nameplate created this backup. Restore it with that version or a later one.',
        ),
      );
    expect(await isEmpty(database.db)).toBe(true);
    expect(await readdir(DATA_DIR)).toEqual([]);
    expect(await findDatabasePid(DATA_DIR)).toBeUndefined();
  },
);

it('a failed restore stores nothing: it refuses a backup that has rows for the list of migrations', async () => {
  const file = join(await createTempFolder(), 'forged.zip');
  const forged = {
    ...{ migrations: Object.keys(MIGRATIONS), partitions: [] },
    tables: [{ name: 'kysely_migration', columns: ['name', 'timestamp'] }],
    read: () => Readable.from([Buffer.from('9999-needs-0001\tnow\n')]),
    readSummary: async () => ({ rows: { kysely_migration: 1 }, sequences: [] }),
  };
  await writeFile(file, writeArchive(forged, '0.0.0'));
  const { url, database } = await createDatabase('template1');
  expect(await runCommand({ DATABASE_URL: url }, 'restore', file)).toEqual(
    failure(/^The file is not a Nameplate backup, .* Nothing was restored\.\n$/),
  );
  expect(await isEmpty(database.db)).toBe(true);
});

it('a failed restore stores nothing: it leaves a database that is not empty unchanged', async () => {
  const file = await writeBackup();
  const before = await readContents(original.database.db);
  expect(await runCommand({ DATABASE_URL: original.url }, 'restore', file)).toEqual(
    failure(/^The database is not empty\. Nothing was changed\./),
  );
  expect(await readContents(original.database.db)).toEqual(before);
});

it('a failed restore stores nothing: it can be repeated after it was killed', async () => {
  const source = await createDatabase();
  await sql`WITH account AS (INSERT INTO accounts DEFAULT VALUES RETURNING id),
      project AS (INSERT INTO projects (account_id, name) SELECT id, 'Shop' FROM account RETURNING id)
      INSERT INTO metrics (project_id, payload)
      SELECT id, json_build_object('text', repeat('x', 1000)) FROM project, generate_series(1, 30000)`.execute(
    source.db,
  );
  const file = await backUp(source.url);
  const { url, database } = await createDatabase('template1');
  const { child, exited } = spawnCommand({ DATABASE_URL: url }, 'restore', file);
  await eventually(
    async () =>
      (
        await sql`SELECT FROM pg_stat_progress_copy WHERE tuples_processed > 1000 AND datname = current_database()`.execute(
          database.db,
        )
      ).rows,
    (rows) => rows.length > 0,
  );
  child.kill('SIGKILL');
  expect(await exited).toMatchObject({ signal: 'SIGKILL' });
  await eventually(() => isEmpty(database.db), Boolean);
  await runJson({ DATABASE_URL: url }, 'restore', file);
});

it('a failed restore stores nothing: it marks a new embedded database as unfinished', async () => {
  const file = await writeBackup();
  const DATA_DIR = join(await createTempFolder(), 'data');
  const markerFile = join(DATA_DIR, 'restore-unfinished');
  const { child, exited } = spawnCommand({ DATA_DIR }, 'restore', file);
  await eventually(() => stat(join(DATA_DIR, 'postgresql-18', 'postmaster.pid')));
  child.kill('SIGKILL');
  expect(await exited).toMatchObject({ signal: 'SIGKILL' });
  const unfinishedMessage = `A restore into the data folder ${DATA_DIR} was interrupted. Run it again, or delete ${markerFile} to use the partly restored database.`;
  await expect(openAsServer({ DATA_DIR })).rejects.toThrow(
    new EmbeddedDatabaseError(unfinishedMessage),
  );
  expect(await runCommand({ DATA_DIR }, 'members.listMembers')).toEqual(failure(unfinishedMessage));
  await runJson({ DATA_DIR }, 'restore', file);
  expect(await findDatabasePid(DATA_DIR)).toBeUndefined();
  const { db, close } = await openEmbeddedTestDatabase(DATA_DIR);
  expect(await readContents(db)).toEqual(original.contents);
  await close();
  // The marker can remain if a restore is killed after COMMIT. Then the data is complete.
  await writeFile(markerFile, '');
  expect(await runCommand({ DATA_DIR }, 'restore', file)).toMatchObject(
    failure(/If an earlier restore was interrupted, its data is complete: start the server\./),
  );
  expect(await runJson({ DATA_DIR }, 'members.listMembers')).toMatchObject({ members: [{}, {}] });
});
