import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createTempFolder, fetchJson, startServerWithAccount } from '../support/server-process.ts';

it('a server runs queued jobs and schedules the recurring ones', async () => {
  const { url, db, id, key } = await startServerWithAccount({
    BACKUP_DIR: await createTempFolder(),
    CUSTOM_DOMAIN_TARGET: 'domains.example.org',
    PUBLIC_URL: 'https://names.example.org',
  });
  const { rows } = await sql`SELECT name, cron FROM pgboss.schedule ORDER BY name`.execute(db);
  expect(rows).toEqual([
    { name: 'alert-evaluation', cron: '* * * * *' },
    { name: 'backup', cron: '0 3 * * *' },
    { name: 'domain-check', cron: '* * * * *' },
    { name: 'maintenance', cron: '0 * * * *' },
  ]);
  const request = { key, method: 'POST', json: { confirm: id } };
  expect(await fetchJson(`${url}/owner/account/delete-account`, request)).toMatchObject({
    status: 200,
  });
  await eventually(async () =>
    expect(await db.selectFrom('accounts').select('id').execute()).toEqual([]),
  );
});
