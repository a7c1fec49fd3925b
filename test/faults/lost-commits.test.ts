import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestResponse, send } from '../support/call.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';
import { connectPostgresDatabase, createPostgresDatabase } from '../support/test-database.ts';
import { type DatabaseProxy, startDatabaseProxy } from './support/database-proxy.ts';

const COMMIT = 'commit\0';

let proxy: DatabaseProxy;
let server: TestApp;
beforeAll(async () => {
  proxy = await startDatabaseProxy(await createPostgresDatabase('nameplate_template'));
  server = await startTestApp({}, connectPostgresDatabase(proxy.url, { max: 3 }));
});
afterAll(async () => {
  await server.close();
  await proxy.close();
});

function expectLost({ status, body, headers }: TestResponse, expectedMessage: string): void {
  expect({ status, body, retry: headers['retry-after'] }).toEqual({
    status: 500,
    body: { error: expectedMessage },
    retry: '1',
  });
}

const readEvents = ({ id }: TestAccount) =>
  server.db.selectFrom('events').select('type').where('account_id', '=', id).execute();

const WRITES = {
  'a toggle': async (account: TestAccount) => ({
    request: ['POST /site/toggle-site-visibility', undefined] as const,
    failure: 'The visibility could not be updated.',
    response: { success: true, newStatus: true },
    readResult: async () => (await send(server, account, 'GET /site/get-site-status')).body,
    result: { enabled: true },
  }),
  'a change of the name': async (account: TestAccount) => ({
    request: ['POST /account/update-display-name', { display_name: `n-${account.id}` }] as const,
    failure: 'The display name could not be updated.',
    response: { success: true },
    readResult: () => readEvents(account),
    result: [{ type: 'display_name_updated' }],
  }),
  'a metric': async (account: TestAccount) => {
    const projectId = await server.createProject(account);
    return {
      request: ['POST /stats/ingest-metrics', { projectId, payload: { visitors: 1 } }] as const,
      failure: 'The metric could not be ingested.',
      response: { message: 'The metric was ingested.' },
      readResult: () =>
        server.db
          .selectFrom('metrics')
          .select('payload')
          .where('project_id', '=', projectId)
          .execute(),
      result: [{ payload: { visitors: 1 } }],
    };
  },
};

it.each(
  Object.keys(WRITES).flatMap((name) => [[name, 'before'] as const, [name, 'after'] as const]),
)(
  'a connection lost during COMMIT of %s, retried with the same Idempotency-Key, executes it once (cut %s)',
  async (name, when) => {
    const account = await server.createAccount();
    const write = await WRITES[name as keyof typeof WRITES](account);
    const [endpoint, json] = write.request;
    const sendOnce = () => send(server, account, endpoint, json, { 'idempotency-key': 'once' });
    // A group of metrics is one statement, which commits itself.
    proxy.cutAt(name === 'a metric' ? 'INSERT INTO metrics' : COMMIT, when);
    expectLost(await sendOnce(), write.failure);
    for (const replayed of when === 'after' ? ['true', 'true'] : [undefined, 'true']) {
      const { status, body, headers } = await sendOnce();
      expect([status, headers['idempotent-replayed']]).toEqual([200, replayed]);
      expect(body).toMatchObject(write.response);
    }
    expect(await write.readResult()).toEqual(write.result);
  },
);
