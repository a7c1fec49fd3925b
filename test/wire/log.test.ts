import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { revokeApiKey } from '#db/queries/api-keys.ts';
import { failWrites } from '../support/fail-writes.ts';
import { eventually } from '../support/eventually.ts';
import { sendRaw, openSocket, readAll } from '../support/raw-socket.ts';
import { useServer } from '../support/use-server.ts';
import { withTitles } from '../support/with-titles.ts';
import { waitForBlockedQuery } from '../support/database-locks.ts';

const STATUS = '/site/get-site-status';
const TOGGLE = '/site/toggle-site-visibility';
const UPDATE = '/site/update-site-configuration';
const HALF_A_BODY = ['Content-Type: application/json', 'Content-Length: 100'];

let port: number;
const { server, account } = useServer({ account: true, corsOrigins: ['https://app.example'] });
beforeAll(async () => {
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  port = (server.app.server.address() as AddressInfo).port;
});
beforeEach(() => {
  server.log.length = 0;
});

function ask(method: string, path: string, ...lines: string[]): string {
  return `${[`${method} ${path} HTTP/1.1`, 'Host: x', ...lines].join('\r\n')}\r\n\r\n`;
}

function asOwner(method: string, path: string, ...lines: string[]): string {
  return ask(method, path, `X-API-KEY: ${account.key}`, ...lines);
}

/** Opens a connection and sends text. Returns both ends and a function that resets it. */
async function send(text: string) {
  const connected = once(server.app.server, 'connection') as Promise<[Socket]>;
  const socket = await openSocket(port);
  onTestFinished(() => void socket.destroy());
  const [accepted] = await connected;
  socket.write(text);
  const reset = async () => {
    socket.resetAndDestroy();
    if (!accepted.closed) await new Promise((resolve) => accepted.once('close', resolve));
  };
  return { socket, accepted, reset };
}

/**
 * Sends a request that waits for a locked table, and resets the connection before the lock ends.
 */
