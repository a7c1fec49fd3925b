import { DAY_MS } from '#contract/shared/durations.ts';
import { expect, it } from 'vitest';
import { insertTestAccount } from '../support/test-app.ts';
import { createDatabase, failure, runCommand, runJson } from './support/command-line.ts';

const RELEASED_AT = new Date('2020-01-01T00:00:00Z');
const LONG_AGO = new Date('1900-01-01T00:00:00Z');

it('quarantined names are listed, and can be released unless they still have an alias', async () => {
  const {
    settings: { DATABASE_URL },
    db,
  } = await createDatabase();
  // A quarantine that cannot end during the test.
  const settings = { DATABASE_URL, NAME_QUARANTINE_DAYS: '36500' };
  expect((await runCommand(settings, 'names', 'list')).stdout).toBe('No name is held back.\n');
  const { id } = await insertTestAccount(db);
  const releasedName = { last_account_id: id, released_at: RELEASED_AT };
  await db
    .insertInto('display_names')
    .values([
      { ...releasedName, name: 'had-page', was_visible: true },
      { ...releasedName, name: 'had-mail', was_forwarded: true, alias_removed_at: RELEASED_AT },
      { ...releasedName, name: 'has-alias', was_forwarded: true, was_visible: true },
      { ...releasedName, name: 'is-free', was_visible: true, released_at: LONG_AGO },
    ])
    .execute();
  const free_at = new Date(RELEASED_AT.getTime() + 36_500 * DAY_MS).toISOString();
  const row = { last_account_id: id, released_at: RELEASED_AT.toISOString() };
  expect(await runJson(settings, 'names', 'list')).toEqual([
    { ...row, name: 'had-mail', was_forwarded: true, was_visible: false, free_at },
    { ...row, name: 'had-page', was_forwarded: false, was_visible: true, free_at },
    { ...row, name: 'has-alias', was_forwarded: true, was_visible: true, free_at: null },
  ]);
  const { stdout } = await runCommand(settings, 'names', 'list');
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(3))).toEqual([
    ['Free', 'Had'],
    ['2119-12-08 00:00:00 UTC', 'mail'],
    ['2119-12-08 00:00:00 UTC', 'a page'],
    ['when its alias is deleted', 'mail, a page'],
    [],
  ]);

  const createArgs = ['accounts', 'create', '--display-name', 'Had Page'];
  expect((await runCommand(settings, ...createArgs)).code).toBe(1);
  expect(await runJson(settings, 'names', 'release', 'Had Page')).toEqual({
    name: 'had-page',
    last_account_id: id,
  });
  await runJson(settings, ...createArgs);
  for (const [name, message] of [
    [
      'has-alias',
      'The name has-alias still has an alias at the forwarding provider, so its next owner would not get mail. Run nameplate forwarding list for the reason.',
    ],
    ['had-page', 'The name had-page is not held back.'],
    ['nobodys', 'The name nobodys is not held back.'],
  ] as const)
    expect(await runCommand(settings, 'names', 'release', name)).toEqual(failure(message));
});
