import { sql } from 'kysely';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { call, send } from '../support/call.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { eventually } from '../support/eventually.ts';
import { startTestApp, type TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const MAX_STATEMENTS = 20;

let accounts: TestAccount[];
const { server } = useServer();
beforeAll(async () => {
  accounts = await Promise.all(Array.from({ length: 20 }, server.createAccount));
  for (const [index, { client }] of accounts.entries()) {
    if (index === 0) continue;
    await client.account.updateDisplayName({ display_name: `name-${index}` });
    await client.site.updateSiteConfiguration({
      bio: `bio ${index}`,
      blocks: [{ type: 'text', content: `text ${index}` }],
    });
  }
});

const readStatus = (key: string) => call(server.app, { path: '/site/get-site-status', key });

it('a server records the last use of many keys with one statement at a time', async () => {
  const { db } = server;
  const callers = await Promise.all(Array.from({ length: 100 }, server.createAccount));
  await db.transaction().execute(async (trx) => {
    // The first write waits for this lock, and the others wait for the first write.
    await sql`LOCK TABLE api_keys IN SHARE MODE`.execute(trx);
    for (const { status } of await Promise.all(callers.map(({ key }) => readStatus(key))))
      expect(status).toBe(200);
    await waitForBlockedQuery(db);
    const { rows } = await sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
    expect(rows).toHaveLength(1);
  });
  await eventually(async () => {
    const ids = callers.map(({ id }) => id);
    const uses = await db
      .selectFrom('api_keys')
      .select('last_used_at')
      .where('account_id', 'in', ids)
      .execute();
    for (const { last_used_at } of uses) expect(last_used_at).toBeInstanceOf(Date);
  });
});

it('the last use of a key is stored before the server has stopped', async () => {
  const stopping = await startTestApp();
  onTestFinished(() => stopping.close());
  const { client } = await stopping.createAccount();
  await client.account.getDisplayName();
  await stopping.nameplate.close();
  const [key] = await stopping.sql`SELECT last_used_at FROM api_keys`;
  expect(key).toEqual({ last_used_at: expect.any(Date) as Date });
});

it.each([
  ['/account/get-display-name', (n: number) => ({ display_name: n ? `name-${n}` : '' })],
  [
    '/site/get-site-configuration',
    (n: number) => ({
      site: { bio: n ? `bio ${n}` : null },
      blocks: n ? [{ type: 'text', content: `text ${n}` }] : [],
    }),
  ],
] as const)(
  'concurrent reads of %s need a few statements, and each account gets its own',
  async (path, bodyOf) => {
    const before = server.queryCount();
    const readers = [...accounts, ...accounts, ...accounts];
    const responses = await Promise.all(
      readers.map((account) => send(server, account, `GET ${path}`)),
    );
    expect(responses.map(({ body }) => body)).toMatchObject(
      readers.map((_reader, index) => bodyOf(index % accounts.length)),
    );
    expect(server.queryCount() - before).toBeLessThan(MAX_STATEMENTS);
  },
);
