import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { send } from '../support/call.ts';
import { countBy, startTwoServers, type TwoServers } from './support/two-servers.ts';

let servers: TwoServers;
beforeAll(async () => {
  servers = await startTwoServers();
});
afterAll(() => servers.close());

it.each([
  ['POST /site/toggle-site-visibility', undefined, 200],
  ['POST /account/update-display-name', { display_name: 'only-once' }, 200],
  ['POST /account/update-display-name', { display_name: 'admin' }, 409],
  ['POST /stats/ingest-metrics', { payload: { visit: 1 } }, 200],
] as const)('50 parallel repeats of %s %j are done once', async (endpoint, body, status) => {
  const [account] = await servers.createAccounts(1);
  const projectId = await servers.first.createProject(account!);
  const payload = body && 'payload' in body ? { ...body, projectId } : body;

  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      send(servers.either(index), account!, endpoint, payload, { 'idempotency-key': 'k-1' }),
    ),
  );

  expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body]))).size).toBe(
    1,
  );
  expect(answers[0]!.status).toBe(status);
  expect(countBy(answers.map(({ headers }) => headers['idempotent-replayed']))).toEqual(
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
    events: endpoint.endsWith('name') && status === 200 ? [{ type: 'display_name_updated' }] : [],
    site: { enabled: endpoint.endsWith('visibility') },
  });
});

it('repeats with different keys are done each', async () => {
  const [account] = await servers.createAccounts(1);
  const answers = await Promise.all(
    Array.from({ length: 21 }, (_, index) =>
      send(servers.either(index), account!, 'POST /site/toggle-site-visibility', undefined, {
        'idempotency-key': `k-${index}`,
      }),
    ),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  const { body } = await send(servers.second, account!, 'GET /site/get-site-status');
  expect(body).toEqual({ enabled: true });
});

it('a repeat waits for a first request that takes longer than a lock may be waited for', async () => {
  const [account] = await servers.createAccounts(1);
  const { db } = servers.first.database;
  await sql`CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(3); RETURN NEW; END $$`.execute(db);
  await sql`CREATE TRIGGER dawdle BEFORE INSERT ON sites FOR EACH ROW
    WHEN (NEW.bio = 'slow') EXECUTE FUNCTION dawdle()`.execute(db);
  const answers = await Promise.all(
    [0, 1].map((index) =>
      send(
        servers.either(index),
        account!,
        'POST /site/update-site-configuration',
        { bio: 'slow' },
        { 'idempotency-key': 'k' },
      ),
    ),
  );
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [200, { success: true }],
    [200, { success: true }],
  ]);
  expect(countBy(answers.map(({ headers }) => headers['idempotent-replayed']))).toEqual(
    new Map([
      [undefined, 1],
      ['true', 1],
    ]),
  );
});
