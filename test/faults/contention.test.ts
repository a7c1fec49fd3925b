import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { send } from '../support/call.ts';
import { insertTestAccount, startTestApp } from '../support/test-app.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  LONG_TIME_LIMITS,
} from '../support/test-database.ts';

it.each([
  ['lock_timeout', { lock_timeout: 100 }],
  ['statement_timeout', { statement_timeout: 100 }],
])('a write whose %s has expired gets 503 with Retry-After', async (_which, timeLimit) => {
  const url = await createPostgresDatabase('nameplate_template');
  const timeLimits = { ...LONG_TIME_LIMITS, ...timeLimit };
  const server = await startTestApp({}, connectPostgresDatabase(url, { timeLimits }));
  const lockSession = connectPostgresDatabase(url);
  const account = await insertTestAccount(lockSession.db);
  const write = () =>
    send(server, account, 'POST /email-forwarding/email-forwarding-toggle', { enabled: false });
  await lockSession.db.transaction().execute(async (trx) => {
    await sql`SELECT FROM forwarding_settings WHERE account_id = ${account.id} FOR UPDATE`.execute(
      trx,
    );
    const { status, body, headers } = await write();
    expect({ status, body }).toEqual({
      status: 503,
      body: { error: 'The service is overloaded. Try again in a moment.' },
    });
    expect(headers['retry-after']).toBe('1');
  });
  expect((await write()).status).toBe(200);
  await lockSession.close();
  await server.close();
});
