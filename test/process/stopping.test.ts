import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { eventually } from '../support/eventually.ts';
import {
  fetchJson,
  spawnServer,
  startServerWithAccount,
  waitUntilUnreachable,
} from '../support/server-process.ts';
import {
  connectPostgresDatabase,
  createPostgresDatabase,
  type TestDatabase,
} from '../support/test-database.ts';

/** Opens a connection and collects everything received until it closes. */
async function openConnection(url: string): Promise<{ socket: Socket; response: Promise<string> }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  // Ignore resets, which also close the connection.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const response = closed.then(() => text);
  return { socket, response };
}

/** Sends part of a request body, so that the request stays in flight. */
async function startRequest(url: string, key: string) {
  const { socket, response } = await openConnection(url);
  const body = JSON.stringify({ bio: 'in flight' });
  socket.write(
    `POST /site/update-site-configuration HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  return { finish: () => socket.write(body.slice(5)), response };
}

/** Opens a keep-alive connection and sends one request. */
async function openIdleConnection(url: string) {
  const { socket, response } = await openConnection(url);
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  return { socket, response };
}

/** Slows down writes to the row of a site that has no bio. */
async function slowDownToggle({ db }: TestDatabase, seconds = 0.5): Promise<void> {
  await sql`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
    AS ${sql.lit(`BEGIN PERFORM pg_sleep(${seconds}); RETURN NEW; END`)}`.execute(db);
  await sql`CREATE TRIGGER slow BEFORE INSERT OR UPDATE ON sites FOR EACH ROW
    WHEN (NEW.bio IS NULL) EXECUTE FUNCTION slow()`.execute(db);
}

/** Waits until a request sleeps in the trigger of `slowDownToggle`, or has finished. */
async function waitUntilRunning({ db }: TestDatabase, request: Promise<unknown>): Promise<void> {
  let hasResponse = false;
  void request.then(() => (hasResponse = true));
  await eventually(async () => {
    const { rows } = await sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'PgSleep'`.execute(db);
    return hasResponse || rows.length > 0;
  }, Boolean);
}

it('a signal to stop finishes in-flight requests, loses no earlier request, closes idle connections and exits with 0', async () => {
  const { server, database, key } = await startServerWithAccount();
  const idleConnections = await Promise.all(
    Array.from({ length: 20 }, () => openIdleConnection(server.url)),
  );
  const pendingRequests = await Promise.all(
    Array.from({ length: 10 }, () => startRequest(server.url, key)),
  );
  const activeRequests = await Promise.all([
    ...Array.from({ length: 20 }, () => openConnection(server.url)),
    ...Array.from({ length: 20 }, () => openIdleConnection(server.url)),
  ]);
  // Connections are accepted in order, so the server now has all of them.
  await fetchJson(`${server.url}/healthz`);
  await slowDownToggle(database);
  const slowRequest = fetchJson(`${server.url}/site/toggle-site-visibility`, {
    key,
    method: 'POST',
  });
  await waitUntilRunning(database, slowRequest);
  for (const { socket } of activeRequests)
    socket.write(`GET /account/get-display-name HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\n\r\n`);

  server.signal('SIGTERM');
  await waitUntilUnreachable(server.url);
  for (const { response } of activeRequests)
    expect(await response).toContain('{"display_name":""}');
  await Promise.all(idleConnections.map(({ response }) => response));
  for (const { finish } of pendingRequests) finish();

  expect(await slowRequest).toEqual({ status: 200, body: { success: true, newStatus: true } });
  for (const response of await Promise.all(pendingRequests.map((request) => request.response))) {
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(response.toLowerCase()).toContain('\r\nconnection: close\r\n');
    expect(response).toMatch(/\r\n\r\n\{"success":true\}$/);
  }
  expect(await server.exited).toBe(0);
  expect(server.stdout()).not.toContain('"level":"error"');
  expect(server.stdout()).toContain('"signal":"SIGTERM","msg":"stopping"}\n');
  expect(server.stdout()).toMatch(/"msg":"stopped"\}\n$/);
});

it('a signal to stop does not wait for clients that are idle, stalled or not reading', async () => {
  const { server, key } = await startServerWithAccount();
  // Loading this document on its first request can take longer than the shutdown timeout.
  await (await fetch(`${server.url}/owner/openapi.json`)).arrayBuffer();
  const unfinishedRequests = await Promise.all([1, 2].map(() => startRequest(server.url, key)));
  await Promise.all(
    [
      '',
      'GET /hea',
      'GET /healthz HTTP/1.1\r\nHost',
      'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /owner/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20),
    ].map(async (text) => {
      const { socket } = await openConnection(server.url);
      socket.pause();
      if (text !== '') await new Promise((written) => socket.write(text, written));
    }),
  );
  const { socket: lateSocket } = await openConnection(server.url);
  lateSocket.pause();
  const requests = 'GET /owner/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20);
  await new Promise((written) => lateSocket.write(requests.slice(0, 5), written));
  server.signal('SIGINT');
  await expect.poll(() => server.stdout()).toContain('"stopping"');
  lateSocket.write(requests.slice(5));
  for (const { response } of unfinishedRequests) expect(await response).toBe('');
  expect(await server.exited).toBe(0);
  expect(server.stdout()).not.toContain('stopping took too long');
});

it.each(['SIGTERM', 'SIGINT'] as const)(
  'a signal to stop exits at once with 1 when it follows %s',
  async (firstSignal) => {
    const { server, database, key } = await startServerWithAccount();
    // Longer than the statement timeout.
    await slowDownToggle(database, 60);
    const url = `${server.url}/site/toggle-site-visibility`;
    const slowRequest = fetchJson(url, { key, method: 'POST' }).catch(() => 'lost');
    await waitUntilRunning(database, slowRequest);
    server.signal(firstSignal);
    await waitUntilUnreachable(server.url);
    // A signal that repeats within half a second is ignored, because Ctrl-C under npm sends two.
    await sleep(600);
    server.signal('SIGTERM');
    expect(await server.exited).toBe(1);
    expect(await slowRequest).toBe('lost');
    expect(server.stdout()).not.toContain('stopping took too long');
  },
);

it('a signal to stop may also be SIGHUP, but SIGUSR1 neither stops the server nor opens a debugger', async () => {
  const { server } = await startServerWithAccount();
  server.signal('SIGUSR1');
  await expect.poll(server.stdout).toContain('"signal":"SIGUSR1","msg":"the signal is ignored"');
  server.signal('SIGHUP');
  expect(await server.exited).toBe(0);
  expect(server.stdout()).toContain('"signal":"SIGHUP","msg":"stopping"}\n');
  expect(server.stdout()).toMatch(/"msg":"stopped"\}\n$/);
  expect(server.stderr()).not.toContain('Debugger');
});

it('a signal to stop during the start exits with 0 and prints no error', async () => {
  const DATABASE_URL = await createPostgresDatabase('nameplate_template');
  const { db, close } = connectPostgresDatabase(DATABASE_URL);
  onTestFinished(close);
  const server = await db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE challenge_secret`.execute(trx);
    const starting = spawnServer({ DATABASE_URL });
    await waitForBlockedQuery(trx);
    starting.signal('SIGTERM');
    await expect.poll(starting.stdout).toContain('"stopping"');
    return starting;
  });
  expect(await server.exited).toBe(0);
  expect(server.stderr()).not.toContain('Error');
  expect(server.stdout()).toMatch(/"msg":"stopped"\}\n$/);
});
