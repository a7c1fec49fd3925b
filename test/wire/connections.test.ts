import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import { HttpConnections } from '#server/platform/http/connection/connections.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';
import { eventually } from '../support/eventually.ts';
import {
  sendRaw,
  expectRefusal,
  openConnection,
  openSocket,
  parseResponses,
  readAll,
  requestText,
  useListening,
  waitUntilClosed,
} from '../support/raw-socket.ts';
import { useServer } from '../support/use-server.ts';
import { withTitles } from '../support/with-titles.ts';

const { server, account } = useServer({ account: true });
const port = useListening(server);

const FINAL_REQUEST = requestText('GET', '/healthz', 'Connection: close');

function toggleRequest(...lines: string[]): string {
  return requestText('POST', '/site/toggle-site-visibility', `X-API-KEY: ${account.key}`, ...lines);
}

it.each(
  withTitles([
    requestText('CONNECT', 'a:1'),
    requestText('GET', '/healthz') + requestText('CONNECT', 'a:1'),
    requestText('GET', '/healthz', 'Expect: banana') + requestText('CONNECT', '/healthz'),
  ]),
)('a CONNECT request is closed, even if the client resets it: $title', async ({ value }) => {
  const onUncaught = vi.fn<(error: unknown) => void>();
  process.on('uncaughtException', onUncaught);
  onTestFinished(() => void process.off('uncaughtException', onUncaught));
  for (const isReset of [true, false]) {
    const { socket, serverSocket } = await openConnection(server);
    socket.write(value);
    if (isReset) socket.resetAndDestroy();
    await waitUntilClosed(serverSocket);
  }
  expect(onUncaught).not.toHaveBeenCalled();
  expect(await sendRaw(port(), FINAL_REQUEST)).toMatchObject([{ status: 200 }]);
});

it('a client that waits before it sends a body is asked for it only if the caller may send one', async () => {
  const lines = ['Expect: 100-continue', 'Content-Type: application/json', 'Content-Length: 2'];
  const path = '/site/update-site-configuration';
  const refused = await openConnection(server);
  refused.socket.write(requestText('POST', path, ...lines));
  expect(await readAll(refused.socket)).toMatch(/^HTTP\/1\.1 401 /);
  const { socket } = await openConnection(server);
  socket.write(
    requestText('POST', path, `X-API-KEY: ${account.key}`, 'Connection: close', ...lines),
  );
  const [data] = (await once(socket, 'data')) as [Buffer];
  expect(data.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('{}');
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /);
});

it('pipelined requests are not read while the client does not read responses', async () => {
  const { socket, serverSocket } = await openConnection(server);
  socket.write(requestText('GET', '/healthz').repeat(100_000));
  await eventually(() => serverSocket.isPaused(), Boolean);
  expect(serverSocket.bytesRead).toBeLessThan(requestText('GET', '/healthz').length * 50_000);
  serverSocket.destroy();
});

it.each(
  withTitles([
    requestText('GET', '/healthz'),
    requestText('GET', '/nowhere'),
    requestText('GET', '/robots.txt', 'Content-Length: 1') + 'x',
    requestText('POST', '/nowhere', 'Content-Length: 1') + 'x',
    requestText('POST', '/nowhere', 'Content-Length: 4') + '\r\n\r\n',
    `\r\n\r\n${requestText('OPTIONS', '*')}`,
  ]),
)('the eighth request in flight ends its connection: $title', async ({ value }) => {
  const before = await account.client.site.getSiteStatus();
  const responses = await sendRaw(port(), value.repeat(3_000) + toggleRequest());
  expect(responses.map(({ headers }) => headers['connection'] === 'close')).toEqual([
    ...Array.from({ length: 7 }, () => false),
    true,
  ]);
  expect(await account.client.site.getSiteStatus()).toEqual(before);
});

it('a socket that is resumed while responses wait to be read parses nothing', async () => {
  const { socket, serverSocket } = await connectTo((_request, response) =>
    response.end(Buffer.alloc(16_000_000)),
  );
  const request = requestText('GET', '/');
  for (const isSent of [
    () => serverSocket.writableNeedDrain,
    () => serverSocket.bytesRead === 2 * request.length,
    () => serverSocket.isPaused(),
  ]) {
    socket.write(request);
    await eventually(isSent, Boolean);
  }
  const { bytesRead } = serverSocket;
  socket.write(FINAL_REQUEST);
  serverSocket.resume();
  await eventually(() => serverSocket.bytesRead > bytesRead && serverSocket.isPaused(), Boolean);
  expect((await readAll(socket)).match(/HTTP\/1\.1 200/g)).toHaveLength(4);
});

it('after a millisecond of parsing, a body in tiny chunks waits for its turn', async () => {
  let [bytes, bytesBeforeTurn] = [0, 0];
  const { socket } = await connectTo((request, response) => {
    const start = performance.now();
    while (performance.now() - start < 2);
    setImmediate(() => (bytesBeforeTurn = bytes));
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.once('end', () => response.end());
  });
  const head = requestText('POST', '/', 'Transfer-Encoding: chunked\r\nConnection: close');
  socket.write(`${head}${'1\r\n \r\n'.repeat(10_000)}0\r\n\r\n`);
  expect(await readAll(socket)).toContain('HTTP/1.1 200');
  expect(bytes).toBe(10_000);
  expect(bytesBeforeTurn).toBeLessThan(350);
});

