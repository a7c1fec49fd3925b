import type { Socket } from 'node:net';
import type { RefusalError } from '../service/refusal.ts';
import { JSON_HEADERS } from './headers.ts';
import { STATUS_CODES } from './node-http.ts';

/** How long the other side may take to read what was said last. */
const LINGER_MS = 1_000;

/** Refuses on a connection that the framework does not know, and ends it. */
export function refuseOnSocket(
  socket: Socket,
  { status, message, headers }: RefusalError,
  requestId: string,
): void {
  const body = JSON.stringify({ error: message });
  const all = { ...closingHeaders(body, requestId), ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${body}`);
  endSoon(socket);
}

/** Ends a connection. What still comes is read for a moment, since a reset could overtake the answer. */
export function endSoon(socket: Socket): void {
  socket.end();
  socket.resume();
  cutSoon(socket);
}

/** Has a connection end with the answer under way, and reads nothing more of it. */
export function endUnread(socket: Socket): void {
  // Node calls it after an answer that is the last one, and a reset could overtake that.
  socket.destroySoon = () => {
    socket.end();
    setImmediate(() => socket.pause());
    cutSoon(socket);
  };
}

function cutSoon(socket: Socket): void {
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}

/** The headers of an answer in JSON after which the connection ends. */
export function closingHeaders(body: string, requestId: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    'x-request-id': requestId,
    ...JSON_HEADERS,
  };
}
