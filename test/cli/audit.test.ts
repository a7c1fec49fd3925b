import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, it, inject } from 'vitest';
import { listApiKeys } from '#db/queries/api-keys.ts';
import { listAuditEntries } from '#db/queries/audit-log.ts';
import { claimDisplayName } from '#db/queries/display-names.ts';
import { createProgram } from '#server/entry/cli/program.ts';
import { failure, runCommand, useDatabase } from './support/command-line.ts';
import '../support/vitest-context.ts';
import { insertTestAccount } from '../support/test-app.ts';

/** Rows in the database that commands refer to. */
interface TestData {
  account: string;
  name: string;
  key: string;
  releasedName: string;
}

const ARGUMENTS: Record<string, (testData: TestData) => string[]> = {
  'accounts create': ({ name }) => ['--display-name', `made-${name}`],
  'keys create': ({ name }) => ['--account', name, '--label', 'shop'],
  'keys list': ({ name }) => ['--account', name],
  'keys revoke': ({ key }) => [key],
  login: ({ name }) => ['--account', name],
  'names list': () => [],
  'names release': ({ releasedName }) => [releasedName],
  'operators list': () => [],
  'operators add': ({ name }) => [name],
  'operators remove': ({ name }) => [name],
  'forwarding list': () => [],
  'forwarding sync': () => ['--prune'],
  migrate: () => [],
  check: () => [],
  status: () => [],
  backup: ({ name }) => [join(inject('tempDir'), `${name}.zip`)],
};
/**
 * Commands that restore a whole database including its audit log, or that do not open one.
 */
const NOT_TESTED = ['restore'];

const WHO = `${userInfo().username}@${hostname()}`;

const database = useDatabase();

/** Runs a command that must succeed without output on stderr. Returns its stdout. */
async function runSuccessfully(...args: string[]): Promise<string> {
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
  const releasedName = `left-${name}`;
  await db
    .insertInto('display_names')
    .values({ name: releasedName, last_account_id: id, released_at: new Date(), was_visible: true })
    .execute();
  return { account: id, name, key: key.split('.')[0]!, releasedName };
}

/** Reads all tables except the audit log and the time of the last backup. */
async function readTables(): Promise<unknown> {
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

function listPaths(command: CommandUnknownOpts, prefix: string[] = []): string[] {
  if (command.commands.length === 0) return [prefix.join(' ')];
  return command.commands.flatMap((subcommand) =>
    listPaths(subcommand, [...prefix, subcommand.name()]),
  );
}

describe('every command', () => {
  it('is tested here', async () => {
    expect([...Object.keys(ARGUMENTS), ...NOT_TESTED].toSorted()).toEqual(
      listPaths(await createProgram())
        .filter((path) => !path.startsWith('api '))
        .toSorted(),
    );
  });

  it.each(Object.entries(ARGUMENTS))(
    '%s adds an entry to the audit log only if it changes something',
    async (path, argumentsFor) => {
      const testData = await createTestData(path.replaceAll(' ', '-'));
      if (path === 'operators remove') await runSuccessfully('operators', 'add', testData.name);
      const [contentsBefore, entriesBefore] = [
        await readTables(),
        await listAuditEntries(database.db, { limit: 1_000 }),
      ];
      const output = await runSuccessfully(...path.split(' '), ...argumentsFor(testData));
      const hasChanged = JSON.stringify(await readTables()) !== JSON.stringify(contentsBefore);
      const entriesAfter = await listAuditEntries(database.db, { limit: 1_000 });
      const entries = entriesAfter.slice(0, entriesAfter.length - entriesBefore.length);
      // `forwarding sync` changes aliases at the provider.
      if (!hasChanged && path !== 'forwarding sync') return expect(entries).toEqual([]);
      expect(entries.length).toBeGreaterThan(0);
      for (const entry of entries)
        expect(entry).toMatchObject({ who: WHO, via: 'command', action: path });
      // These commands do not concern any particular account.
      if (path.startsWith('forwarding')) return;
      for (const { account_id, name } of entries) {
        if (path !== 'accounts create') expect(account_id).toBe(testData.account);
        expect(name).toContain(testData.name);
      }
      // Entries must not contain a new key's secret.
      const [, secret] = /np_\w+\.(\w+)/.exec(output) ?? [];
      if (secret !== undefined) expect(JSON.stringify(entries)).not.toContain(secret);
    },
  );
});

describe('the audit log', () => {
  const listEntries = (filter: { account?: string; limit?: number } = {}) =>
    listAuditEntries(database.db, { limit: 50, ...filter });

  it('lists the changes to an account, newest first, even after its deletion', async () => {
    await runSuccessfully('accounts', 'create', '--display-name', 'jane-doe');
    await runSuccessfully('keys', 'create', '--account', 'jane-doe');
    await runSuccessfully('operators', 'add', 'jane-doe');
    await runSuccessfully('accounts', 'create', '--display-name', 'somebody-else');
    const entries = await listEntries({ account: 'jane-doe' });
    const account_id = entries[0]!.account_id!;
    expect(entries.map(({ action, name }) => [action, name])).toEqual([
      ['operators add', 'jane-doe'],
      ['keys create', 'jane-doe'],
      ['accounts create', 'jane-doe'],
    ]);
    expect(entries[1]!.key_id).toMatch(/^np_\w{16}$/);
    await database.db.deleteFrom('display_names').where('account_id', '=', account_id).execute();
    await database.db.deleteFrom('accounts').where('id', '=', account_id).execute();
    expect(await listEntries({ account: account_id })).toEqual(entries);
  });

  it('contains the user who ran sudo', async () => {
    const settings = { DATABASE_URL: database.url, SUDO_USER: 'jane' };
    expect((await runCommand(settings, 'accounts', 'create')).code).toBe(0);
    expect(await listEntries({ limit: 1 })).toMatchObject([{ who: `${WHO} (sudo by jane)` }]);
  });

  it('is written in the same transaction as the change', async () => {
    const { db } = database;
    const { name, account } = await createTestData('together');
    await sql`ALTER TABLE audit_log RENAME TO lost`.execute(db);
    const create = ['keys', 'create', '--account', name];
    const result = await runCommand({ DATABASE_URL: database.url }, ...create);
    await sql`ALTER TABLE lost RENAME TO audit_log`.execute(db);
    expect(result).toEqual(
      failure('The key could not be created. (relation "audit_log" does not exist)'),
    );
    expect(await listApiKeys(db, account)).toHaveLength(1);
  });

  it('does not contain refused commands', async () => {
    const entriesBefore = await listEntries();
    for (const args of [
      ['keys', 'revoke', 'np_unknown'],
      ['accounts', 'create', '--display-name', 'admin'],
    ])
      expect((await runCommand({ DATABASE_URL: database.url }, ...args)).code).toBe(1);
    expect(await listEntries()).toEqual(entriesBefore);
  });
});
