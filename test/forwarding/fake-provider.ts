import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../support/listen.ts';

export interface FakeResponse {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface FakeRequest {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  body: any;
  authorization: string | undefined;
}

/** A simulated fault of the provider. */
type Fault =
  | { kind: 'disconnect' }
  /** The request is processed, but its response is lost. */
  | { kind: 'lose response' }
  /** The connection is closed at once. The request is processed when `released` resolves. */
  | { kind: 'process late'; released: Promise<void> }
  | { kind: 'hang' }
  | { kind: 'slow'; milliseconds: number }
  | { kind: 'respond'; response: FakeResponse; text?: string };

export interface FakeProvider {
  url: string;
  requests: FakeRequest[];
  /** Names that had two slow requests in flight at once. */
  overlaps: string[];
  faultFor: (request: FakeRequest) => Fault | undefined;
  close: () => Promise<void>;
}

/** The fault of a provider that sends this response. */
export function respondWith(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Fault {
  return { kind: 'respond', response: { status, body, headers } };
}

/** Starts an HTTP server on loopback that responds with the results of `handle`. */
export async function startFakeProvider(
  handle: (request: FakeRequest) => FakeResponse,
): Promise<FakeProvider> {
  const fake: FakeProvider = {
    url: '',
    requests: [],
    overlaps: [],
    faultFor: () => undefined,
    close: () => Promise.resolve(),
  };
  const server = createServer((request, response) => {
    respond(fake, handle, request, response).catch(() => response.destroy());
  });
  const { url, close } = await listen(server);
  return Object.assign(fake, { url, close });
}

async function respond(
  fake: FakeProvider,
  handle: (request: FakeRequest) => FakeResponse,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const request = await parseRequest(incoming);
  fake.requests.push(request);
  const fault = fake.faultFor(request);
  switch (fault?.kind) {
    case 'disconnect':
      return void incoming.socket.destroy();
    case 'hang':
      return;
    case 'slow':
      return respondSlowly(fake, handle, request, response, fault.milliseconds);
    case 'lose response':
      handle(request);
      return void incoming.socket.destroy();
    case 'process late':
      incoming.socket.destroy();
      await fault.released;
      return void handle(request);
    case 'respond':
      return sendResponse(response, fault.response, fault.text);
    case undefined:
      return sendResponse(response, handle(request));
  }
}

const inFlightNames = new WeakMap<FakeProvider, Set<string>>();

async function respondSlowly(
  fake: FakeProvider,
  handle: (request: FakeRequest) => FakeResponse,
  request: FakeRequest,
  response: ServerResponse,
  milliseconds: number,
): Promise<void> {
  const activeNames = inFlightNames.get(fake) ?? new Set();
  inFlightNames.set(fake, activeNames);
  const name: string = request.body?.alias ?? request.path.split('/').at(-1);
  if (activeNames.has(name)) fake.overlaps.push(name);
  activeNames.add(name);
  await sleep(milliseconds);
  activeNames.delete(name);
  sendResponse(response, handle(request));
}

async function parseRequest(incoming: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://localhost');
  return {
    method: incoming.method ?? '',
    path: pathname,
    query: searchParams,
    body: text === '' ? undefined : JSON.parse(text),
    authorization: incoming.headers.authorization,
  };
}

function sendResponse(response: ServerResponse, fakeResponse: FakeResponse, text?: string): void {
  response
    .writeHead(fakeResponse.status, { 'content-type': 'application/json', ...fakeResponse.headers })
    .end(text ?? (fakeResponse.body === undefined ? '' : JSON.stringify(fakeResponse.body)));
}

export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
