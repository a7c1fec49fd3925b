import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TestResponse, send } from '../support/call.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  type TestDatabase,
} from '../support/test-database.ts';

let separateConnections: TestDatabase;
let server: TestApp;
let busy: TestAccount;
let other: TestAccount;
let projects: { busy: string; other: string };
beforeEach(async () => {
  const url = await createPostgresDatabase('nameplate_template');
  separateConnections = connectPostgresDatabase(url);
  server = await startTestApp({}, connectPostgresDatabase(url));
  [busy, other] = [await server.createAccount(), await server.createAccount()];
  projects = {
    busy: await server.createProject(busy),
    other: await server.createProject(other),
  };
  await callEveryEndpoint();
});
afterEach(async () => {
  await server.close();
  await separateConnections.close();
});

const OVERLOADED = { error: 'The service is overloaded. Try again in a moment.' };
const SAME_KEY = { 'idempotency-key': 'same' };
const LARGE = 'x'.repeat(900_000);

let calls = 0;
async function callEveryEndpoint(): Promise<TestResponse[]> {
  calls += 1;
  const metric = { projectId: projects.other, payload: { calls } };
  const responses: TestResponse[] = [];
  for (const [endpoint, body, headers] of [
    ['POST /account/update-display-name', { display_name: `other-${calls}` }],
    ['GET /account/get-display-name'],
    ['POST /site/update-site-configuration', { bio: 'calm', blocks: [] }],
    ['GET /site/get-site-configuration'],
    ['POST /site/toggle-site-visibility'],
    ['POST /site/toggle-site-visibility', undefined, { 'idempotency-key': `toggle-${calls}` }],
    ['GET /site/get-site-status'],
    [
      'POST /email-forwarding/email-forwarding-toggle',
      { enabled: true, email: 'jane@example.com' },
    ],
    ['GET /stats/get-projects'],
    ['POST /stats/ingest-metrics', metric],
    ['POST /stats/ingest-metrics', metric, { 'idempotency-key': `metric-${calls}` }],
  ] as const)
    responses.push(await send(server, other, endpoint, body, headers));
  return responses;
}

function sendMany(
  count: number,
  sendRequest: (index: number) => Promise<TestResponse>,
): Promise<TestResponse>[] {
  return Array.from({ length: count }, (_, index) => sendRequest(index));
}

const toggle = (headers?: Record<string, string>) =>
  send(server, busy, 'POST /site/toggle-site-visibility', undefined, headers);
const rename = (name: string) =>
  send(server, busy, 'POST /account/update-display-name', { display_name: name });
/** Sends nearly a megabyte, most of it in a field that the server ignores. */
const update = () =>
  send(server, busy, 'POST /site/update-site-configuration', { bio: 'busy', rest: LARGE });
const ingest = (payload: Record<string, unknown>, headers?: Record<string, string>) =>
  send(server, busy, 'POST /stats/ingest-metrics', { projectId: projects.busy, payload }, headers);

/** Requests of one account that wait while its row in the given table is locked. */
const FLOODS: [string, string, () => Promise<TestResponse>[]][] = [
  ['toggles', 'accounts', () => sendMany(300, () => toggle())],
  ['repeats with one key', 'accounts', () => sendMany(300, () => toggle(SAME_KEY))],
  [
    'writes with a key each',
    'accounts',
    () => sendMany(300, (n) => toggle({ 'idempotency-key': `${n}` })),
  ],
  ['changes of its name', 'accounts', () => sendMany(100, (n) => rename(`greedy-${n}`))],
  ['large updates of its site', 'accounts', () => sendMany(100, update)],
  [
    'metrics with a key each',
    'projects',
    () => sendMany(300, (n) => ingest({ n }, { 'idempotency-key': `${n}` })),
  ],
  ['large metrics', 'projects', () => sendMany(100, (n) => ingest({ n, LARGE }))],
];

it.each(FLOODS)(
  "while one account's %s all wait, another account gets responses",
  async (_what, table, startFlood) => {
    const rows: RawBuilder<unknown> =
      table === 'accounts'
        ? sql`SELECT FROM accounts WHERE id = ${busy.id} FOR UPDATE`
        : sql`SELECT FROM projects WHERE id = ${projects.busy} FOR UPDATE`;
    let successes = 0;
    const { floodResponses, responses } = await separateConnections.db
      .transaction()
      .execute(async (trx) => {
        await rows.execute(trx);
        const pending = startFlood();
        for (const response of pending)
          void response.then(({ status }) => {
            if (status === 200) successes += 1;
          });
        await waitForBlockedQuery(trx);
        const before = successes;
        const otherResponses = [...(await callEveryEndpoint()), ...(await callEveryEndpoint())];
        expect(before).toBe(0);
        expect(successes).toBe(0);
        return { floodResponses: pending, responses: otherResponses };
      });
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    for (const { status, body, headers } of await Promise.all(floodResponses))
      if (status !== 200)
        expect([status, body, headers['retry-after']]).toEqual([503, OVERLOADED, '1']);
    expect(successes).toBeGreaterThan(0);
  },
);
