import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { listOperators } from '#db/queries/operators.ts';
import { insertAccountWithKey } from '#server/features/accounts/create-account.ts';
import { createImage } from '../support/pictures.ts';
import { createTempFolder } from '../support/server-process.ts';
import { createDatabase, failure, runCommand, runJson } from './support/command-line.ts';
import { isEmpty } from './support/contents.ts';

it('for an unknown account name up to three similar names are suggested', async () => {
  const { settings } = await createDatabase();
  for (const name of ['gen-abc', 'gen-def', 'gen-x', 'gen-xy', 'other'])
    await runJson(settings, 'members.createMember', '--display-name', name);
  for (const [wrongName, suggestion] of [
    ['Gen-xyz', ' Did you mean gen-xy or gen-x?'],
    ['gen-xx', ' Did you mean gen-x, gen-xy, or gen-abc?'],
    // One letter changed, two swapped, one missing, one added.
    ...['otner', 'ohter', 'oter', 'otther'].map((typo) => [typo, ' Did you mean other?']),
    // Only names with the same first letter are suggested.
    ...['zther', '3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11'].map((other) => [other, '']),
  ] as [string, string][])
    expect(await runCommand(settings, 'keys.listKeys', '--account', wrongName)).toEqual(
      failure(`There is no account ${wrongName}.${suggestion}`),
    );
});

it('only the first of several accounts that are created concurrently is an operator', async () => {
  const { db } = await createDatabase();
  const create = () => inTransaction(db, insertAccountWithKey);
  await Promise.all([create(), create(), create(), create(), create()]);
  expect(await listOperators(db)).toHaveLength(1);
});

it('--account takes a name, an id or the id of a key', async () => {
  const { settings } = await createDatabase();
  const create = ['members.createMember', '--display-name', 'jane-doe'];
  const { member, api_key } = (await runJson(settings, ...create)) as {
    member: { id: string };
    api_key: string;
  };
  const [keyId = ''] = api_key.split('.');
  for (const reference of ['Jane-Doe', member.id, keyId])
    expect(await runJson(settings, 'keys.listKeys', '--account', reference)).toMatchObject({
      keys: [{ id: keyId }],
    });
  // The scope `metrics`, not the area of that name.
  const createKey = ['keys.createKey', '--account', 'jane-doe', '--scope', 'metrics'];
  expect(await runJson(settings, ...createKey)).toMatchObject({ key: { scope: 'metrics' } });
});

it('the logo of the server can be a picture of any account', async () => {
  const { settings } = await createDatabase();
  await runJson(settings, 'members.createMember', '--display-name', 'jane');
  const file = join(await createTempFolder(), 'logo.png');
  await createImage({ width: 80, height: 40 }).png().toFile(file);
  const published = { ...settings, PUBLIC_URL: 'https://np.example.com' };
  const upload = ['pictures.uploadPicture', '--account', 'jane', '--body', `@${file}`];
  const { picture } = (await runJson(published, ...upload)) as { picture: { url: string } };
  const update = ['server.updateInstance', '--logo-url', picture.url];
  expect(await runJson(published, ...update)).toMatchObject({
    instance: {
      logo_url: expect.stringMatching(/^https:\/\/np\.example\.com\/instance\//) as string,
    },
  });
});

it('a PostgreSQL server that is empty stays empty when other commands run, and they say so', async () => {
  const { settings, db } = await createDatabase('template1');
  for (const command of [['members.createMember'], ['keys.listKeys', '--account', 'jane']])
    expect(await runCommand(settings, ...command)).toEqual(
      failure(
        /^There is no Nameplate data in PostgreSQL at \S+; start the server once, run nameplate migrate, or set DATABASE_URL\.\n$/,
      ),
    );
  expect(await isEmpty(db)).toBe(true);
});

it('a PostgreSQL server that a newer version has migrated is left unchanged, with one message and exit code 1', async () => {
  const { settings, db } = await createDatabase();
  await sql`INSERT INTO kysely_migration VALUES ('9999-future-needs-9999', 'now')`.execute(db);
  for (const command of ['migrate', 'members.listMembers'])
    expect(await runCommand(settings, command)).toEqual(
      failure(
        'The database was set up by a newer version of Nameplate; run that version, or restore a backup made before the upgrade.',
      ),
    );
});
