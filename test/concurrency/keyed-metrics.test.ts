import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { REQUEST_TIME_LIMITS } from '#db/connections/postgres.ts';
import { insertMetrics } from '#db/queries/metrics.ts';
import { MetricWriter } from '#server/features/metrics/metric-writer.ts';
import { send } from '../support/call.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';
import {
  connectPostgresDatabase,
  LONG_TIME_LIMITS,
  type TestDatabase,
} from '../support/test-database.ts';
import { useTwoServers } from './support/two-servers.ts';

const PATH = '/stats/ingest-metrics';
const STORED = [200, { message: 'The metric was ingested.' }, undefined];
const REPLAYED = [200, { message: 'The metric was ingested.' }, 'true'];

type Owner = TestAccount & { projectId: string };

const servers = useTwoServers();
let separateConnections: TestDatabase;
let server: TestApp;
let secondServer: TestApp;
/** A server with the production lock timeout. */
let shortTimeoutServer: TestApp;
let jane: Owner;
let john: Owner;
beforeAll(async () => {
  ({ first: server, second: secondServer, separateConnections } = servers);
  const { lock_timeout } = REQUEST_TIME_LIMITS;
  shortTimeoutServer = await startTestApp(
    {},
    connectPostgresDatabase(separateConnections.url, {
      timeLimits: { ...LONG_TIME_LIMITS, lock_timeout },
    }),
  );
});
afterAll(() => shortTimeoutServer.close());
beforeEach(async () => {
  [jane, john] = [await createOwner(), await createOwner()];
});

async function createOwner(): Promise<Owner> {
  const account = await server.createAccount();
  const projectId = await server.createProject(account);
  // The first request records the use of the API key, so that later ones do not.
  await account.client.site.getSiteStatus();
  return { ...account, projectId };
}

async function ingest(owner: Owner, key?: string, payload: object = {}, targetServer = server) {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  const metric = { projectId: owner.projectId, payload };
  const response = await send(targetServer, owner, `POST ${PATH}`, metric, headers);
  return [response.status, response.body, response.headers['idempotent-replayed']];
}

async function readPayloads({ projectId }: Owner): Promise<unknown[]> {
  const query = separateConnections.db.selectFrom('metrics').select('payload');
  const rows = await query.where('project_id', '=', projectId).execute();
  return rows.map(({ payload }) => payload);
}

it('concurrent metrics with idempotency keys are stored by a few statements, including their responses', async () => {
  const before = server.queryCount();
  const keys = Array.from({ length: 50 }, (_, index) => `k-${index}`);
  const responses = await Promise.all(
    keys.map((key, index) => ingest(index % 2 ? jane : john, key, { index })),
  );
  expect(responses).toEqual(keys.map(() => STORED));
  expect(server.queryCount() - before).toBeLessThan(10);
  expect(await readPayloads(jane)).toHaveLength(25);
  const repeats = await Promise.all(
    keys.map((key, index) => ingest(index % 2 ? jane : john, key, { index }, secondServer)),
  );
  expect(repeats).toEqual(keys.map(() => REPLAYED));
  expect(await readPayloads(jane)).toHaveLength(25);
});

it('each metric of a group has its own result', async () => {
  const janeInJohnsProject = { ...jane, projectId: john.projectId };
  for (const key of ['same', 'changed', 'expired']) await ingest(jane, key);
  await separateConnections.db
    .updateTable('metric_keys')
    .set({ created_at: sql<Date>`now() - interval '24 hours 1 second'` })
    .where('account_id', '=', jane.id)
    .where('key_hash', '=', hash('sha256', 'expired').slice(0, 32))
    .execute();
  const forbidden = [403, { error: 'The project does not belong to you.' }];
  expect(
    await Promise.all([
      ingest(jane, 'new', { n: 1 }),
      ingest(jane, 'same'),
      ingest(jane, 'changed', { n: 2 }),
      ingest(jane, 'expired', { n: 3 }),
      ingest(janeInJohnsProject, 'foreign', { n: 4 }),
      ingest(jane, undefined, { n: 5 }),
      ingest(john, 'same', { n: 6 }),
    ]),
  ).toEqual([
    STORED,
    REPLAYED,
    [
      400,
      { error: 'The Idempotency-Key was used before with a different request body.' },
      undefined,
    ],
    STORED,
    [...forbidden, undefined],
    STORED,
    STORED,
  ]);
  // Includes the three metrics stored before.
  const payloads = await readPayloads(jane);
  expect(payloads).toEqual(expect.arrayContaining([{}, { n: 1 }, { n: 3 }, { n: 5 }]));
  expect(payloads).toHaveLength(6);
  expect(await readPayloads(john)).toEqual([{ n: 6 }]);
  // A refused metric changes nothing, so its key is still free.
  expect(await ingest(janeInJohnsProject, 'foreign', { n: 4 })).toEqual([...forbidden, undefined]);
  expect(await ingest(jane, 'foreign', { n: 7 })).toEqual(STORED);
});

it('a metric whose key expires during the request is stored', async () => {
  const { db, nameplate } = server;
  const { queues, dailyUsage } = nameplate;
  await ingest(jane, 'expiring');
  // The INSERT found the key, and the look-up comes after it expired.
  const lateDb = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await sql`UPDATE metric_keys SET created_at = now() - interval '25 hours'
        WHERE account_id = ${jane.id}`.execute(db);
      return { ...result, rows: [] };
    },
  });
  const [accountId, bodyHash] = [jane.id, Buffer.alloc(32)];
  const key = { accountId, bodyHash, key: 'expiring', method: 'POST', path: PATH };
  const metric = { accountId, projectId: jane.projectId, payload: { n: 1 } };
  const writer = new MetricWriter({ db, queues, dailyUsage });
  expect(await writer.write(lateDb, metric, key)).toBe('stored');
  expect(await readPayloads(jane)).toEqual([{}, { n: 1 }]);
});

it('a key locked by another server does not delay its group for long', async () => {
  const metric = { accountId: jane.id, projectId: jane.projectId, payload: '{}' };
  const keyHash = hash('sha256', 'elsewhere').slice(0, 32);
  const idempotencyClaim = { accountId: jane.id, keyHash, bodyHash: keyHash };
  const rollback = new Error('rolled back');
  let waiting: ReturnType<typeof ingest> | undefined;
  const lockTransaction = separateConnections.db.transaction().execute(async (trx) => {
    await insertMetrics(trx, [{ ...metric, idempotencyClaim }]);
    waiting = ingest(jane, 'elsewhere', {}, shortTimeoutServer);
    const otherResponses = [
      ingest(jane, 'another', {}, shortTimeoutServer),
      ingest(jane, undefined, {}, shortTimeoutServer),
      ingest(john, 'elsewhere', {}, shortTimeoutServer),
    ];
    expect(await Promise.all(otherResponses)).toEqual([STORED, STORED, STORED]);
    throw rollback;
  });
  await expect(lockTransaction).rejects.toBe(rollback);
  expect(await waiting).toEqual(STORED);
  expect([await readPayloads(jane), await readPayloads(john)]).toMatchObject([
    { length: 3 },
    { length: 1 },
  ]);
});
