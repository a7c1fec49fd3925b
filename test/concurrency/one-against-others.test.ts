import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TestResponse, send } from '../support/call.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  type TestDatabase,
} from '../support/test-database.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';

let outside: TestDatabase;
let server: TestApp;
let greedy: TestAccount;
let other: TestAccount;
let projects: { greedy: string; other: string };
beforeEach(async () => {
  const url = await createPostgresDatabase('nameplate_template');
  outside = connectPostgresDatabase(url);
  server = await startTestApp({}, connectPostgresDatabase(url));
  [greedy, other] = [await server.createAccount(), await server.createAccount()];
  projects = {
    greedy: await server.createProject(greedy),
    other: await server.createProject(other),
  };
  await callEverything();
});
afterEach(async () => {
  await server.close();
  await outside.close();
});

const OVERLOADED = { error: 'The service is overloaded. Try again in a moment.' };
const AUTHENTICATED = { 'idempotency-key': 'one-of-another' };
const LARGE = 'x'.repeat(900_000);

let calls = 0;
/** Calls every endpoint in sequence as the other account, and returns the responses. */
async function callEverything(): Promise<TestResponse[]> {
  calls += 1;
  const metric = { projectId: projects.other, payload: { calls } };
  const replies: TestResponse[] = [];
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
    replies.push(await send(server, other, endpoint, body, headers));
  return replies;
}

function many(
  count: number,
  ask: (index: number) => Promise<TestResponse>,
): Promise<TestResponse>[] {
  return Array.from({ length: count }, (_, index) => ask(index));
}

const toggle = (headers?: Record<string, string>) =>
  send(server, greedy, 'POST /site/toggle-site-visibility', undefined, headers);
const rename = (name: string) =>
  send(server, greedy, 'POST /account/update-display-name', { display_name: name });
/** A body of nearly a megabyte, most of it ignored. */
const update = () =>
  send(server, greedy, 'POST /site/update-site-configuration', { bio: 'busy', rest: LARGE });
const ingest = (payload: Record<string, unknown>, headers?: Record<string, string>) =>
  send(
    server,
    greedy,
    'POST /stats/ingest-metrics',
    { projectId: projects.greedy, payload },
    headers,
  );

/** Requests that one account can block by locking its own rows. */
const ways: [string, string, () => Promise<TestResponse>[]][] = [
  ['toggles', 'accounts', () => many(300, () => toggle())],
  ['repeats with one key', 'accounts', () => many(300, () => toggle(AUTHENTICATED))],
  [
    'writes with a key each',
    'accounts',
    () => many(300, (n) => toggle({ 'idempotency-key': `${n}` })),
  ],
  ['changes of its name', 'accounts', () => many(100, (n) => rename(`greedy-${n}`))],
  ['large updates of its site', 'accounts', () => many(100, update)],
  [
    'metrics with a key each',
    'projects',
    () => many(300, (n) => ingest({ n }, { 'idempotency-key': `${n}` })),
  ],
  ['large metrics', 'projects', () => many(100, (n) => ingest({ n, LARGE }))],
];

it.each(ways)(
  "while all of one account's %s wait, the other account gets responses",
  async (_what, table, flood) => {
    const rows: RawBuilder<unknown> =
      table === 'accounts'
        ? sql`SELECT FROM accounts WHERE id = ${greedy.id} FOR UPDATE`
        : sql`SELECT FROM projects WHERE id = ${projects.greedy} FOR UPDATE`;
    let answered = 0;
    const { flooding, replies } = await outside.db.transaction().execute(async (trx) => {
      await rows.execute(trx);
      const all = flood();
      for (const reply of all)
        void reply.then(({ status }) => {
          if (status === 200) answered += 1;
        });
      await waitForBlockedQuery(trx);
      const before = answered;
      const calm = [...(await callEverything()), ...(await callEverything())];
      expect(before).toBe(0);
      expect(answered).toBe(0);
      return { flooding: all, replies: calm };
    });
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    for (const { status, body, headers } of await Promise.all(flooding))
      if (status !== 200)
        expect([status, body, headers['retry-after']]).toEqual([503, OVERLOADED, '1']);
    expect(answered).toBeGreaterThan(0);
  },
);

it.each([
  ['GET /stats/get-projects', 700],
  ['POST /site/toggle-site-visibility', 200],
] as const)(
  "few of one account's many %s are served before a request of the other account",
  async (endpoint, count) => {
    let answered = 0;
    const flooding = many(count, () => send(server, greedy, endpoint));
    for (const reply of flooding) void reply.then(() => (answered += 1));
    for (let call = 0; call < 2; call += 1) {
      const before = answered;
      expect(await send(server, other, endpoint)).toMatchObject({ status: 200 });
      expect(answered - before).toBeLessThan(count / 2);
    }
    for (const { status } of await Promise.all(flooding)) expect(status).toBe(200);
  },
);
