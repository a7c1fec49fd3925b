import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, inject } from 'vitest';
import { listApiKeys } from '#db/queries/api-keys.ts';
import { listAuditEntries } from '#db/queries/audit-log.ts';
import { claimNameForAccount } from '#db/queries/display-names.ts';
import { createProgram } from '#server/entry/cli/program.ts';
import { authenticatedEndpoints } from '../support/endpoints.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { deprecationOnly, failure, runCommand, useDatabase } from './support/command-line.ts';
import '../support/vitest-context.ts';
import { readContents } from './support/contents.ts';

/** Commands that are no operations: `transports.test.ts` tests those. */
const ARGUMENTS: Record<string, (name: string) => string[]> = {
  login: (name) => ['--account', name],
  'forwarding.listAliases': () => [],
  'forwarding.syncAliases': () => ['--prune'],
  migrate: () => [],
  check: () => [],
  backup: (name) => [join(inject('tempDir'), `${name}.zip`)],
};
/** It restores a whole database, with its audit log. */
const NOT_TESTED = ['restore'];

const WHO = `${userInfo().username}@${hostname()}`;

const database = useDatabase();

/** Runs a command that must succeed and print at most that it is deprecated. */
async function runSuccessfully(...args: string[]): Promise<void> {
  const { code, stderr } = await runCommand(
    { DATABASE_URL: database.url, PUBLIC_URL: 'http://localhost' },
    ...args,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: deprecationOnly });
}

/** Creates an account. */
async function createAccount(name: string): Promise<string> {
  const { db } = database;
  const { id } = await insertTestAccount(db);
  await db
    .transaction()
    .execute((trx) => claimNameForAccount(trx, { accountId: id, name, quarantineDays: 0 }));
  return id;
}

/** Reads all tables except the audit log and the time of the last backup. */
async function readTables(): Promise<unknown> {
  const { audit_log: _log, last_backup: _time, ...tables } = (await readContents(database.db)).rows;
  return tables;
}

it('every command is tested here', async () => {
  const names = (await createProgram()).commands.map((command) => command.name());
  const operations = new Set(authenticatedEndpoints.map(({ area, name }) => `${area}.${name}`));
  expect([...Object.keys(ARGUMENTS), ...NOT_TESTED].toSorted()).toEqual(
    names.filter((name) => !operations.has(name)).toSorted(),
  );
});

it.each(Object.entries(ARGUMENTS))(
  '%s adds an entry to the audit log only if it changes something',
  async (command, argumentsFor) => {
    const name = command.replace('.', '-').toLowerCase();
    const account_id = await createAccount(name);
    const [contentsBefore, entriesBefore] = [
      await readTables(),
      await listAuditEntries(database.db, { limit: 1_000 }),
    ];
    await runSuccessfully(command, ...argumentsFor(name));
    const hasChanged = JSON.stringify(await readTables()) !== JSON.stringify(contentsBefore);
    const entriesAfter = await listAuditEntries(database.db, { limit: 1_000 });
    const entries = entriesAfter.slice(0, entriesAfter.length - entriesBefore.length);
    // It changes aliases at the provider.
    const isSync = command === 'forwarding.syncAliases';
    if (!hasChanged && !isSync) return expect(entries).toEqual([]);
    const entry = isSync ? { action: 'forwarding sync' } : { action: command, account_id };
    expect(entries.length).toBeGreaterThan(0);
    for (const written of entries)
      expect(written).toMatchObject({ who: WHO, via: 'command', ...entry });
  },
);

const listEntries = (filter: { account?: string; limit?: number } = {}) =>
  listAuditEntries(database.db, { limit: 50, ...filter });

it('the audit log lists the changes to an account, newest first, even after its deletion', async () => {
  await runSuccessfully('members.createMember', '--display-name', 'jane-doe');
  const account = ['--account', 'jane-doe'];
  await runSuccessfully('keys.createKey', ...account);
  await runSuccessfully('members.updateMemberRole', ...account, '--operator');
  await runSuccessfully('members.createMember', '--display-name', 'somebody-else');
  const entries = await listEntries({ account: 'jane-doe' });
  const account_id = entries[0]!.account_id!;
  expect(entries.map(({ action, name }) => [action, name])).toEqual([
    ['members.updateMemberRole', 'jane-doe'],
    ['keys.createKey', 'jane-doe'],
    ['members.createMember', 'jane-doe'],
  ]);
  await database.db.deleteFrom('display_names').where('account_id', '=', account_id).execute();
  await database.db.deleteFrom('accounts').where('id', '=', account_id).execute();
  expect(await listEntries({ account: account_id })).toEqual(entries);
});

it('the audit log contains the user who ran sudo', async () => {
  const settings = { DATABASE_URL: database.url, SUDO_USER: 'jane' };
  expect((await runCommand(settings, 'members.createMember')).code).toBe(0);
  expect(await listEntries({ limit: 1 })).toMatchObject([{ who: `${WHO} (sudo by jane)` }]);
});

it('the audit log is written in the same transaction as the change', async () => {
  const { db } = database;
  const account = await createAccount('together');
  await sql`ALTER TABLE audit_log RENAME TO lost`.execute(db);
  const create = ['keys.createKey', '--account', 'together'];
  const result = await runCommand({ DATABASE_URL: database.url }, ...create);
  await sql`ALTER TABLE lost RENAME TO audit_log`.execute(db);
  expect(result).toEqual(
    failure('The key could not be created. (relation "audit_log" does not exist) (internalError)'),
  );
  expect(await listApiKeys(db, account)).toHaveLength(1);
});

it('the audit log does not contain refused commands', async () => {
  const account = ['--account', await createAccount('refused')];
  const entriesBefore = await listEntries();
  for (const args of [
    ['keys.revokeKey', '--key-id', 'np_unknown', ...account],
    ['members.createMember', '--display-name', 'admin'],
  ])
    expect((await runCommand({ DATABASE_URL: database.url }, ...args)).code).toBe(1);
  expect(await listEntries()).toEqual(entriesBefore);
});
