import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inTransaction } from '#db/connections/transaction.ts';
import { listEvents } from '#db/queries/events.ts';
import { startTwoServers } from '../concurrency/support/two-servers.ts';
import { send } from '../support/call.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { eventually } from '../support/eventually.ts';
import { errorText } from '../support/expected-responses.ts';
import { failWrites } from '../support/fail-writes.ts';
import { startTestApp, type TestAccount } from '../support/test-app.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { useServer } from '../support/use-server.ts';

const INGEST = 'POST /stats/ingest-metrics';
const TOGGLE = 'POST /site/toggle-site-visibility';
const SEND_ENDPOINT = 'POST /hooks/send-chat-webhook';
const RENAME = 'POST /account/update-display-name';
const webhookUrl = 'https://discord.com/api/webhooks/1/token';
const MESSAGE = { webhookUrl, payload: { content: 'Hello!' } };
const NOON = new Date('2026-11-20T12:00:00Z');
const NEXT_DAY = new Date('2026-11-21T00:00:00Z');
const limited = (text: string) => ({
  ...errorText(429, text),
  headers: { 'retry-after': '43200' },
});
const ALLOWANCE_EXCEEDED = limited(
  'This account has reached its daily limit of metrics. Try again in 12 hours.',
);
const STORED_RESPONSES_FULL = limited(
  'This account has reached its limit of stored responses. Try again in 12 hours, or send the request without an Idempotency-Key.',
);
const INGESTED = { status: 200, body: { message: 'The metric was ingested.' } };

/** Counts as 600 bytes: its JSON and 100. */
const LARGE_PAYLOAD = { text: 'x'.repeat(500 - JSON.stringify({ text: '' }).length) };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
});
afterEach(() => {
  vi.useRealTimers();
});

let messageCount = 0;
let account: TestAccount;
let projectId: string;
const { server } = useServer({
  allowances: { metricBytesPerDay: 1_000, storedResponseByteLimit: 600, eventLimit: 3 },
  chat: {
    deliver: async (_context, { messageId }, record) =>
      record(async () => messageId ?? String((messageCount += 1))),
  },
});
beforeEach(async () => {
  account = await server.createAccount();
  projectId = await server.createProject(account);
});

async function countMetrics(): Promise<number> {
  const query = server.db.selectFrom('metrics').select('id');
  return (await query.where('project_id', '=', projectId).execute()).length;
}

const ingest = (payload: object, key?: string) =>
  send(server, account, INGEST, { projectId, payload }, key ? { 'idempotency-key': key } : {});

it('metrics are refused when an account exceeds its bytes per day, until the next day', async () => {
  expect(await ingest(LARGE_PAYLOAD)).toMatchObject(INGESTED);
  expect(await ingest(LARGE_PAYLOAD, 'second')).toMatchObject(INGESTED);
  expect(await ingest({})).toMatchObject(ALLOWANCE_EXCEEDED);
  expect(await ingest({}, 'third')).toMatchObject(ALLOWANCE_EXCEEDED);
  // A retry stores nothing.
  expect(await ingest(LARGE_PAYLOAD, 'second')).toMatchObject(INGESTED);
  expect(await countMetrics()).toBe(2);
  const otherAccount = await server.createAccount();
  const otherMetric = { projectId: await server.createProject(otherAccount), payload: {} };
  expect(await send(server, otherAccount, INGEST, otherMetric)).toMatchObject(INGESTED);

  vi.setSystemTime(NEXT_DAY);
  expect(await ingest({})).toMatchObject(INGESTED);
  const { headers, ...response } = await ingest({}, 'third');
  expect(response).toMatchObject(INGESTED);
  expect(headers).not.toHaveProperty('idempotent-replayed');
  expect(await countMetrics()).toBe(4);
});

it("metrics refused for another account's project do not count", async () => {
  const metric = projectId;
  const otherMetric = await server.createProject(await server.createAccount());
  projectId = otherMetric;
  for (let index = 0; index < 3; index += 1)
    expect(await ingest(LARGE_PAYLOAD)).toMatchObject({ status: 403 });
  projectId = metric;
  expect(await ingest(LARGE_PAYLOAD)).toMatchObject(INGESTED);
});

it('metrics refused after midnight are taken back from the day before', async () => {
  const ownProject = projectId;
  projectId = await server.createProject(await server.createAccount());
  const refused = await inTransaction(server.db, async (trx) => {
    await sql`LOCK TABLE metrics`.execute(trx);
    const response = ingest(LARGE_PAYLOAD);
    await waitForBlockedQuery(trx);
    vi.setSystemTime(NEXT_DAY);
    return { response };
  });
  expect(await refused.response).toMatchObject({ status: 403 });
  projectId = ownProject;
  const responses = [await ingest(LARGE_PAYLOAD), await ingest(LARGE_PAYLOAD), await ingest({})];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
});

