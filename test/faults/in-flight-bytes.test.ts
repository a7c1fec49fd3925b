import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import Fastify, { type FastifyReply } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limitInFlightBytes } from '#server/platform/limits/in-flight-bytes.ts';
import { OverloadedError } from '#server/platform/limits/overloaded-error.ts';
import { send } from '../support/call.ts';
import { eventually } from '../support/eventually.ts';
import {
  expectRefusal,
  openSocket,
  parseResponses,
  type RawResponse,
  readAll,
  requestText,
} from '../support/raw-socket.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/test-app.ts';

const MIB = 1_048_576;
/** About 900 KB. */
const LARGE = {
  blocks: Array.from({ length: 90 }, () => ({ type: 'text', content: 'x'.repeat(10_000) })),
};

let server: TestApp;
let greedyAccount: TestAccount;
let otherAccount: TestAccount;
let port: number;
let sockets: Socket[];
beforeEach(async () => {
  server = await startTestApp();
  [greedyAccount, otherAccount] = [await server.createAccount(), await server.createAccount()];
  for (const account of [greedyAccount, otherAccount]) await update(account);
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  port = (server.app.server.address() as AddressInfo).port;
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

function update(account: TestAccount) {
  return send(server, account, 'POST /site/update-site-configuration', LARGE);
}

function readSite(account: TestAccount) {
  return send(server, account, 'GET /site/get-site-configuration');
}

async function openRequests(
  count: number,
  lines: string[],
  body: Buffer | string = '',
  { key } = greedyAccount,
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const socket = await openSocket(port);
    socket.write([...lines, 'Host: x', `X-API-KEY: ${key}`, '', ''].join('\r\n'));
    socket.write(body);
    sockets.push(socket);
  }
}

const UPDATE = ['POST /site/update-site-configuration HTTP/1.1', 'Content-Type: application/json'];
const FRAMINGS = ['Content-Length: 1048576', 'Transfer-Encoding: chunked'];

it('requests count what has arrived, not their announced bodies', async () => {
  const accounts = await Promise.all(Array.from({ length: 14 }, () => server.createAccount()));
  for (const line of [...FRAMINGS, 'Content-Length: 65536'])
    for (const account of accounts) await openRequests(16, [...UPDATE, line], '', account);
  expect(await update(otherAccount)).toMatchObject({ status: 200 });
  expect(await readSite(otherAccount)).toMatchObject({ status: 200 });
});

it.each(FRAMINGS)(
  'arrived bodies of one account (%s) leave room for others, and beyond the limit the account gets 503',
  async (line) => {
    const refused: (RawResponse | undefined)[] = [];
    const size = 900_000;
    const chunk = Buffer.from(
      `${line.startsWith('T') ? `${size.toString(16)}\r\n` : ''}${' '.repeat(size)}`,
    );
    await openRequests(20, [...UPDATE, line], chunk);
    for (const socket of sockets)
      void readAll(socket).then((text) => refused.push(parseResponses(text)[0]));
    // A quarter of 32 MiB is enough for nine.
    await eventually(
      () => Promise.resolve(refused),
      ({ length: count }) => count >= 11,
    );
    for (const response of refused) {
      expectRefusal(response, 503);
      expect(response).toMatchObject({
        headers: { 'retry-after': '1', connection: 'close' },
        body: '{"error":"The service is overloaded. Try again in a moment."}',
      });
    }
    // Small requests are not counted.
    expect(await send(server, greedyAccount, 'GET /site/get-site-status')).toMatchObject({
      status: 200,
    });
    expect(await update(otherAccount)).toMatchObject({ status: 200, body: { success: true } });
    expect(await readSite(otherAccount)).toMatchObject({ status: 200 });
    for (const socket of sockets) socket.destroy();
    await eventually(
      () => update(greedyAccount),
      ({ status }) => status === 200,
    );
  },
);

it('unread responses of one account leave room for other accounts, and beyond the limit the account gets 503', async () => {
  const requestLine = 'GET /site/get-site-configuration HTTP/1.1';
  const request = `${requestLine}\r\nHost: x\r\nX-API-KEY: ${greedyAccount.key}\r\n\r\n`;
  await openRequests(60, [`${request.repeat(6)}${requestLine}`]);
  for (const socket of sockets) socket.pause();
  await eventually(
    () => Promise.resolve(server.log.filter(({ status }) => status === 503)),
    (refused) => refused.length > 0,
  );
  for (let count = 0; count < 5; count += 1)
    expect(await readSite(otherAccount)).toMatchObject({ status: 200 });
  for (const socket of sockets) socket.destroy();
  await eventually(
    () => readSite(greedyAccount),
    ({ status }) => status === 200,
  );
});

it('bytes of finished requests are available again', async () => {
  for (let count = 0; count < 20; count += 1) {
    expect(await update(greedyAccount)).toMatchObject({ status: 200 });
    expect((await readSite(greedyAccount)).text.length).toBeGreaterThan(MIB * 0.8);
  }
});

it('chunks of a body count what they take in memory, however small they are', async () => {
  const app = Fastify()
    .decorateRequest('inFlightBytes', 0)
    .decorateRequest('inFlightKey', undefined);
  limitInFlightBytes(app, { getShareKey: () => 'account' }, { gate: 'bytes', totalBytes: MIB });
  app.post('/', async () => 'received');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = await openSocket((app.server.address() as AddressInfo).port);
  const head = requestText('POST', '/', 'Content-Type: text/plain\r\nTransfer-Encoding: chunked');
  socket.end(`${head}${'1\r\n \r\n'.repeat(5_000)}0\r\n\r\n`);
  expect(await readAll(socket)).toContain(new OverloadedError('bytes').message);
  await app.close();
});

it.each(['authentication', 'handler'])(
  'bytes of a client that disconnects during the %s are not kept',
  async (step) => {
    const app = Fastify()
      .decorateRequest('inFlightBytes', 0)
      .decorateRequest('inFlightKey', undefined);
    const [started, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waitForDisconnect = async (_request: unknown, reply: FastifyReply) => {
      started.resolve();
      await once(reply.raw, 'close');
    };
    if (step === 'authentication') app.addHook('onRequest', waitForDisconnect);
    let readBytes = () => NaN;
    limitInFlightBytes(app, {
      getShareKey: () => 'account',
      registerGauge: (read) => void (readBytes = read),
    });
    app.addHook('onSend', async () => sent.resolve());
    app.get('/', async (request, reply) => {
      if (step === 'handler') await waitForDisconnect(request, reply);
      return 'x'.repeat(MIB);
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const socket = await openSocket((app.server.address() as AddressInfo).port);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await started.promise;
    socket.destroy();
    await sent.promise;
    expect(readBytes()).toBe(0);
    await app.close();
  },
);