it('a connection with seven requests in flight stays open, and gets responses in order', async () => {
  const { socket } = await openConnection(server);
  for (let round = 0; round < 3; round += 1) {
    const ids = Array.from({ length: 7 }, (_, index) => `${round}-${index}`);
    socket.write(ids.map((id) => requestText('GET', '/healthz', `X-Request-Id: ${id}`)).join(''));
    let text = '';
    while (parseResponses(text).length < ids.length)
      text += String(((await once(socket, 'data')) as [Buffer])[0]);
    expect(parseResponses(text).map(({ headers }) => headers['x-request-id'])).toEqual(ids);
  }
});

it('the body of a pipelined request is read once earlier responses are sent', async () => {
  const body = JSON.stringify({ bio: 'x'.repeat(200_000) });
  const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  const update = requestText('POST', '/site/update-site-configuration', ...lines);
  const keyed = update.replace('Host', `X-API-KEY: ${account.key}\r\nHost`) + body;
  const responses = await sendRaw(port(), keyed.repeat(6) + FINAL_REQUEST);
  expect(responses.map(({ status }) => status)).toEqual([...Array(6).fill(400), 200]);
});

it.each(
  withTitles([
    'x',
    'x\r\n\r\n',
    'GET / HTTP/1.1\r\nHost x\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n',
  ]),
)('invalid bytes after a request do not change the response: $title', async ({ value }) => {
  const before = await account.client.site.getSiteStatus();
  const toggle = `${toggleRequest('Content-Type: application/json', 'Content-Length: 2')}{}`;
  const responses = await sendRaw(port(), toggle + value);
  expect(responses).toMatchObject([{ status: 200 }]);
  const after = await account.client.site.getSiteStatus();
  expect(after.enabled).toBe(!before.enabled);
});

it('invalid bytes after a request get 400 if the request is complete', async () => {
  const { socket } = await openConnection(server);
  const received = readAll(socket);
  socket.write(requestText('GET', '/healthz'));
  await once(socket, 'data');
  socket.write('x\r\n\r\n');
  const [first, second] = parseResponses(await received);
  expect(first).toMatchObject({ status: 200 });
  expectRefusal(second, 400);
});

it('invalid bytes after a request are not read while the request is processed', async () => {
  const { socket, serverSocket } = await openConnection(server);
  const received = readAll(socket);
  await server.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE sites IN EXCLUSIVE MODE`.execute(trx);
    socket.write(toggleRequest());
    await waitForBlockedQuery(trx);
    socket.write('x x x\r\n');
    await eventually(() => serverSocket.isPaused(), Boolean);
    socket.write('x x x\r\n'.repeat(100_000));
  });
  expect(parseResponses(await received)).toMatchObject([{ status: 200 }]);
});

const BODY_BYTES = 200_000_000;
const CHUNK = Buffer.alloc(65_536, 'x');

/** Sends a body until the server closes the connection. `bytes` is the number of bytes that it read. */
async function sendUntilClosed(head: string, bodyChunk: Buffer) {
  const { socket, serverSocket } = await openConnection(server);
  const received = readAll(socket);
  socket.write(head);
  for (let sent = 0; sent < BODY_BYTES && !serverSocket.destroyed; sent += bodyChunk.length)
    if (!socket.write(bodyChunk))
      await Promise.race([once(socket, 'drain'), waitUntilClosed(serverSocket)]);
  await waitUntilClosed(serverSocket);
  return { text: await received, bytes: serverSocket.bytesRead };
}

it.each(
  withTitles([
    ['/site/update-site-configuration', 401],
    ['/nowhere', 404],
    ['/healthz', 405],
  ] as const),
)(
  'the body of a request that is rejected early is not read completely: $title',
  async ({ value: [path, status] }) => {
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), CHUNK, Buffer.from('\r\n')]);
    for (const [line, bodyChunk] of [
      ['Transfer-Encoding: chunked', chunk],
      [`Content-Length: ${BODY_BYTES}`, CHUNK],
    ] as const) {
      const { text, bytes } = await sendUntilClosed(requestText('POST', path, line), bodyChunk);
      const [response, ...otherResponses] = parseResponses(text);
      expectRefusal(response, status);
      expect(response?.headers['connection']).toBe('close');
      expect(otherResponses).toEqual([]);
      expect(bytes).toBeLessThan(BODY_BYTES / 10);
    }
  },
);

it('the body of a request that is rejected early is followed by no other request, because the connection is closed', async () => {
  const before = await account.client.site.getSiteStatus();
  const body = `10\r\n${'x'.repeat(16)}\r\n0\r\n\r\n`;
  for (const pipelined of [
    toggleRequest(),
    requestText('CONNECT', '/healthz'),
    `${FINAL_REQUEST}${requestText('CONNECT', '/')}`,
  ]) {
    const { socket } = await openConnection(server);
    const received = readAll(socket);
    socket.write(requestText('POST', '/nowhere', 'Transfer-Encoding: chunked'));
    await once(socket, 'data');
    socket.write(body + pipelined);
    expect(parseResponses(await received)).toMatchObject([{ status: 404 }]);
  }
  expect(await account.client.site.getSiteStatus()).toEqual(before);
  expect(await sendRaw(port(), FINAL_REQUEST)).toMatchObject([{ status: 200 }]);
});

async function connectTo(
  respond: RequestListener,
): Promise<{ socket: Socket; serverSocket: Socket }> {
  const connections = new HttpConnections();
  const other = createServer((request, response) => {
    if (connections.admit(request, response)) respond(request, response);
  });
  connections.watch(other);
  await once(other.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void other.close());
  const connected = once(other, 'connection') as Promise<[Socket]>;
  const socket = await openSocket((other.address() as AddressInfo).port);
  const [serverSocket] = await connected;
  return { socket, serverSocket };
}
