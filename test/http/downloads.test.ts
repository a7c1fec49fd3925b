import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { expect, it, onTestFinished, vi } from 'vitest';
import { listRoutes } from '#contract/define-endpoints.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { limitDownloads } from '#server/platform/http/responses/downloads.ts';
import { fakeTimers } from '../support/fake-timers.ts';

/** A server with one file, and a function that starts to download it as an account. */
async function serveFile(readFile: () => AsyncIterable<string>) {
  const app = Fastify();
  limitDownloads(app, ({ headers }) => headers.from!);
  const config = { tsRestRoute: { metadata: { fileTypes: ['text/csv'] } } } as never;
  app.get('/', { config }, () => Readable.from(readFile()));
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return async (from: string, method = 'GET') => {
    const request = get({ port, host: '127.0.0.1', method, headers: { from }, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    onTestFinished(() => void response.destroy());
    return response;
  };
}

it('a download whose client stops reading ends, and until then leaves room for other accounts', async () => {
  // Node's own timers stay real.
  fakeTimers(['setTimeout', 'clearTimeout']);
  let open = 0;
  async function* readFile() {
    open += 1;
    try {
      for (;;) yield 'x'.repeat(300_000);
    } finally {
      open -= 1;
    }
  }
  const download = await serveFile(readFile);
  for (const account of ['a', 'a', 'b']) expect((await download(account)).statusCode).toBe(200);
  const refused = await download('a');
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10']);
  const isOpenLater = () => {
    vi.advanceTimersByTime(30_000);
    return open > 0;
  };
  await expect.poll(isOpenLater).toBe(false);
  expect((await download('a')).statusCode).toBe(200);
});

it('a download for HEAD reads nothing', async () => {
  let chunks = 0;
  async function* readFile() {
    chunks += 1;
    yield 'x';
  }
  const download = await serveFile(readFile);
  expect((await download('a', 'HEAD')).statusCode).toBe(200);
  expect(await text(await download('a'))).toBe('x');
  expect(chunks).toBe(1);
});

it('a file that cannot be read is an error at the beginning, and later an incomplete response', async () => {
  async function* readFile(bytes: number) {
    yield 'x'.repeat(bytes);
    throw new Error('too slow');
  }
  const downloadSmall = await serveFile(() => readFile(65_535));
  expect((await downloadSmall('a')).statusCode).toBe(500);
  const downloadLarge = await serveFile(() => readFile(65_536));
  const response = await downloadLarge('a');
  expect(response.statusCode).toBe(200);
  await expect(text(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

it('every file that is read while it is sent says that an account can have two', () => {
  const files = listRoutes(ownerContract).filter(({ metadata }) => metadata.fileTypes);
  expect(files.length).toBeGreaterThan(0);
  for (const { path, metadata } of files)
    expect(Object.keys(metadata.refusals), path).toContain('exportInProgress');
});
