import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { send, type TestResponse } from '../support/call.ts';
import { useTwoServers } from './support/two-servers.ts';

const servers = useTwoServers();

const countReplays = (responses: TestResponse[]) =>
  responses.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length;

it.each([
  ['POST /site/toggle-site-visibility', undefined, 200],
  ['POST /account/update-display-name', { display_name: 'admin' }, 409],
  ['POST /stats/ingest-metrics', { payload: { visit: 1 } }, 200],
] as const)('50 parallel requests with one key run once: %s %j', async (endpoint, body, status) => {
  const [account] = await servers.createAccounts(1);
  const projectId = await servers.first.createProject(account!);
  const payload = body && 'payload' in body ? { ...body, projectId } : body;

  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      send(servers.serverAt(index), account!, endpoint, payload, { 'idempotency-key': 'k-1' }),
    ),
  );

  const { body: expectedBody } = responses[0]!;
  for (const response of responses) expect(response).toMatchObject({ status, body: expectedBody });
  expect(countReplays(responses)).toBe(49);
  const { db } = servers.first;
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
    events: endpoint.endsWith('visibility') ? [{ type: 'page_visibility_changed' }] : [],
    site: { enabled: endpoint.endsWith('visibility') },
  });
});

it('a retry waits for the first request for longer than the lock timeout', async () => {
  const [account] = await servers.createAccounts(1);
  const { db } = servers.first;
  await sql`CREATE FUNCTION sleep_3s() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(3); RETURN NEW; END $$`.execute(db);
  await sql`CREATE TRIGGER sleep_3s BEFORE INSERT ON sites FOR EACH ROW
    WHEN (NEW.bio = 'slow') EXECUTE FUNCTION sleep_3s()`.execute(db);
  const path = 'POST /site/update-site-configuration';
  const key = { 'idempotency-key': 'k' };
  const responses = await Promise.all(
    [0, 1, 1].map((index) => send(servers.serverAt(index), account!, path, { bio: 'slow' }, key)),
  );
  for (const response of responses)
    expect(response).toMatchObject({ status: 200, body: { success: true } });
  expect(countReplays(responses)).toBe(2);
});
