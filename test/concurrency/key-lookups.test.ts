import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { call } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { useServer } from '../support/use-server.ts';

describe('a server', () => {
  const { server } = useServer();
  const readStatus = (key: string) => call(server.app, { path: '/site/get-site-status', key });

  it('looks up a key with few statements for 800 concurrent reads', async () => {
    const { key } = await server.createAccount();
    const before = server.queryCount();
    const responses = await Promise.all(Array.from({ length: 800 }, () => readStatus(key)));
    for (const { status, body } of responses)
      expect({ status, body }).toEqual({ status: 200, body: { enabled: false } });
    expect(server.queryCount() - before).toBeLessThan(800 + 50);
  });

  it('records the last use of many keys with one statement at a time', async () => {
    const { db } = server.database;
    const accounts = await Promise.all(Array.from({ length: 100 }, server.createAccount));
    await db.transaction().execute(async (trx) => {
      // The first write waits for this lock, and the others wait for the first write.
      await sql`LOCK TABLE api_keys IN SHARE MODE`.execute(trx);
      for (const { status } of await Promise.all(accounts.map(({ key }) => readStatus(key))))
        expect(status).toBe(200);
      await waitForBlockedQuery(db);
      const { rows } = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
      expect(rows).toHaveLength(1);
    });
    await eventually(async () => {
      const ids = accounts.map(({ id }) => id);
      const uses = await db
        .selectFrom('api_keys')
        .select('last_used_at')
        .where('account_id', 'in', ids)
        .execute();
      for (const { last_used_at } of uses) expect(last_used_at).toBeInstanceOf(Date);
    });
  });
});
