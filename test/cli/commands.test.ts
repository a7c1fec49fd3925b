import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createPostgresDatabase } from '../support/test-database.ts';
import { isEmpty } from './support/contents.ts';
import { createDatabase, failure, runCommand, runJson } from './support/command-line.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const KEY = /^np_[A-Za-z0-9]{16}\.[A-Za-z0-9_]{38}$/;

it('every command works, with --json', async () => {
  const { settings } = await createDatabase();
  const account = (await runJson(
    settings,
    ...['accounts', 'create', '--display-name', 'Jane Doe!'],
  )) as { account_id: string };
  const { account_id } = account;
  expect(account).toEqual({
    account_id: expect.stringMatching(UUID),
    display_name: 'jane-doe',
    api_key: expect.stringMatching(KEY),
    is_operator: true,
  });

  const key = (await runJson(
    settings,
    ...['keys', 'create', '--account', 'jane-doe', '--label', 'laptop'],
    ...['--scope', 'read', '--expires', '2100-01-31'],
  )) as { key_id: string; api_key: string; expires_at: string };
  expect(key).toEqual({
    key_id: key.api_key.split('.')[0],
    api_key: expect.stringMatching(KEY),
    scope: 'read',
    expires_at: '2100-01-31T00:00:00.000Z',
  });
  const revokedKey = (await runJson(settings, 'keys', 'revoke', key.key_id)) as {
    revoked_at: string;
  };
  expect(revokedKey).toEqual({ key_id: key.key_id, revoked_at: expect.stringMatching(TIME) });
  expect(await runJson(settings, 'keys', 'revoke', key.api_key)).toEqual(revokedKey);
  const unused = { created_at: expect.stringMatching(TIME) as string, last_used_at: null };
  const { expires_at } = key;
  expect(await runJson(settings, 'keys', 'list', '--account', account_id)).toEqual([
    {
      ...{ ...unused, key_id: expect.stringMatching(/^np_/), label: 'first key', scope: 'all' },
      ...{ expires_at: null, revoked_at: null },
    },
    { ...unused, ...revokedKey, label: 'laptop', scope: 'read', expires_at },
  ]);

  expect(await runJson(settings, 'migrate')).toEqual({ migrations: [] });

  expect(await runCommand(settings, 'accounts', 'create', '--display-name', 'Jane Doe')).toEqual(
    failure('The display name jane-doe is already taken.'),
  );
  for (const command of [
    ['keys', 'list', '--account', 'nobody'],
    ['operators', 'add', 'nobody'],
  ])
    expect(await runCommand(settings, ...command)).toEqual(failure('There is no account nobody.'));
});

it('lists are shown as tables, which say when they are empty', async () => {
  const { settings } = await createDatabase();
  expect((await runCommand(settings, 'operators', 'list')).stdout).toBe(
    'There are no operators.\n',
  );
  await runJson(settings, 'accounts', 'create', '--display-name', 'jane-doe');
  expect((await runCommand(settings, 'operators', 'list')).stdout).toMatch(
    /^Account {31}Display name {2}Since\n[0-9a-f-]{36} {2}jane-doe {6}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n$/,
  );
});

it('for an unknown account name up to three similar names are suggested', async () => {
  const { settings } = await createDatabase();
  for (const name of ['gen-abc', 'gen-def', 'gen-x', 'gen-xy', 'other'])
    await runJson(settings, 'accounts', 'create', '--display-name', name);
  for (const [wrongName, suggestion] of [
    ['Gen-xyz', ' Did you mean gen-xy or gen-x?'],
    ['gen-xx', ' Did you mean gen-x, gen-xy, or gen-abc?'],
    // One letter changed, two swapped, one missing, one added.
    ...['otner', 'ohter', 'oter', 'otther'].map((typo) => [typo, ' Did you mean other?']),
    // Only names with the same first letter are suggested.
    ...['zther', '3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11'].map((other) => [other, '']),
  ] as [string, string][])
    expect(await runCommand(settings, 'operators', 'add', wrongName)).toEqual(
      failure(`There is no account ${wrongName}.${suggestion}`),
    );
});

describe('a PostgreSQL server', () => {
  it('that is empty is set up by migrate, and by commands that create something', async () => {
    for (const [first, ...subcommands] of [['migrate'], ['accounts', 'create']] as const) {
      const settings = {
        DATABASE_URL: await createPostgresDatabase(),
        PUBLIC_URL: 'https://np.example.com',
      };
      await runJson(settings, first, ...subcommands);
      expect(await runJson(settings, 'migrate')).toEqual({ migrations: [] });
    }
  });

  it('that is empty stays empty when other commands run, and they say so', async () => {
    const { settings, db } = await createDatabase('template1');
    for (const command of [
      ['operators', 'list'],
      ['operators', 'add', 'jane'],
    ])
      expect(await runCommand(settings, ...command)).toEqual(
        failure(
          /^There is no Nameplate data in PostgreSQL at \S+; start the server once, run nameplate migrate, or set DATABASE_URL\.\n$/,
        ),
      );
    expect(await isEmpty(db)).toBe(true);
  });

  it('that a newer version has migrated is left unchanged, with one message and exit code 1', async () => {
    const { settings, db } = await createDatabase();
    await sql`INSERT INTO kysely_migration VALUES ('9999-future-needs-9999', 'now')`.execute(db);
    for (const command of [['migrate'], ['operators', 'list']])
      expect(await runCommand(settings, ...command)).toEqual(
        failure(
          'The database was set up by a newer version of Nameplate; run that version, or restore a backup made before the upgrade.',
        ),
      );
  });
});
