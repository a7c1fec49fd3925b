import type { Socket } from 'node:net';
import type { RefusalError } from '../../service/refusal.ts';
import { JSON_HEADERS, refusalHeaders } from '../answers/headers.ts';
import { STATUS_CODES } from './node-http.ts';

/** Time for the client to read the last answer, in milliseconds. */
const LINGER_MS = 1_000;

/** Refuses on a connection that has left Node's parser, and closes it. */
export function closeWithAnswer(socket: Socket, refusal: RefusalError, requestId: string): void {
  const { status } = refusal;
  const body = JSON.stringify({ error: refusal.message });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    'x-request-id': requestId,
    ...JSON_HEADERS,
    ...refusalHeaders(refusal),
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${body}`);
  closeUnread(socket);
}

/** Closes a connection without reading on. Closing at once would reset it, and the client could miss the answer. */
export function closeUnread(socket: Socket): void {
  socket.end();
  setImmediate(() => socket.pause());
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
