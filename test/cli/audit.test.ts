import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { afterAll, beforeAll, describe, expect, it, inject } from 'vitest';
import { listApiKeys } from '#db/queries/api-keys.ts';
import { listAuditEntries } from '#db/queries/audit-log.ts';
import { claimDisplayName } from '#db/queries/display-names.ts';
import { insertProject } from '#db/queries/projects.ts';
import { createProgram } from '#server/cli/program.ts';
import { runCommand } from './support/command-line.ts';
import '../support/vitest-context.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

/** Rows in the database that commands refer to. */
interface TestData {
  account: string;
  name: string;
  key: string;
  project: string;
  /** A released display name. */
  left: string;
}

/** Arguments for every command. */
const CALLS: Record<string, (given: TestData) => string[]> = {
  'accounts create': ({ name }) => ['--display-name', `made-${name}`],
  'accounts list': () => [],
  'accounts show': ({ name }) => [name],
  'accounts usage': ({ name }) => [name],
  'accounts rename': ({ name }) => [name, `new-${name}`],
  'accounts suspend': ({ name }) => [name],
  'accounts resume': ({ name }) => [name],
  'accounts delete': ({ name }) => [name, '--yes'],
  'keys create': ({ name }) => ['--account', name, '--label', 'shop'],
  'keys list': ({ name }) => ['--account', name],
  'keys revoke': ({ key }) => [key],
  login: ({ name }) => ['--account', name],
  invite: () => [],
  'names list': () => [],
  'names release': ({ left }) => [left],
  'projects create': ({ name }) => ['--account', name, '--name', 'Shop'],
  'projects list': ({ name }) => ['--account', name],
  'projects rename': ({ project }) => [project, 'Web shop'],
  'projects delete': ({ project }) => [project, '--yes'],
  'metrics export': ({ project }) => ['--project', project],
  'metrics delete': ({ project }) => ['--project', project, '--until', '2000-01-01', '--yes'],
  'metrics keep': ({ project }) => ['--project', project, '--days', '90'],
  'events list': ({ name }) => ['--account', name],
  'operators list': () => [],
  'operators add': ({ name }) => [name],
  'operators remove': ({ name }) => [name],
  'audit list': () => [],
  'pages list': () => [],
  'pages views': ({ name }) => [name],
  'pages suspend': ({ name }) => [name],
  'pages restore': ({ name }) => [name],
  'forwarding check': () => [],
  'forwarding list': () => [],
  'forwarding sync': () => ['--prune'],
  migrate: () => [],
  check: () => [],
  status: () => [],
  backup: ({ name }) => [join(inject('tempDir'), `${name}.zip`)],
  completion: () => ['bash'],
};
/** Commands that fill an empty database with another audit trail, or open no database. */
const NOT_RECORDED = ['mcp', 'move', 'restore'];

