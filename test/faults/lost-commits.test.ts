import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestResponse, send } from '../support/call.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
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

describe('a connection lost during COMMIT', () => {
  it.each([
    ['before it reaches the database changes nothing', 'before', ''],
    ['after the database executed it keeps all changes', 'after', 'lost-after'],
  ] as const)('%s', async (_title, when, name) => {
    const account = await server.createAccount();
    proxy.cutAt(COMMIT, when);
    expectLost(
      await send(server, account, 'POST /account/update-display-name', {
        display_name: `lost-${when}`,
      }),
      'The display name could not be updated.',
    );
    const { body } = await send(server, account, 'GET /account/get-display-name');
    expect(body).toEqual({ display_name: name });
    const events = await server.database.db
      .selectFrom('events')
      .select('type')
      .where('account_id', '=', account.id)
      .execute();
    expect(events).toEqual(name ? [{ type: 'display_name_updated' }] : []);
  });

  it('never causes a silent retry of a toggle', async () => {
    const account = await server.createAccount();
    proxy.cutAt(COMMIT, 'after');
    expectLost(
      await send(server, account, 'POST /site/toggle-site-visibility'),
      'The visibility could not be updated.',
    );
    expect(await send(server, account, 'GET /site/get-site-status')).toMatchObject({
      status: 200,
      body: { enabled: true },
    });
  });

  it.each(['before', 'after'] as const)(
    'followed by a retry with the same Idempotency-Key toggles once (cut %s)',
    async (when) => {
      const account = await server.createAccount();
      const toggle = () =>
        send(server, account, 'POST /site/toggle-site-visibility', undefined, {
          'idempotency-key': 'once',
        });
      proxy.cutAt(COMMIT, when);
      expectLost(await toggle(), 'The visibility could not be updated.');
      for (const replayed of when === 'after' ? ['true', 'true'] : [undefined, 'true'])
        expect(await toggle()).toMatchObject({
          status: 200,
          body: { success: true, newStatus: true },
          headers: replayed ? { 'idempotent-replayed': replayed } : {},
        });
      expect(await send(server, account, 'GET /site/get-site-status')).toMatchObject({
        body: { enabled: true },
      });
    },
  );

  it.each(['before', 'after'] as const)(
    'followed by a retry with the same Idempotency-Key changes the name once (cut %s)',
    async (when) => {
      const account = await server.createAccount();
      const name = `once-${when}`;
      const rename = () =>
        send(
          server,
          account,
          'POST /account/update-display-name',
          { display_name: name },
          { 'idempotency-key': 'once' },
        );
      proxy.cutAt(COMMIT, when);
      expectLost(await rename(), 'The display name could not be updated.');
      for (const replayed of when === 'after' ? ['true', 'true'] : [undefined, 'true']) {
        const { status, headers } = await rename();
        expect([status, headers['idempotent-replayed']]).toEqual([200, replayed]);
      }
      const events = await server.database.db
        .selectFrom('events')
        .select('type')
        .where('account_id', '=', account.id)
        .execute();
      expect(events).toEqual([{ type: 'display_name_updated' }]);
    },
  );

  it.each(['before', 'after'] as const)(
    'followed by a retry with the same Idempotency-Key stores the metric once (cut %s)',
    async (when) => {
      const account = await server.createAccount();
      const metric = { projectId: await server.createProject(account), payload: { visitors: 1 } };
      const ingest = () =>
        send(server, account, 'POST /stats/ingest-metrics', metric, { 'idempotency-key': 'once' });
      // A group of metrics is one statement, which commits itself.
      proxy.cutAt('INSERT INTO metrics', when);
      expectLost(await ingest(), 'The metric could not be ingested.');
      for (const replayed of when === 'after' ? ['true', 'true'] : [undefined, 'true']) {
        const { status, body, headers } = await ingest();
        expect([status, body, headers['idempotent-replayed']]).toEqual([
          200,
          { message: 'The metric was ingested.' },
          replayed,
        ]);
      }
      const stored = await server.database.db
        .selectFrom('metrics')
        .select('payload')
        .where('project_id', '=', metric.projectId)
        .execute();
      expect(stored).toEqual([{ payload: { visitors: 1 } }]);
    },
  );
});
