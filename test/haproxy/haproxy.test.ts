import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IdempotentWriters, WRITER_SETTINGS } from '../failover/idempotent-writers.ts';
import { eventually } from '../support/eventually.ts';
import { sendRaw } from '../support/raw-socket.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { startServer } from '../support/server-process.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { type Haproxy, startHaproxy } from './haproxy.ts';

let database: TestDatabase;
let ports: [number, number];
let haproxy: Haproxy;
beforeAll(async () => {
  database = await openTestDatabase();
  ports = [await findFreePort(), await findFreePort()];
  haproxy = await startHaproxy(ports);
});
afterAll(async () => {
  await haproxy.stop();
  await database.close();
});

/** Starts a server on one of the ports, with the settings documented for HAProxy. */
function startServerAt(index: 0 | 1) {
  return startServer({
    ...WRITER_SETTINGS,
    DATABASE_URL: database.url,
    PORT: String(ports[index]),
    SHUTDOWN_DELAY_SECONDS: '5',
    TRUST_PROXY: 'loopback',
    LOG_ADDRESSES: 'full',
  });
}

type Server = Awaited<ReturnType<typeof startServerAt>>;

/** Request log lines, without HAProxy's health checks. */
function listRequests({ stdout: readStdout }: Server): Record<string, unknown>[] {
  return readStdout()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"') && !line.includes('"/readyz"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const url = () => `http://127.0.0.1:${haproxy.port}`;
const waitForState = (server: 'one' | 'two', state: 'UP' | 'DOWN', expectedCount: number) =>
  eventually(
    () => haproxy.readLog().match(new RegExp(`Server servers/${server} is ${state}`, 'g'))?.length,
    (count) => count === expectedCount,
  );

it('a missing server, a stopping server and a killed server lose no acknowledged write', async () => {
  await waitForState('two', 'DOWN', 1);
  await waitForState('one', 'DOWN', 1);
  const response = await fetch(`${url()}/healthz`);
  expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
    503,
    '1',
    { error: 'No server is ready; send the request again in a moment.' },
  ]);

  const [first, second] = [await startServerAt(0), await startServerAt(1)];
  await waitForState('one', 'UP', 1);
  await waitForState('two', 'UP', 1);
  for (let request = 0; request < 20; request += 1)
    await fetch(`${url()}/openapi.json`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
  for (const server of [first, second])
    await eventually(() => {
      const requestLines = listRequests(server).filter(({ path }) => path === '/openapi.json');
      expect(requestLines.map(({ address }) => address)).toEqual(Array(10).fill('127.0.0.1'));
    });

  const writers = await IdempotentWriters.start(database.db, url, 6);
  await writers.waitForMore(20);
  // HAProxy sends no more requests to a server that is shutting down.
  second.signal('SIGTERM');
  expect(await second.exited).toBe(0);
  await writers.waitForMore(20);
  expect(writers.lostResponses).toBe(0);

  const restarted = await startServerAt(1);
  await waitForState('two', 'UP', 2);
  await writers.waitForMore(20);
  expect(writers.lostResponses).toBe(0);

  // HAProxy does not retry requests that the killed server had received, but the writers do.
  first.signal('SIGKILL');
  await first.exited;
  await writers.waitForMore(40);
  await writers.stop();
  expect(await writers.findErrors(database.db)).toEqual([]);
  for (const server of [first, second, restarted])
    expect(listRequests(server).length).toBeGreaterThan(6 * 20);
  restarted.signal('SIGTERM');
  expect(await restarted.exited).toBe(0);
});

it('HAProxy retries only requests that have not reached a server', async () => {
  let received = 0;
  const brokenServer = createServer((socket) => {
    socket.on('data', () => {
      received += 1;
      socket.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(brokenServer, 'listening');
  const { port } = brokenServer.address() as AddressInfo;
  // Without health checks, both servers count as ready, but nothing listens on the first port.
  const haproxyWithoutChecks = await startHaproxy(
    [await findFreePort(), port],
    [['default-server check', 'default-server no-check']],
  );
  for (let count = 1; count <= 4; count += 1) {
    const request =
      'POST /site/toggle-site-visibility HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(haproxyWithoutChecks.port, request)).toMatchObject([
      {
        status: 502,
        headers: { 'content-type': 'application/json; charset=utf-8', 'retry-after': '1' },
        body: '{"error":"The server went away before it answered, and it is unknown what was done; send the request again with the same Idempotency-Key."}',
      },
    ]);
    expect(received).toBe(count);
  }
  await haproxyWithoutChecks.stop();
  brokenServer.close();
});
