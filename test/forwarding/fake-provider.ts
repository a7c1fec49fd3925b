import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

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
  /** The connection is closed at once. The request is processed when `gate` resolves. */
  | { kind: 'process late'; gate: Promise<void> }
  | { kind: 'hang' }
  | { kind: 'slow'; milliseconds: number }
  | { kind: 'respond'; response: FakeResponse; text?: string };

export interface FakeProvider {
  url: string;
  requests: FakeRequest[];
  /** Names that had two slow requests in flight at once. */
  overlaps: string[];
  /** Returns the fault to simulate for a request, if any. */
  faultFor: (request: FakeRequest) => Fault | undefined;
  close: () => Promise<void>;
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
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((request, response) => {
    serve(fake, handle, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}

async function serve(
  fake: FakeProvider,
  handle: (request: FakeRequest) => FakeResponse,
  raw: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const request = await read(raw);
  fake.requests.push(request);
  const fault = fake.faultFor(request);
  switch (fault?.kind) {
    case 'disconnect':
      return void raw.socket.destroy();
    case 'hang':
      return;
    case 'slow':
      return serveSlowly(fake, handle, request, response, fault.milliseconds);
    case 'lose response':
      handle(request);
      return void raw.socket.destroy();
    case 'process late':
      raw.socket.destroy();
      await fault.gate;
      return void handle(request);
    case 'respond':
      return send(response, fault.response, fault.text);
    case undefined:
      return send(response, handle(request));
  }
}

const inFlightNames = new WeakMap<FakeProvider, Set<string>>();

async function serveSlowly(
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
  send(response, handle(request));
}

async function read(raw: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of raw) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const { pathname, searchParams } = new URL(raw.url ?? '/', 'http://localhost');
  return {
    method: raw.method ?? '',
    path: pathname,
    query: searchParams,
    body: text === '' ? undefined : JSON.parse(text),
    authorization: raw.headers.authorization,
  };
}

function send(response: ServerResponse, fakeResponse: FakeResponse, text?: string): void {
  response
    .writeHead(fakeResponse.status, { 'content-type': 'application/json', ...fakeResponse.headers })
    .end(text ?? (fakeResponse.body === undefined ? '' : JSON.stringify(fakeResponse.body)));
}

/** The value of a Basic `Authorization` header. */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