it('metrics of the day before are saved by the flush of a stopping server, too', async () => {
  const { dailyUsage } = server.nameplate;
  const takeBack = dailyUsage.add(account.id, 'metrics', 600);
  await dailyUsage.flush();
  vi.setSystemTime(NEXT_DAY);
  expect(dailyUsage.isBelowLimit(account.id, 'metrics')).toBe(true);
  takeBack();
  await dailyUsage.flush();
  const days =
    await server.sql`SELECT metric_bytes FROM daily_usage WHERE account_id = ${account.id}`;
  expect(days).toEqual([{ metric_bytes: '0' }]);
});

it('metrics are counted in the database although a write of their bytes failed', async () => {
  const repair = await failWrites(server.db, 'INSERT daily_usage', account.id);
  expect(await ingest(LARGE_PAYLOAD)).toMatchObject(INGESTED);
  await eventually(
    () => JSON.stringify(server.log),
    (log) => log.includes('broken on purpose'),
  );
  await repair();
  await eventually(
    () => server.sql`SELECT metric_bytes FROM daily_usage WHERE account_id = ${account.id}`,
    ([row]) => isDeepStrictEqual(row, { metric_bytes: '600' }),
  );
});

it('metrics sent concurrently are refused at exactly the same limit', async () => {
  const responses = await Promise.all(Array.from({ length: 10 }, () => ingest(LARGE_PAYLOAD)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([
    ...[200, 200],
    ...Array.from({ length: 8 }, () => 429),
  ]);
  expect(await countMetrics()).toBe(2);
});

it('metrics are counted across all servers', async () => {
  const servers = await startTwoServers({ allowances: { metricBytesPerDay: 5_000 } });
  const [sharedAccount] = await servers.createAccounts(1);
  const project = await servers.first.createProject(sharedAccount!);
  const metric = (payload: object) => ({ projectId: project, payload });
  for (let index = 0; index < 9; index += 1)
    expect(await send(servers.first, sharedAccount!, INGEST, metric(LARGE_PAYLOAD))).toMatchObject(
      index * 600 < 5_000 ? INGESTED : ALLOWANCE_EXCEEDED,
    );
  await eventually(
    () => send(servers.second, sharedAccount!, INGEST, metric({})),
    ({ status }) => status === 429,
  );
  await servers.close();
});

it('metrics are saved to the database when a server stops', async () => {
  const database = await openTestDatabase();
  const stoppingServer = await startTestApp({}, database);
  const owner = await stoppingServer.createAccount();
  const metric = { projectId: await stoppingServer.createProject(owner), payload: LARGE_PAYLOAD };
  for (let index = 0; index < 3; index += 1)
    expect(await send(stoppingServer, owner, INGEST, metric)).toMatchObject(INGESTED);
  await stoppingServer.nameplate.close();
  const days = await database.db.selectFrom('daily_usage').selectAll().execute();
  expect(days).toMatchObject([{ account_id: owner.id, metric_bytes: '1800', response_bytes: '0' }]);
  await database.close();
});

const idempotencyHeaders = (key: string) => ({ 'idempotency-key': key });

it('stored responses have a limit: new idempotency keys are refused, stored ones still work, requests without a key are unaffected', async () => {
  const toggle = (key: string) => send(server, account, TOGGLE, undefined, idempotencyHeaders(key));
  const keys = ['a', 'b', 'c', 'd'];
  const responses = [];
  for (const key of keys) responses.push(await toggle(key));
  expect(responses.slice(0, 3).map(({ body }) => body)).toEqual(
    [true, false, true].map((newStatus) => ({ success: true, newStatus })),
  );
  expect(responses[3]).toMatchObject(STORED_RESPONSES_FULL);
  expect(await toggle('a')).toMatchObject({ status: 200, text: responses[0]!.text });
  expect(await send(server, account, TOGGLE)).toMatchObject({
    body: { success: true, newStatus: false },
  });
  const other = await server.createAccount();
  expect(await send(server, other, TOGGLE, undefined, idempotencyHeaders('d'))).toMatchObject({
    status: 200,
  });
});

it('stored responses count only when they are committed', async () => {
  const toggle = (key: string) => send(server, account, TOGGLE, undefined, idempotencyHeaders(key));
  await server.sql`CREATE FUNCTION refuse_commit() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN RAISE EXCEPTION ''broken on purpose''; END'`;
  await server.sql`CREATE CONSTRAINT TRIGGER refuse_commit AFTER INSERT OR UPDATE ON sites
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_commit()`;
  for (const key of ['a', 'b', 'c', 'd']) expect(await toggle(key)).toMatchObject({ status: 500 });
  await server.sql`DROP FUNCTION refuse_commit CASCADE`;
  for (const key of ['a', 'b', 'c']) expect(await toggle(key)).toMatchObject({ status: 200 });
  expect(await toggle('d')).toMatchObject(STORED_RESPONSES_FULL);
});

it('stored responses include keys of metrics, which count as 170 bytes however long they are', async () => {
  const ingestWith = (key: string) =>
    send(server, account, INGEST, { projectId, payload: {} }, idempotencyHeaders(key.repeat(200)));
  for (const key of ['a', 'b', 'c', 'd']) expect(await ingestWith(key)).toMatchObject(INGESTED);
  expect(await ingestWith('e')).toMatchObject(STORED_RESPONSES_FULL);
  expect((await ingestWith('a')).headers).toMatchObject({ 'idempotent-replayed': 'true' });
  expect(await countMetrics()).toBe(4);
});

it('stored responses refuse a message before it is sent if its response cannot be stored', async () => {
  const sent = messageCount;
  const post = (key: string) =>
    send(server, account, SEND_ENDPOINT, MESSAGE, idempotencyHeaders(key));
  for (const key of ['a', 'b', 'c']) expect(await post(key)).toMatchObject({ status: 200 });
  expect(await post('d')).toMatchObject(STORED_RESPONSES_FULL);
  expect(messageCount).toBe(sent + 3);
  // A server may save a day's counts on the next day.
  vi.setSystemTime(new Date(NEXT_DAY.getTime() + 86_400_000));
  expect(await post('d')).toMatchObject({ status: 200 });
  expect(messageCount).toBe(sent + 4);
});

it('events of an account are limited; the latest are kept', async () => {
  for (let index = 0; index < 5; index += 1)
    await send(server, account, RENAME, { display_name: `${account.id}-${index}` });
  await send(server, account, SEND_ENDPOINT, MESSAGE);
  const events = await listEvents(server.db, account.id, { limit: 10 });
  expect(events.map(({ type, detail }) => [type, detail['to']])).toEqual([
    ['chat_message_sent', undefined],
    ['display_name_updated', `${account.id}-4`],
    ['display_name_updated', `${account.id}-3`],
  ]);
});

describe('names', () => {
  let owner: TestAccount;
  const { server: serverWithLimit } = useServer({
    allowances: { quarantinedNameLimit: 2, nameChangesPerDay: 5 },
  });
  beforeEach(async () => {
    owner = await serverWithLimit.createAccount();
  });

  const claimName = (name: string, key?: string) =>
    send(
      serverWithLimit,
      owner,
      RENAME,
      { display_name: `${name}-${owner.id}` },
      key ? { 'idempotency-key': key } : {},
    );

  it('names can be changed a limited number of times a day; changes to the same name do not count', async () => {
    for (const name of ['a', 'b', 'b', 'c', 'd']) expect((await claimName(name)).status).toBe(200);
    const reserved = await send(serverWithLimit, owner, RENAME, { display_name: 'admin' });
    expect(reserved.status).toBe(409);
    expect((await claimName('e')).status).toBe(200);
    const refusal = limited('An account can change its name 5 times a day. Try again in 12 hours.');
    expect(await claimName('f')).toMatchObject(refusal);
    expect(await claimName('f', 'key')).toMatchObject(refusal);
    expect((await claimName('e')).status).toBe(200);
    vi.setSystemTime(NEXT_DAY);
    expect((await claimName('f', 'key')).status).toBe(200);
  });

  it('names in quarantine are limited per account', async () => {
    vi.useRealTimers();
    await owner.client.site.toggleSiteVisibility();
    for (const name of ['a', 'b', 'c']) expect((await claimName(name)).status).toBe(200);
    const { status, body, headers } = await claimName('d');
    expect({ status, body }).toEqual(
      errorText(
        429,
        'Too many former names are held back for this account. Change back to one of them, or try again in 30 days.',
      ),
    );
    const days = Number(headers['retry-after']) / 86_400;
    expect(days).toBeGreaterThan(29);
    expect(days).toBeLessThanOrEqual(30);
    expect(await owner.client.account.getDisplayName()).toEqual({ display_name: `c-${owner.id}` });
    expect((await claimName('a')).status).toBe(200);
    await serverWithLimit.sql`UPDATE display_names SET released_at = ${new Date(Date.now() - 31 * 86_400_000)}
      WHERE name = ${`b-${owner.id}`}`;
    expect((await claimName('d')).status).toBe(200);
  });
});
