import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import {
  exchange,
  expectRefusal,
  openSocket,
  parseAnswers,
  readAll,
} from '../support/raw-socket.ts';
import { useServer } from '../support/use-server.ts';
import { titled } from '../support/titled.ts';

let port: number;
const { server, account } = useServer({ account: true });
beforeAll(async () => {
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  port = (server.app.server.address() as AddressInfo).port;
});

/** Opens a connection; both of its ends. */
async function open(): Promise<{ socket: Socket; accepted: Socket }> {
  const connected = once(server.app.server, 'connection') as Promise<[Socket]>;
  const socket = await openSocket(port);
  onTestFinished(() => void socket.destroy());
  const [accepted] = await connected;
  return { socket, accepted };
}

/** Waits until a connection is closed, in whatever way. */
async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

function ask(method: string, path: string, ...lines: string[]): string {
  return `${[`${method} ${path} HTTP/1.1`, 'Host: x', ...lines].join('\r\n')}\r\n\r\n`;
}

const LAST = ask('GET', '/healthz', 'Connection: close');

function toggle(...lines: string[]): string {
  return ask('POST', '/site/toggle-site-visibility', `X-API-KEY: ${account.key}`, ...lines);
}

describe('a connection that the framework does not have', () => {
  const requests = titled(['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', ask('CONNECT', '/healthz')]);

  it.each(requests)('may be reset before and after the answer: $title', async ({ value }) => {
    const failed = vi.fn<(error: unknown) => void>();
    process.on('uncaughtException', failed);
    onTestFinished(() => void process.off('uncaughtException', failed));
    for (const waitForIt of [false, true]) {
      const { socket, accepted } = await open();
      socket.write(value);
      if (waitForIt) await once(socket, 'data');
      socket.resetAndDestroy();
      await closed(accepted);
    }
    expect(failed).not.toHaveBeenCalled();
  });

  it.each(requests)('is closed if its client does not do it: $title', async ({ value }) => {
    const { socket, accepted } = await open();
    socket.write(value);
    await closed(accepted);
    expect(parseAnswers(await readAll(socket))).toMatchObject([{ status: 405 }]);
  });
});

describe('CONNECT behind other requests', () => {
  it.each(
    titled([
      [ask('GET', '/healthz'), 200],
      [ask('GET', '/healthz', 'Expect: banana'), 417],
    ] as const),
  )('leaves the server alive: $title', async ({ value: [first, status] }) => {
    for (const target of ['a:1', '/healthz']) {
      const answers = await exchange(port, first + ask('CONNECT', target));
      expect(answers[0]).toMatchObject({ status });
    }
    expect(await exchange(port, LAST)).toMatchObject([{ status: 200 }]);
  });
});

describe('requests that are sent one after the other without waiting', () => {
  it('run one at a time, in their order', async () => {
    const sent = Array.from({ length: 40 }, () => toggle());
    const answers = await exchange(port, sent.join(''), LAST);
    expect(answers.slice(0, -1).map(({ body }) => JSON.parse(body) as unknown)).toEqual(
      sent.map((_, n) => ({ success: true, newStatus: n % 2 === 0 })),
    );
  });

  it('are not read on while one of them takes long', async () => {
    const { socket, accepted } = await open();
    const reading = readAll(socket);
    const count = 2_000;
    await server.database.db.transaction().execute(async (trx) => {
      await sql`LOCK TABLE sites IN EXCLUSIVE MODE`.execute(trx);
      socket.write(toggle());
      socket.write(ask('GET', '/healthz', `X: ${'x'.repeat(1_000)}`).repeat(count));
      socket.write(LAST);
      await eventually(() => accepted.isPaused(), Boolean);
      expect(accepted.bytesRead).toBeLessThan(1_000_000);
      // Nothing wakes it up.
      await exchange(port, LAST);
      expect(accepted.isPaused()).toBe(true);
    });
    const text = await reading;
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(count + 2);
  });

  it('are forgotten when the connection is gone', async () => {
    const { socket, accepted } = await open();
    const isOn = async () => (await account.client.site.getSiteStatus()).enabled;
    const before = await isOn();
    await server.database.db.transaction().execute(async (trx) => {
      await sql`LOCK TABLE sites IN EXCLUSIVE MODE`.execute(trx);
      socket.write(toggle().repeat(40));
      await eventually(() => accepted.bytesRead === toggle().length * 40, Boolean);
      accepted.destroy();
    });
    // The first one had begun.
    await eventually(isOn, (enabled) => enabled !== before);
    for (let round = 0; round < 40; round += 1) expect(await isOn()).toBe(!before);
  });
});

