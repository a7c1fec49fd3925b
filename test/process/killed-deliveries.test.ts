import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { type ReceivedRequest, startReceiver } from '../connections/support/receiver.ts';
import { fetchJson, startServer, startServerWithAccount } from '../support/server-process.ts';

const EVENTS = 60;

it('no event is lost if the server and the receiver are killed while it is sent', async () => {
  const received: ReceivedRequest[] = [];
  const first = await startReceiver();
  const settings = { CONNECTION_PRIVATE_ORIGINS: first.origin, ENCRYPTION_KEY: '07'.repeat(32) };
  const service = await startServerWithAccount(settings, onTestFinished);
  const { server, db, DATABASE_URL, key } = service;
  const post = async (path: string, json: object) => {
    const response = await fetchJson(`${service.url}${path}`, { key, method: 'POST', json });
    expect(response).toMatchObject({ status: 200 });
  };
  const isLogged = Promise.withResolvers<void>();
  const hook = first.addHook(async (response, requests) => {
    received.push(requests.at(-1)!);
    await isLogged.promise;
    if (received.length < 20) response.writeHead(204).end();
    // Whether the last one arrived, the server never learns.
    else server.signal('SIGKILL');
  });
  await post('/owner/connections/create-connection', {
    ...{ kind: 'webhook', name: 'shop', url: hook.url },
    event_types: ['page_visibility_changed'],
  });
  for (let count = 0; count < EVENTS; count += 1) await post('/site/toggle-site-visibility', {});
  isLogged.resolve();
  await server.exited;
  // The killed server last gave a sign of life long ago.
  await sql`UPDATE pgboss.job SET started_on = now() - interval '3 minutes',
    heartbeat_on = now() - interval '3 minutes' WHERE state = 'active'`.execute(db);
  await sql`UPDATE connections SET leased_until = now()`.execute(db);
  const isClosed = Promise.withResolvers<void>();
  const second = first.addHook(async (response, requests) => {
    received.push(requests.at(-1)!);
    if (received.length < 40) return response.writeHead(204).end();
    await first.close();
    isClosed.resolve();
  });
  await sql`UPDATE connections SET leased_until = now()`.execute(db);
  expect(second.path).not.toBe(hook.path);
  first.replaceHook(hook.path, second.path);
  await startServer({ ...settings, DATABASE_URL }, onTestFinished);
  await isClosed.promise;
  const last = await startReceiver(Number(new URL(first.origin).port));
  onTestFinished(last.close);
  const third = last.addHook((response, requests) => {
    received.push(requests.at(-1)!);
    response.writeHead(204).end();
  });
  expect(third.path).toBe(hook.path);
  await expect
    .poll(async () => (await readStatuses()).every(({ status }) => status === 'delivered'))
    .toBe(true);
  const ids = new Set(received.map(({ headers }) => headers['webhook-id']));
  expect([...ids]).toEqual((await readStatuses()).map(({ id }) => id));
  expect(ids.size).toBe(EVENTS);

  async function readStatuses() {
    const { rows } = await sql<{ id: string; status: string }>`
      SELECT id, status FROM deliveries ORDER BY position`.execute(db);
    return rows;
  }
});
