import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { addDailyUsage } from '#db/queries/daily-usage.ts';
import { insertProject } from '#db/queries/projects.ts';
import { listUsage } from '#db/queries/usage.ts';
import type { Status } from '#server/entry/cli/status-reader.ts';
import { createDatabase, runCommand, runJson } from './support/command-line.ts';

it('status shows usage and allowances, most metrics first', async () => {
  const { settings, db } = await createDatabase();
  const create = async (name: string) =>
    (await runJson(settings, 'accounts', 'create', '--display-name', name)) as {
      account_id: string;
    };
  const [idleAccount, busyAccount] = [await create('idle'), await create('busy')];
  await insertProject(db, busyAccount.account_id, 'Shop');
  // Adds usage for tomorrow, too, in case the test runs past midnight.
  for (const day of [Date.now(), Date.now() + 86_400_000].map((time) => new Date(time)))
    await addDailyUsage(db, day.toISOString().slice(0, 10), [
      { accountId: busyAccount.account_id, metrics: 1_000_000, responses: 0 },
    ]);
  await sql`UPDATE daily_usage SET name_changes = 2`.execute(db);
  const releasedName = { last_account_id: busyAccount.account_id, was_visible: true };
  await db
    .insertInto('display_names')
    .values([
      { ...releasedName, name: 'held-back', released_at: new Date() },
      { ...releasedName, name: 'long-free', released_at: new Date(0) },
    ])
    .execute();
  const usageDays = ['2020-06-13', '2020-06-14', '2020-06-15'].entries();
  for (const [index, day] of usageDays)
    await addDailyUsage(db, day, [
      { accountId: idleAccount.account_id, metrics: 0, responses: 10 ** index },
    ]);
  const query = {
    day: '2020-06-15',
    quarantineDays: 0,
    limit: 1,
    accountId: idleAccount.account_id,
  };
  // Usage is the sum of that day and the day before.
  expect(await listUsage(db, query)).toMatchObject([{ response_bytes: 110 }]);
  const trustingSettings = { ...settings, TRUST_ACCOUNTS: 'true' };
  const newAccountUsage = {
    ...{ metric_bytes_today: 0, response_bytes: 0, picture_bytes: 0 },
    ...{ events: 0, projects: 0, keys: 1 },
    ...{ names_held_back: 0, name_changes_today: 0 },
  };
  const rows = [
    {
      ...{ ...newAccountUsage, account_id: busyAccount.account_id, display_name: 'busy' },
      ...{ projects: 1, metric_bytes_today: 1_000_000, names_held_back: 1, name_changes_today: 2 },
    },
    { ...newAccountUsage, account_id: idleAccount.account_id, display_name: 'idle' },
  ];
  const readUsage = async (...args: string[]) =>
    ((await runJson(trustingSettings, 'status', ...args)) as Status).service!.accounts.usage;
  expect(await readUsage()).toEqual(rows);
  expect(await readUsage('--accounts', '1')).toEqual(rows.slice(0, 1));
  const { stdout } = await runCommand(trustingSettings, 'status', '--accounts', '1');
  const table = stdout.slice(stdout.indexOf('Account  '));
  expect(table.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    [
      ...['Account', 'Display name', 'Metrics today', 'Stored responses', 'Pictures'],
      ...['Events', 'Projects', 'Keys', 'Names held back', 'Name changes today'],
    ],
    ['allowed', '-', '10000.0 MB', '-', '50.0 MB', '-', '100', '50', '-', '-'],
    [busyAccount.account_id, 'busy', '1.0 MB', '0.0 MB', '0.0 MB', '0', '1', '1', '1', '2'],
    [''],
  ]);
});
