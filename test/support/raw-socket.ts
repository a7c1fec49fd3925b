import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { expectErrorBody, expectErrorCode, expectStandardHeaders } from './every-answer.ts';

/** An answer as it came over the wire. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Opens a connection to a loopback port; an end that the other side makes is no error. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Everything that the other side sends until it closes the connection. */
export async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  // A reset is an end as well, also where nobody waits for it: `once` would reject.
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  socket.destroy();
  return Buffer.concat(chunks).toString('latin1');
}

/** Sends bytes and reads what comes until the other side closes the connection. */
export async function exchange(port: number, ...parts: (string | Buffer)[]): Promise<RawAnswer[]> {
  const socket = await openSocket(port);
  const reading = readAll(socket);
  for (const part of parts)
    socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
  return parseAnswers(await reading);
}

/** Splits what came over a connection into answers, each of the length that it says. */
export function parseAnswers(text: string): RawAnswer[] {
  if (text === '') return [];
  const end = text.indexOf('\r\n\r\n');
  const [statusLine, ...lines] = text.slice(0, end).split('\r\n') as [string, ...string[]];
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const length = Number(headers['content-length'] ?? 0);
  const body = text.slice(end + 4, end + 4 + length);
  return [{ status, headers, body }, ...parseAnswers(text.slice(end + 4 + length))];
}

/** Holds an answer to what every refusal promises. */
export function expectRefusal(answer: RawAnswer | undefined, status: number): void {
  expect(answer).toMatchObject({ status });
  expectStandardHeaders(answer!.headers);
  expectErrorBody(JSON.parse(answer!.body));
  expectErrorCode(status, answer!.headers['x-error-code']);
}
