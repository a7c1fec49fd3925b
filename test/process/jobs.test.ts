import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { fetchJson, startServer } from '../support/server-process.ts';
import { insertTestAccount } from '../support/test-app.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';

it('a server runs queued jobs and schedules the recurring ones', async () => {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const { db, close } = connectPostgresDatabase(DATABASE_URL);
  onTestFinished(close);
  const { id, key } = await insertTestAccount(db);
  const settings = {
    DATABASE_URL,
    CUSTOM_DOMAIN_TARGET: 'domains.example.org',
    PUBLIC_URL: 'https://names.example.org',
  };
  const { url } = await startServer(settings);
  const { rows } = await sql`SELECT name, cron FROM pgboss.schedule ORDER BY name`.execute(db);
  expect(rows).toEqual([
    { name: 'alert-evaluation', cron: '* * * * *' },
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
