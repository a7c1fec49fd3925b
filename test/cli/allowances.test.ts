import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { DAY_MS } from '#contract/shared/durations.ts';
import { addDailyUsage } from '#db/queries/daily-usage.ts';
import { insertProject } from '#db/queries/projects.ts';
import { listUsage } from '#db/queries/usage.ts';
import type { Status } from '#server/entry/cli/status-reader.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { createDatabase, runCommand, runJson } from './support/command-line.ts';

it('status shows usage and allowances, most metrics first', async () => {
  const { settings, db } = await createDatabase();
  const [{ id: idle }, { id: busy }] = [await insertTestAccount(db), await insertTestAccount(db)];
  await insertProject(db, busy, 'Shop');
  // Adds usage for tomorrow, too, in case the test runs past midnight.
  for (const day of [Date.now(), Date.now() + DAY_MS].map((time) => new Date(time)))
    await addDailyUsage(db, day.toISOString().slice(0, 10), [
      { accountId: busy, metrics: 1_000_000, responses: 0 },
    ]);
  await sql`UPDATE daily_usage SET name_changes = 2`.execute(db);
  const releasedName = { last_account_id: busy, was_visible: true };
  await db
    .insertInto('display_names')
    .values([
      { account_id: busy, name: 'busy' },
      { ...releasedName, name: 'held-back', released_at: new Date() },
      { ...releasedName, name: 'long-free', released_at: new Date(0) },
    ])
    .execute();
  for (const [index, day] of ['2020-06-13', '2020-06-14', '2020-06-15'].entries())
    await addDailyUsage(db, day, [{ accountId: idle, metrics: 0, responses: 10 ** index }]);
  const query = { day: '2020-06-15', quarantineDays: 0, limit: 1, accountId: idle };
  // Usage is the sum of that day and the day before.
  expect(await listUsage(db, query)).toMatchObject([{ response_bytes: 110 }]);
  const trustingSettings = { ...settings, TRUST_ACCOUNTS: 'true' };
  const { service } = (await runJson(trustingSettings, 'status')) as Status;
  expect(service!.accounts.usage.map(({ account_id }) => account_id)).toEqual([busy, idle]);
  const { stdout } = await runCommand(trustingSettings, 'status', '--accounts', '1');
  const table = stdout.slice(stdout.indexOf('Account  '));
  expect(table.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    [
      ...['Account', 'Display name', 'Metrics today', 'Stored responses', 'Pictures'],
      ...['Events', 'Projects', 'Keys', 'Names held back', 'Name changes today'],
    ],
    ['allowed', '-', '10000.0 MB', '-', '50.0 MB', '-', '100', '50', '-', '-'],
    [busy, 'busy', '1.0 MB', '0.0 MB', '0.0 MB', '0', '1', '1', '1', '2'],
    [''],
  ]);
});
