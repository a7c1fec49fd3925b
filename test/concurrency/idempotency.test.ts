import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { countOccurrences, useTwoServers } from './support/two-servers.ts';

const servers = useTwoServers();

it.each([
  ['POST /site/toggle-site-visibility', undefined, 200],
  ['POST /account/update-display-name', { display_name: 'only-once' }, 200],
  ['POST /account/update-display-name', { display_name: 'admin' }, 409],
  ['POST /stats/ingest-metrics', { payload: { visit: 1 } }, 200],
] as const)(
  '50 parallel requests with one key are executed once: %s %j',
  async (endpoint, body, status) => {
    const [account] = await servers.createAccounts(1);
    const projectId = await servers.first.createProject(account!);
    const payload = body && 'payload' in body ? { ...body, projectId } : body;

    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        send(servers.serverAt(index), account!, endpoint, payload, { 'idempotency-key': 'k-1' }),
      ),
    );

    expect(
      new Set(responses.map(({ status: actual, body: text }) => JSON.stringify([actual, text])))
        .size,
    ).toBe(1);
    expect(responses[0]!.status).toBe(status);
    expect(
      countOccurrences(responses.map(({ headers }) => headers['idempotent-replayed'])),
    ).toEqual(
      new Map([
        [undefined, 1],
        ['true', 49],
      ]),
    );
    const { db } = servers.first.database;
    const metrics = await db
      .selectFrom('metrics')
      .select('payload')
      .where('project_id', '=', projectId)
      .execute();
    const events = await db
      .selectFrom('events')
      .select('type')
      .where('account_id', '=', account!.id)
      .execute();
    const { body: site } = await send(servers.second, account!, 'GET /site/get-site-status');
    expect({ metrics, events, site }).toEqual({
      metrics: endpoint.endsWith('metrics') ? [{ payload: { visit: 1 } }] : [],
      events: endpoint.endsWith('visibility')
        ? [{ type: 'page_visibility_changed' }]
        : endpoint.endsWith('name') && status === 200
          ? [{ type: 'display_name_updated' }]
          : [],
      site: { enabled: endpoint.endsWith('visibility') },
    });
  },
);

it.each([0, 1])('retries on server %i wait for the first request', async (server) => {
  const [account] = await servers.createAccounts(1);
  const { db } = servers.first.database;
  const toggle = (index: number) =>
    send(servers.serverAt(index), account!, 'POST /site/toggle-site-visibility', undefined, {
      'idempotency-key': 'one',
    });
  await send(servers.second, account!, 'GET /site/get-site-status');
  const { first, repeats } = await db.transaction().execute(async (trx) => {
    await sql`SELECT FROM accounts WHERE id = ${account!.id} FOR UPDATE`.execute(trx);
    const running = toggle(0);
    await waitForBlockedQuery(db);
    const waiting = Array.from({ length: 50 }, () => toggle(server));
    await eventually(
      () => countLockWaiters(db),
      (count) => count > 1,
    );
    return { first: running, repeats: waiting };
  });
  expect(await first).toMatchObject({ status: 200, body: { success: true, newStatus: true } });
  for (const response of await Promise.all(repeats)) {
    expect(response).toMatchObject({ status: 200, body: { success: true, newStatus: true } });
    expect(response.headers['idempotent-replayed']).toBe('true');
  }
});

async function countLockWaiters(db: ReadDatabase): Promise<number> {
  const { rows } = await sql`SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
  return rows.length;
}

it('a retry waits for the first request for longer than the lock timeout', async () => {
  const [account] = await servers.createAccounts(1);
  const { db } = servers.first.database;
  await sql`CREATE FUNCTION sleep_3s() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(3); RETURN NEW; END $$`.execute(db);
  await sql`CREATE TRIGGER sleep_3s BEFORE INSERT ON sites FOR EACH ROW
    WHEN (NEW.bio = 'slow') EXECUTE FUNCTION sleep_3s()`.execute(db);
  const responses = await Promise.all(
    [0, 1].map((index) =>
      send(
        servers.serverAt(index),
        account!,
        'POST /site/update-site-configuration',
        { bio: 'slow' },
        { 'idempotency-key': 'k' },
      ),
    ),
  );
  expect(responses.map(({ status, body }) => [status, body])).toEqual([
    [200, { success: true }],
    [200, { success: true }],
  ]);
  expect(countOccurrences(responses.map(({ headers }) => headers['idempotent-replayed']))).toEqual(
    new Map([
      [undefined, 1],
      ['true', 1],
    ]),
  );
});
