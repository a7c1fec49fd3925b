import type { Socket } from 'node:net';
import type { RefusalError } from '../service/refusal.ts';
import { JSON_HEADERS, refusalHeaders } from './headers.ts';
import { STATUS_CODES } from './node-http.ts';

/** How long the other side may take to read what was said last. */
const LINGER_MS = 1_000;

/** Refuses on a connection that the framework does not know, and ends it. */
export function refuseOnSocket(socket: Socket, refusal: RefusalError, requestId: string): void {
  const { status } = refusal;
  const { headers, body } = closingAnswer(refusal, requestId);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
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

/** Headers and body of a refusal after which the connection ends. */
export function closingAnswer(
  refusal: RefusalError,
  requestId: string,
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify({ error: refusal.message });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    'x-request-id': requestId,
    ...JSON_HEADERS,
    ...refusalHeaders(refusal),
  };
  return { headers, body };
}
