import type { Socket } from 'node:net';
import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { eventually } from '../support/eventually.ts';
import {
  openConnection,
  readAll,
  requestText,
  sendRaw,
  useListening,
  waitUntilClosed,
} from '../support/raw-socket.ts';
import { useServer } from '../support/use-server.ts';
import { withTitles } from '../support/with-titles.ts';

const TOGGLE = '/site/toggle-site-visibility';
const UPDATE = '/site/update-site-configuration';
const PARTIAL_BODY_HEADERS = ['Content-Type: application/json', 'Content-Length: 100'];

const { server, account } = useServer({ account: true, CORS_ORIGINS: ['https://app.example'] });
const port = useListening(server);
beforeEach(() => {
  server.log.length = 0;
});

function authenticatedRequest(method: string, path: string, ...lines: string[]): string {
  return requestText(method, path, `X-API-KEY: ${account.key}`, ...lines);
}

async function send(text: string) {
  const { socket, serverSocket } = await openConnection(server);
  socket.write(text);
  const resetConnection = async () => {
    socket.resetAndDestroy();
    await waitUntilClosed(serverSocket);
  };
  return { socket, serverSocket, resetConnection };
}

/** Sends a request that waits for a table lock, and resets the connection before releasing the lock. */
async function disconnectWhileLocked(text: string, table: string): Promise<void> {
  await server.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE ${sql.table(table)}`.execute(trx);
    const { resetConnection } = await send(text);
    await waitForBlockedQuery(trx);
    await resetConnection();
    expect(server.log).toEqual([]);
  });
}

/** Waits for this many log lines, and returns all lines, so that tests notice additional ones. */
async function waitForLog(count = 1): Promise<Record<string, unknown>[]> {
  await eventually(() => expect(server.log.length).toBeGreaterThanOrEqual(count));
  await sendRaw(port(), requestText('GET', '/healthz', 'Connection: close'));
  return server.log.filter(({ path }) => path !== '/healthz');
}

it('a request whose client disconnects has one log line with the status that the client did not receive', async () => {
  await disconnectWhileLocked(
    authenticatedRequest('POST', TOGGLE, 'X-Request-Id: hung-up', 'Idempotency-Key: k'),
    'sites',
  );
  expect(await waitForLog()).toEqual([
    {
      level: 30,
      time: expect.any(Number),
      msg: 'request',
      requestId: 'hung-up',
      method: 'POST',
      path: TOGGLE,
      status: 200,
      durationMs: expect.any(Number),
      aborted: true,
      accountId: account.id,
      keyId: account.key.split('.')[0],
    },
  ]);
  expect(await account.client.site.getSiteStatus()).toEqual({ enabled: true });
});

it('a request whose client disconnects has one log line if part of its response was sent', async () => {
  const { socket, serverSocket, resetConnection } = await send(
    requestText('GET', '/owner/openapi.json').repeat(20),
  );
  socket.pause();
  // Wait until the operating system's buffers are full.
  await eventually(() => expect(serverSocket.writableLength).toBeGreaterThan(0));
  await resetConnection();
  await eventually(() => expect(server.log.at(-1)).toMatchObject({ aborted: true }));
  const lines = await waitForLog();
  expect(lines.map(({ status }) => status)).toEqual(lines.map(() => 200));
});

it.each(
  withTitles([
    ['garbage\r\n\r\n', { status: 400, reason: 'requestMalformed' }],
    [
      requestText('GET', '/', `X: ${'x'.repeat(17_000)}`),
      { status: 431, reason: 'headersTooLarge' },
    ],
    [requestText('GET', '/%ff'), { method: 'GET', status: 400, reason: 'urlInvalid' }],
    [
      requestText('GET', `/@${'x'.repeat(101)}`, 'X-Request-Id: mine'),
      { method: 'GET', status: 404, reason: 'pathNotFound', requestId: 'mine' },
    ],
  ] as const),
)(
  'a request that fails before its handler runs has one log line, with the id from its response: $title',
  async ({ value: [text, line] }) => {
    const { socket } = await send(text.replace('Host: x', 'Host: x\r\nConnection: close'));
    const id = /x-request-id: (\S+)/i.exec(await readAll(socket))?.[1];
    expect(await waitForLog()).toMatchObject([{ msg: 'request', requestId: id, ...line }]);
    expect(server.log[0]).not.toHaveProperty('aborted');
  },
);

/** Reads the response on a connection, and expects its log line. */
async function expectLogged(socket: Socket, status: number, reason: string): Promise<void> {
  const response = await readAll(socket);
  expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const requestId = /x-request-id: (\S+)/i.exec(response)?.[1];
  const lines = await waitForLog();
  expect(lines).toMatchObject([{ requestId, status, reason }]);
  expect(lines[0]).not.toHaveProperty('aborted');
  server.log.length = 0;
}

it('a request that fails before its handler runs has one log line, with the id from its response, if it times out during its headers or its body', async () => {
  const { server: http } = server.app;
  const { headersTimeout, requestTimeout } = http;
  expect([headersTimeout, requestTimeout, http.timeout]).toEqual([10_000, 15_000, 30_000]);
  Object.assign(http, { headersTimeout: 200, requestTimeout: 400 });
  try {
    for (const text of [
      `POST ${UPDATE} HTTP/1.1\r\nHost: x\r\n`,
      `${authenticatedRequest('POST', UPDATE, ...PARTIAL_BODY_HEADERS)}{"bio":`,
    ])
      await expectLogged((await send(text)).socket, 408, 'requestTimeout');
  } finally {
    Object.assign(http, { headersTimeout, requestTimeout });
  }
});

it('a request that fails before its handler runs has one log line, with the id from its response, if its body is invalid or incomplete', async () => {
  const chunked = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
  const text = `${authenticatedRequest('POST', UPDATE, ...chunked)}2\r\n{}\r\n`;
  const { socket } = await send(`${text}zz\r\n`);
  await expectLogged(socket, 400, 'requestMalformed');
  const { socket: incomplete } = await send(text);
  incomplete.end();
  await expectLogged(incomplete, 400, 'requestMalformed');
});

it('an invalid URL gets a response that allowed origins can read', async () => {
  const text = requestText('GET', '/%ff', 'Origin: https://app.example', 'Connection: close');
  const [response] = await sendRaw(port(), text);
  expect(response).toMatchObject({
    status: 400,
    headers: {
      'access-control-allow-origin': 'https://app.example',
      'access-control-expose-headers': expect.stringContaining('x-request-id'),
    },
    body: '{"error":"The URL is not valid."}',
  });
});