describe('bytes that cannot be read after a request', () => {
  it.each(
    titled([
      ['x', 400],
      ['x\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost x\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
      ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n', 400],
    ] as const),
  )('are refused when it is answered: $title', async ({ value: [garbage, status] }) => {
    const before = await account.client.site.getSiteStatus();
    const sent = `${toggle('Content-Type: application/json', 'Content-Length: 2')}{}`;
    const answers = await exchange(port, sent.repeat(3) + garbage);
    expect(answers.slice(0, 3).map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(answers).toHaveLength(4);
    expectRefusal(answers[3], status);
    const after = await account.client.site.getSiteStatus();
    expect(after.enabled).toBe(!before.enabled);
  });

  it('refuse a request of which they are a part at once, and nothing of it is done', async () => {
    const begun = `${toggle('Transfer-Encoding: chunked')}2\r\n{}\r\n`;
    const before = await account.client.site.getSiteStatus();
    const answers = await exchange(port, `${toggle()}${begun}zz\r\n`);
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    const after = await account.client.site.getSiteStatus();
    expect(after.enabled).toBe(!before.enabled);
  });
});

describe('a client that does not read', () => {
  it('is not waited for when it makes no progress', async () => {
    const { server: http } = server.app;
    expect(http.timeout).toBe(30_000);
    http.timeout = 200;
    try {
      const { socket, accepted } = await open();
      // More than the buffers of any system.
      socket.write(ask('GET', '/docs/js/scalar.js').repeat(20));
      await closed(accepted);
    } finally {
      http.timeout = 30_000;
    }
  });
});

describe('a reader of pages who does not read', () => {
  it('takes less than 64 KB while it is waited for', async () => {
    await account.client.account.updateDisplayName({ display_name: 'unread' });
    await account.client.site.updateSiteConfiguration({ bio: 'Much. '.repeat(80) });
    if (!(await account.client.site.getSiteStatus()).enabled)
      await account.client.site.toggleSiteVisibility();
    const { server: http } = server.app;
    http.timeout = 3_000;
    onTestFinished(() => {
      http.timeout = 30_000;
    });
    const { socket, accepted } = await open();
    let peak = 0;
    const watching = setInterval(() => (peak = Math.max(peak, accepted.writableLength)), 1);
    onTestFinished(() => clearInterval(watching));
    const requests = ask('GET', '/@unread');
    // More answers than the buffers of any system hold.
    socket.write(requests.repeat(40_000));
    await closed(accepted);
    expect(accepted.bytesRead).toBeLessThan(requests.length * 40_000);
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThan(65_536);
  });
});

describe('a body that is refused before it is read', () => {
  const MANY_BYTES = 200_000_000;
  const PIECE = Buffer.alloc(65_536, 'x');

  /** Sends a body until the connection is closed; how much of it the server has read. */
  async function pour(head: string, piece: Buffer): Promise<{ text: string; bytes: number }> {
    const { socket, accepted } = await open();
    const reading = readAll(socket);
    socket.write(head);
    for (let sent = 0; sent < MANY_BYTES && !accepted.destroyed; sent += piece.length)
      if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), closed(accepted)]);
    await closed(accepted);
    return { text: await reading, bytes: accepted.bytesRead };
  }

  it.each(
    titled([
      ['/site/update-site-configuration', 401],
      ['/nowhere', 404],
      ['/healthz', 405],
    ] as const),
  )('is not read to its end: $title', async ({ value: [path, status] }) => {
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), PIECE, Buffer.from('\r\n')]);
    for (const [line, piece] of [
      ['Transfer-Encoding: chunked', chunk],
      [`Content-Length: ${MANY_BYTES}`, PIECE],
    ] as const) {
      const { text, bytes } = await pour(ask('POST', path, line), piece);
      const [answer, ...more] = parseAnswers(text);
      expectRefusal(answer, status);
      expect(answer?.headers['connection']).toBe('close');
      expect(more).toEqual([]);
      expect(bytes).toBeLessThan(MANY_BYTES / 10);
    }
  });

  it('ends the connection: what follows it is not done', async () => {
    const before = await account.client.site.getSiteStatus();
    const body = `10\r\n${'x'.repeat(16)}\r\n0\r\n\r\n`;
    for (const behind of [toggle(), ask('CONNECT', '/healthz'), `${LAST}${ask('CONNECT', '/')}`]) {
      const { socket } = await open();
      const reading = readAll(socket);
      socket.write(ask('POST', '/nowhere', 'Transfer-Encoding: chunked'));
      await once(socket, 'data');
      socket.write(body + behind);
      expect(parseAnswers(await reading)).toMatchObject([{ status: 404 }]);
    }
    expect(await account.client.site.getSiteStatus()).toEqual(before);
    expect(await exchange(port, LAST)).toMatchObject([{ status: 200 }]);
  });
});