async function disconnectWhileLocked(text: string, table: string): Promise<void> {
  const { db } = server.database;
  await db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE ${sql.table(table)}`.execute(trx);
    const { reset } = await send(text);
    await waitForBlockedQuery(trx);
    await reset();
    expect(server.log).toEqual([]);
  });
}

/** Waits for exactly this many log lines. */
async function waitForLog(count = 1): Promise<Record<string, unknown>[]> {
  await eventually(() => expect(server.log.length).toBeGreaterThanOrEqual(count));
  await sendRaw(port, ask('GET', '/healthz', 'Connection: close'));
  return server.log.filter(({ path }) => path !== '/healthz');
}

describe('a request whose client disconnects has one log line', () => {
  it('with the result, although the client did not get it', async () => {
    await disconnectWhileLocked(
      asOwner('POST', TOGGLE, 'X-Request-Id: hung-up', 'Idempotency-Key: k'),
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

  it.each(['GET', 'HEAD'])('as a %s', async (method) => {
    await disconnectWhileLocked(asOwner(method, STATUS), 'sites');
    expect(await waitForLog()).toMatchObject([
      { method, path: STATUS, status: 200, aborted: true },
    ]);
  });

  it('when the guard refuses it', async () => {
    const { key } = await server.createAccount();
    const [keyId = ''] = key.split('.');
    await revokeApiKey(server.database.db, keyId);
    await disconnectWhileLocked(ask('POST', TOGGLE, `X-API-KEY: ${key}`), 'api_keys');
    expect(await waitForLog()).toMatchObject([
      { path: TOGGLE, status: 401, aborted: true, reason: 'keyRevoked', keyId },
    ]);
  });

  it('when half of its body had arrived and the key was being looked up', async () => {
    const { key } = await server.createAccount();
    await disconnectWhileLocked(
      `${ask('POST', UPDATE, `X-API-KEY: ${key}`, ...HALF_A_BODY)}{"bio":`,
      'api_keys',
    );
    expect(await waitForLog()).toMatchObject([
      { path: UPDATE, status: 400, aborted: true, reason: 'bodyIncomplete' },
    ]);
  });

  it('when half of its body had arrived and the rest was missing', async () => {
    const resumed = once(server.app.server, 'request');
    const { reset } = await send(`${asOwner('POST', UPDATE, ...HALF_A_BODY)}{"bio":`);
    const [request] = (await resumed) as [NodeJS.ReadableStream];
    await eventually(() => expect(request.listenerCount('data')).toBe(1));
    await reset();
    expect(await waitForLog()).toMatchObject([
      { path: UPDATE, status: 400, aborted: true, reason: 'bodyIncomplete' },
    ]);
  });

  it('when it failed', async () => {
    const { id, key } = await server.createAccount();
    const mend = await failWrites(server.database.db, {
      table: 'sites',
      operation: 'INSERT',
      accountId: id,
    });
    await disconnectWhileLocked(ask('POST', TOGGLE, `X-API-KEY: ${key}`), 'sites');
    const [failure, ...rest] = await waitForLog(2);
    await mend();
    expect(failure).toMatchObject({ level: 50, msg: 'The visibility could not be updated.' });
    expect(rest).toMatchObject([
      { path: TOGGLE, status: 500, aborted: true, reason: 'internalError' },
    ]);
  });

  it('as a page', async () => {
    await disconnectWhileLocked(ask('GET', '/@nobody-has-it'), 'display_names');
    expect(await waitForLog()).toMatchObject([{ path: '/@:name', status: 404, aborted: true }]);
  });

  it('when part of the response was sent', async () => {
    const { socket, accepted, reset } = await send(ask('GET', '/docs/js/scalar.js').repeat(20));
    socket.pause();
    // More than the system buffers for a client that does not read.
    await eventually(() => expect(accepted.writableLength).toBeGreaterThan(0));
    await reset();
    const all = await waitForLog(20);
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(all.at(-1)).toMatchObject({ aborted: true });
  });
});

describe('a request that never reaches the framework has one log line, with the id of its response', () => {
  it.each(
    withTitles([
      ['garbage\r\n\r\n', { status: 400, reason: 'requestMalformed' }],
      [ask('GET', '/', `X: ${'x'.repeat(17_000)}`), { status: 431, reason: 'headersTooLarge' }],
      [ask('GET', '/%ff'), { method: 'GET', status: 400, reason: 'urlInvalid' }],
      [
        ask('GET', `/@${'x'.repeat(101)}`, 'X-Request-Id: mine'),
        { method: 'GET', status: 404, reason: 'pathNotFound', requestId: 'mine' },
      ],
    ] as const),
  )('$title', async ({ value: [text, line] }) => {
    const { socket } = await send(text.replace('Host: x', 'Host: x\r\nConnection: close'));
    const id = /x-request-id: (\S+)/i.exec(await readAll(socket))?.[1];
    expect(await waitForLog()).toMatchObject([{ msg: 'request', requestId: id, ...line }]);
    expect(server.log[0]).not.toHaveProperty('aborted');
  });

  it('when it times out, before or after it reached the framework', async () => {
    const { server: http } = server.app;
    const { headersTimeout, requestTimeout } = http;
    Object.assign(http, { headersTimeout: 200, requestTimeout: 400 });
    try {
      for (const text of [
        `POST ${UPDATE} HTTP/1.1\r\nHost: x\r\n`,
        `${asOwner('POST', UPDATE, ...HALF_A_BODY)}{"bio":`,
      ]) {
        server.log.length = 0;
        const { socket } = await send(text);
        const response = await readAll(socket);
        expect(response).toMatch(/^HTTP\/1.1 408 /);
        const requestId = /x-request-id: (\S+)/i.exec(response)?.[1];
        const all = await waitForLog();
        expect(all).toMatchObject([{ requestId, status: 408, reason: 'requestTimeout' }]);
        expect(all[0]).not.toHaveProperty('aborted');
      }
    } finally {
      Object.assign(http, { headersTimeout, requestTimeout });
    }
  });

  it('when its body is invalid or incomplete', async () => {
    const chunked = [...HALF_A_BODY.slice(0, 1), 'Transfer-Encoding: chunked'];
    for (const end of ['zz\r\n', undefined]) {
      server.log.length = 0;
      const { socket } = await send(`${asOwner('POST', UPDATE, ...chunked)}2\r\n{}\r\n`);
      if (end) socket.write(end);
      else socket.end();
      const response = await readAll(socket);
      expect(response).toMatch(/^HTTP\/1.1 400 /);
      const requestId = /x-request-id: (\S+)/i.exec(response)?.[1];
      expect(await waitForLog()).toMatchObject([
        { requestId, status: 400, reason: 'requestMalformed' },
      ]);
    }
  });
});

it('an invalid URL gets a response that allowed origins can read', async () => {
  const text = ask('GET', '/%ff', 'Origin: https://app.example', 'Connection: close');
  const [response] = await sendRaw(port, text);
  expect(response).toMatchObject({
    status: 400,
    headers: {
      'access-control-allow-origin': 'https://app.example',
      'access-control-expose-headers': expect.stringContaining('x-request-id'),
    },
    body: '{"error":"The URL is not valid."}',
  });
});
