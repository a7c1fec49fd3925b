import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FakeAnswer {
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

/** A simulated failure of a request. */
type Trouble =
  | { kind: 'dead' }
  /** The request is processed, but its response is lost. */
  | { kind: 'answer lost' }
  /** The request is processed after its caller has timed out. */
  | { kind: 'late'; gate: Promise<void> }
  | { kind: 'hang' }
  | { kind: 'slow'; milliseconds: number }
  | { kind: 'answer'; answer: FakeAnswer; text?: string };

export interface FakeProvider {
  url: string;
  requests: FakeRequest[];
  /** Names with two requests in flight at the same time. */
  overlaps: string[];
  /** Called for every request; returns the failure to simulate, if any. */
  trouble: (request: FakeRequest) => Trouble | undefined;
  close: () => Promise<void>;
}

/** Starts a fake provider on loopback, whose responses `handle` creates. */
export async function startFakeProvider(
  handle: (request: FakeRequest) => FakeAnswer,
): Promise<FakeProvider> {
  const fake: FakeProvider = {
    url: '',
    requests: [],
    overlaps: [],
    trouble: () => undefined,
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
  handle: (request: FakeRequest) => FakeAnswer,
  raw: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const request = await read(raw);
  fake.requests.push(request);
  const trouble = fake.trouble(request);
  switch (trouble?.kind) {
    case 'dead':
      return void raw.socket.destroy();
    case 'hang':
      return;
    case 'slow':
      return serveSlowly(fake, handle, request, response, trouble.milliseconds);
    case 'answer lost':
      handle(request);
      return void raw.socket.destroy();
    case 'late':
      raw.socket.destroy();
      await trouble.gate;
      return void handle(request);
    case 'answer':
      return send(response, trouble.answer, trouble.text);
    case undefined:
      return send(response, handle(request));
  }
}

const underWay = new WeakMap<FakeProvider, Set<string>>();

async function serveSlowly(
  fake: FakeProvider,
  handle: (request: FakeRequest) => FakeAnswer,
  request: FakeRequest,
  response: ServerResponse,
  milliseconds: number,
): Promise<void> {
  const active = underWay.get(fake) ?? new Set();
  underWay.set(fake, active);
  const name: string = request.body?.alias ?? request.path.split('/').at(-1);
  if (active.has(name)) fake.overlaps.push(name);
  active.add(name);
  await sleep(milliseconds);
  active.delete(name);
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

function send(response: ServerResponse, answer: FakeAnswer, text?: string): void {
  response
    .writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    .end(text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body)));
}

/** The value of a Basic `Authorization` header. */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
