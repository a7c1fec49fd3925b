import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { beforeAll, expect, onTestFinished } from 'vitest';
import {
  expectErrorBody,
  expectErrorCode,
  expectStandardHeaders,
} from './response-expectations.ts';
import type { TestApp } from './test-app.ts';

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Connects to a loopback port. Ignores later errors, such as a reset by the server. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Listens on a free port for all tests of a file. The returned function gives the port. */
export function useListening(server: TestApp): () => number {
  beforeAll(() => server.app.listen({ port: 0, host: '127.0.0.1' }));
  return () => (server.app.server.address() as AddressInfo).port;
}

export async function openConnection({ app }: TestApp) {
  const connected = once(app.server, 'connection') as Promise<[Socket]>;
  const socket = await openSocket((app.server.address() as AddressInfo).port);
  onTestFinished(() => void socket.destroy());
  const [serverSocket] = await connected;
  return { socket, serverSocket };
}

export async function waitUntilClosed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

/** A request with these headers, without a body. */
export function requestText(method: string, path: string, ...lines: string[]): string {
  return `${[`${method} ${path} HTTP/1.1`, 'Host: x', ...lines].join('\r\n')}\r\n\r\n`;
}

/** Reads until the server closes the connection. */
export async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  // Not `once` from `node:events`, which rejects if the server resets the connection.
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  socket.destroy();
  return Buffer.concat(chunks).toString('latin1');
}

/** Sends raw bytes, waits until the server closes the connection, and parses the responses. */
export async function sendRaw(
  port: number,
  ...chunks: (string | Buffer)[]
): Promise<RawResponse[]> {
  const socket = await openSocket(port);
  const received = readAll(socket);
  for (const chunk of chunks)
    socket.write(typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk);
  return parseResponses(await received);
}

/** Parses consecutive HTTP responses by their Content-Length. */
export function parseResponses(text: string): RawResponse[] {
  if (text === '') return [];
  const headerEnd = text.indexOf('\r\n\r\n');
  const bodyStart = headerEnd + 4;
  const [statusLine, ...headerLines] = text.slice(0, headerEnd).split('\r\n') as [
    string,
    ...string[],
  ];
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const headers = Object.fromEntries(
    headerLines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const length = Number(headers['content-length'] ?? 0);
  const body = text.slice(bodyStart, bodyStart + length);
  return [{ status, headers, body }, ...parseResponses(text.slice(bodyStart + length))];
}

/** Checks an error response's status, headers, body and code. */
export function expectRefusal(response: RawResponse | undefined, status: number): void {
  expect(response).toMatchObject({ status });
  expectStandardHeaders(response!.headers);
  expectErrorBody(JSON.parse(response!.body));
  expectErrorCode(status, response!.headers);
}
