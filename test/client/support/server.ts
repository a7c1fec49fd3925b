import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { type ClientOptions, type FetchInit, Nameplate } from '#client/index.ts';
import { listen, respondJson } from '#test/support/listen.ts';

export const apiKey = 'np_test.secret';

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Starts a server that records requests. It is closed after the test. */
export async function startServer(
  handler: (response: ServerResponse, request: ReceivedRequest, count: number) => void,
): Promise<{ url: string; received: ReceivedRequest[] }> {
  const received: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
      received.push(request);
      handler(response, request, received.length);
    });
  });
  const { url, close } = await listen(server);
  onTestFinished(close);
  return { url, received };
}

/** Starts a server that records requests, and creates a client for it. */
export async function startClient(
  handler: Parameters<typeof startServer>[0],
  options: Partial<ClientOptions> = {},
) {
  const { url, received } = await startServer(handler);
  return { client: new Nameplate({ apiKey, baseUrl: url, ...options }), url, received };
}

export function startBusyServer(body = {}, headers: Record<string, string> = {}) {
  return startServer((response, _request, count) => {
    const requestId = { 'x-request-id': `req-${count}` };
    if (count > 1) respondJson(response, 200, body, requestId);
    else {
      const busyHeaders = { 'retry-after': '0', ...requestId, ...headers };
      respondJson(response, 503, { error: 'Busy.' }, busyHeaders);
    }
  });
}

/** A `fetch` that always succeeds, and its calls. */
export function createRecordingFetch() {
  const calls: { url: string; init: FetchInit & Record<string, unknown> }[] = [];
  const fetch = (url: string, init: FetchInit) => {
    calls.push({ url, init: { ...init } });
    return Promise.resolve(Response.json({}));
  };
  return { fetch, calls };
}
