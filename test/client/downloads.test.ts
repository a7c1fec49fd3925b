import { getEventListeners, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, vi } from 'vitest';
import { BadRequestError, NameplateError } from '#client/index.ts';
import { readRows } from '#client/owner.ts';
import { eventually } from '../support/eventually.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { respondJson } from '../support/listen.ts';
import { catchError } from './support/catch-error.ts';
import { startClient } from './support/server.ts';

const path = '/export';

/** Starts a server that sends the beginning of a download. The test sends the rest. */
async function startDownload(beginning: string) {
  const responses: ServerResponse[] = [];
  const { client } = await startClient((response) => {
    responses.push(response);
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write(beginning);
  });
  return { client, responses };
}

it('asResponse streams the body while the server still sends it', async () => {
  const { client, responses } = await startDownload('first');
  const response = await client.request('GET', path).asResponse();
  expect(response.headers.get('content-type')).toBe('text/plain');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe('first');
  responses[0]!.end('second');
  expect((await reader.read()).value).toBe('second');
});

it('asResponse retries until the headers arrive, and throws the errors of the server', async () => {
  const { client, received } = await startClient((response, _request, count) => {
    if (count === 1) respondJson(response, 503, { error: 'Busy.' }, { 'retry-after': '0' });
    else if (count === 2) response.end('text');
    else respondJson(response, 400, { error: 'No.' });
  });
  expect(await (await client.request('GET', path).asResponse()).text()).toBe('text');
  expect(received).toHaveLength(2);
  expect(await catchError(client.request('GET', path).asResponse())).toMatchObject({
    constructor: BadRequestError,
    message: 'No.',
    path,
  });
});

it('asResponse ends the time limit when the headers arrive; the signal still stops the body', async () => {
  const { client, responses } = await startDownload('first');
  const controller = new AbortController();
  const { signal } = controller;
  fakeTimers(['setTimeout', 'clearTimeout']);
  const response = await client
    .request('GET', path, undefined, { timeout: 60_000, signal })
    .asResponse();
  vi.advanceTimersByTime(60_000);
  const closed = once(responses[0]!, 'close');
  const text = catchError(response.text());
  controller.abort();
  expect(await text).toMatchObject({ name: 'APIAbortError' });
  await closed;
});

it('asResponse leaves no listener on the signal of a body that was read, cancelled or dropped', async () => {
  const { client } = await startClient((response) => {
    response.writeHead(200, { 'content-length': 200_000 });
    response.end('x'.repeat(200_000));
  });
  const { signal } = new AbortController();
  const download = () => client.request('GET', path, undefined, { signal }).asResponse();
  await (await download()).text();
  await eventually(() => expect(getEventListeners(signal, 'abort')).toEqual([]));
  await (await download()).body!.cancel();
  await eventually(() => expect(getEventListeners(signal, 'abort')).toEqual([]));
  await download();
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  await eventually(() => {
    collectGarbage();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

it('asResponse is refused after the body was read as JSON', async () => {
  const { client } = await startClient((response) => respondJson(response, 200, { a: 1 }));
  const call = client.request('GET', path);
  expect(await call).toEqual({ a: 1 });
  expect(await catchError(call.asResponse())).toBeInstanceOf(NameplateError);
});

it('readRows reads rows that arrive in parts', async () => {
  const bytes = new TextEncoder().encode('{"a":"ü"}\n{"a":"💥"}\n{"a":3}');
  const body = ReadableStream.from(Array.from(bytes, (byte) => Uint8Array.of(byte)));
  const rows = [];
  for await (const row of readRows(new Response(body))) rows.push(row);
  expect(rows).toEqual([{ a: 'ü' }, { a: '💥' }, { a: 3 }]);
});

it('readRows stops the download when the loop ends', async () => {
  const { client, responses } = await startDownload('{"a":1}\n{"a":2}\n');
  const response = await client.request('GET', path).asResponse();
  const closed = once(responses[0]!, 'close');
  for await (const row of readRows(response)) {
    expect(row).toEqual({ a: 1 });
    break;
  }
  await closed;
});
