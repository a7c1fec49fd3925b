import { getEventListeners } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import { APIAbortError, APITimeoutError, Nameplate } from '#client/index.ts';
import { respondJson } from '../support/listen.ts';
import { catchError } from './support/catch-error.ts';
import { apiKey, startClient } from './support/server.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('the timeout covers the time until the headers arrive', async () => {
  const { client, url, received } = await startClient(() => {}, { timeout: 50, maxRetries: 0 });
  const error = await catchError(client.site.getSiteStatus());
  expect(error).toBeInstanceOf(APITimeoutError);
  expect(error).toMatchObject({
    message: `GET ${url}/site/get-site-status did not complete within 50 ms.`,
  });
  expect(received.length).toBeLessThanOrEqual(1);
});

it('the timeout covers the time until the body is complete', async () => {
  const { client } = await startClient(
    (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
    },
    { maxRetries: 0 },
  );
  const error = await catchError(client.site.toggleSiteVisibility({ timeout: 100 }));
  expect(error).toBeInstanceOf(APITimeoutError);
  expect(error).toMatchObject({ idempotencyKey: expect.any(String) as string });
});

it('the abort signal prevents the request if it is aborted before the call', async () => {
  const { client, received } = await startClient((response) => respondJson(response, 200, {}));
  const signal = AbortSignal.abort('changed my mind');
  const error = await catchError(client.site.getSiteStatus({ signal }));
  expect(error).toBeInstanceOf(APIAbortError);
  expect(error).toMatchObject({ message: 'The call was aborted.', cause: 'changed my mind' });
  expect(received).toEqual([]);
});

it('the abort signal closes the connection if it is aborted during the request, without a retry', async () => {
  const controller = new AbortController();
  const closed = Promise.withResolvers<void>();
  const { client, received } = await startClient((response) => {
    response.on('close', () => closed.resolve());
    controller.abort();
  });
  const { signal } = controller;
  expect(await catchError(client.site.getSiteStatus({ signal }))).toBeInstanceOf(APIAbortError);
  await closed.promise;
  expect(received).toHaveLength(1);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('the abort signal ends the call if it is aborted during the body', async () => {
  const controller = new AbortController();
  const { client } = await startClient((response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{', () => controller.abort());
  });
  const { signal } = controller;
  expect(await catchError(client.site.getSiteStatus({ signal }))).toBeInstanceOf(APIAbortError);
});

it('the abort signal ends the wait between two attempts, and leaves no timer or listener', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const controller = new AbortController();
  let requests = 0;
  const client = new Nameplate({
    apiKey,
    fetch: () => {
      requests += 1;
      return Promise.resolve(
        Response.json({ error: 'Later.' }, { status: 503, headers: { 'retry-after': '60' } }),
      );
    },
    logger: { warn: () => setImmediate(() => controller.abort()) },
  });
  const { signal } = controller;
  const error = await catchError(client.site.toggleSiteVisibility({ signal }));
  expect(error).toBeInstanceOf(APIAbortError);
  expect(error).toMatchObject({ idempotencyKey: expect.any(String) as string });
  expect(requests).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('the abort signal has one listener for concurrent calls, and aborts all of them', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const client = new Nameplate({ apiKey, fetch: () => new Promise(() => {}) });
  const calls = Array.from({ length: 50 }, () => catchError(client.site.getSiteStatus({ signal })));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  controller.abort();
  for (const error of await Promise.all(calls)) expect(error).toBeInstanceOf(APIAbortError);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