const WHO = `${userInfo().username}@${hostname()}`;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Runs a command, which must succeed without messages, and returns its output. */
async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(
    { DATABASE_URL: database.url, PUBLIC_URL: 'http://localhost' },
    ...args,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function createTestData(name: string): Promise<TestData> {
  const { db } = database;
  const { id, key } = await insertTestAccount(db);
  await db
    .transaction()
    .execute((trx) => claimDisplayName(trx, { accountId: id, name, quarantineDays: 0 }));
  const project = await insertProject(db, id, 'Shop');
  const left = `left-${name}`;
  await db
    .insertInto('display_names')
    .values({ name: left, last_account_id: id, released_at: new Date(), was_visible: true })
    .execute();
  return { account: id, name, key: key.split('.')[0]!, project: project.id, left };
}

/** Everything stored, except the audit trail and the time of the last backup. */
async function readStored(): Promise<unknown> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND relname NOT IN ('audit_log', 'last_backup')
    ORDER BY relname`.execute(database.db);
  const tables = await Promise.all(
    rows.map(({ name }) =>
      sql`SELECT * FROM ${sql.table(name)} AS t ORDER BY t::text`.execute(database.db),
    ),
  );
  return tables.map((table, index) => [rows[index]?.name, table.rows]);
}

function pathsOf(command: CommandUnknownOpts, before: string[] = []): string[] {
  if (command.commands.length === 0) return [before.join(' ')];
  return command.commands.flatMap((part) => pathsOf(part, [...before, part.name()]));
}

describe('every command', () => {
  it('is tested here', () => {
    expect([...Object.keys(CALLS), ...NOT_RECORDED].toSorted()).toEqual(
      pathsOf(createProgram()).toSorted(),
    );
  });

  it.each(Object.entries(CALLS))(
    '%s adds an entry to the audit trail only if it changes something',
    async (path, argumentsFor) => {
      const given = await createTestData(path.replaceAll(' ', '-'));
      if (path === 'accounts resume') await run('accounts', 'suspend', given.name);
      if (path === 'operators remove') await run('operators', 'add', given.name);
      if (path === 'pages restore') await run('pages', 'suspend', given.name);
      const [before, known] = [
        await readStored(),
        await listAuditEntries(database.db, { limit: 1_000 }),
      ];
      const printed = await run(...path.split(' '), ...argumentsFor(given));
      const changed = JSON.stringify(await readStored()) !== JSON.stringify(before);
      const all = await listAuditEntries(database.db, { limit: 1_000 });
      const entries = all.slice(0, all.length - known.length);
      // Changes the forwarding provider, not the database.
      if (!changed && path !== 'forwarding sync') return expect(entries).toEqual([]);
      expect(entries.length).toBeGreaterThan(0);
      for (const entry of entries)
        expect(entry).toMatchObject({ who: WHO, via: 'command', action: path });
      // These concern no account.
      if (path.startsWith('forwarding') || path === 'invite') return;
      for (const { account_id, name } of entries) {
        if (path !== 'accounts create') expect(account_id).toBe(given.account);
        expect(name).toContain(given.name);
      }
      // The trail contains no secret that is shown only once.
      const [, secret] = /np_\w+\.(\w+)/.exec(printed) ?? [];
      if (secret !== undefined) expect(JSON.stringify(entries)).not.toContain(secret);
    },
  );
});

describe('the audit trail', () => {
  async function list(...args: string[]): Promise<Record<string, unknown>[]> {
    return JSON.parse(await run('audit', 'list', '--json', ...args)) as Record<string, unknown>[];
  }

  it('lists what was done to an account, newest first, even after its deletion', async () => {
    await run('accounts', 'create', '--display-name', 'jane-doe');
    await run('accounts', 'rename', 'jane-doe', 'jane-roe');
    await run('keys', 'create', '--account', 'jane-roe');
    await run('accounts', 'delete', 'jane-roe', '--yes');
    await run('accounts', 'create', '--display-name', 'somebody-else');
    const [latest, ...earlier] = await list('--account', 'jane-doe');
    const { account_id } = latest!;
    const entry = { who: WHO, via: 'command', account_id, project_id: null, key_id: null };
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
    const id = expect.any(String) as string;
    const deleted = { ...entry, id, created_at: at, action: 'accounts delete', name: 'jane-roe' };
    expect([latest, ...earlier]).toEqual([
      { ...deleted, detail: { step: 'done' } },
      { ...deleted, detail: { step: 'started' } },
      {
        ...deleted,
        action: 'keys create',
        key_id: expect.stringMatching(/^np_\w{16}$/) as string,
        detail: {},
      },
      { ...deleted, action: 'accounts rename', detail: { from: 'jane-doe' } },
      { ...deleted, action: 'accounts create', name: 'jane-doe', detail: {} },
    ]);
    expect(await list('--account', String(account_id))).toEqual([latest, ...earlier]);
    expect(await list('--account', 'jane-doe', '--limit', '1')).toEqual([latest]);
    expect(await run('audit', 'list', '--account', 'nobody')).toBe('No entries.\n');
  });

  it('is a table for people and CSV for other programs', async () => {
    await run('accounts', 'create', '--display-name', 'table');
    const [entry] = await list('--account', 'table');
    const about = ['--account', 'table'];
    const { created_at, account_id } = entry as { created_at: string; account_id: string };
    expect(await run('audit', 'list', ...about, '--format', 'csv')).toBe(
      `created_at,who,via,action,account_id,name,project_id,key_id,detail\r
"${created_at}","${WHO}","command","accounts create","${account_id}","table","","","{}"\n`,
    );
    const [heading, line] = (await run('audit', 'list', ...about)).split('\n');
    expect(heading).toMatch(/^Time +Who +Via +Action +Account +Name +Key or project +Detail$/);
    expect(line).toMatch(/ UTC {2}\S+ +command {2}accounts create {2}[0-9a-f-]{36} {2}table /);
  });

  it('names the user who used sudo', async () => {
    const settings = { DATABASE_URL: database.url, SUDO_USER: 'jane' };
    expect((await runCommand(settings, 'accounts', 'create')).code).toBe(0);
    expect(await list('--limit', '1')).toMatchObject([{ who: `${WHO} (sudo by jane)` }]);
  });

  it('is written in the same transaction as the change', async () => {
    const { db } = database;
    const { name, account } = await createTestData('together');
    await sql`ALTER TABLE audit_log RENAME TO lost`.execute(db);
    const create = ['keys', 'create', '--account', name];
    const outcome = await runCommand({ DATABASE_URL: database.url }, ...create);
    await sql`ALTER TABLE lost RENAME TO audit_log`.execute(db);
    expect(outcome).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The key could not be created. (relation "audit_log" does not exist)\n',
    });
    expect(await listApiKeys(db, account)).toHaveLength(1);
  });

  it('does not contain refused commands', async () => {
    const before = await list();
    for (const refused of [
      ['keys', 'revoke', 'np_unknown'],
      ['accounts', 'create', '--display-name', 'admin'],
    ])
      expect((await runCommand({ DATABASE_URL: database.url }, ...refused)).code).toBe(1);
    expect(await list()).toEqual(before);
  });
});
