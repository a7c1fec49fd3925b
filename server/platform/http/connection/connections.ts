import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RefusalError } from '#server/platform/refusal.ts';
import { helpLink, JSON_HEADERS, refusalHeaders } from '../responses/headers.ts';

const CHECK_INTERVAL_MS = 1_000;
/** On shutdown, request bodies must have arrived after this many checks. */
const MAX_BODY_CHECKS = 4;
/** On shutdown, a client may leave its response unread for this long. */
const UNREAD_TIMEOUT_MS = 2_000;
/** Time for the client to read the last response. */
const LINGER_MS = 1_000;
/** Reading the rest of a body up to this size costs less than a new connection. */
const SMALL_BODY_BYTES = 65_536;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

export class Connections {
  readonly #lastExchanges = new Map<Socket, Exchange | undefined>();

  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#lastExchanges.set(socket, undefined);
      socket.once('close', () => this.#lastExchanges.delete(socket));
    });
    server.on('request', (request, response) =>
      this.#lastExchanges.set(request.socket, { request, response }),
    );
  }

  findPendingExchange(socket: Socket): Exchange | undefined {
    const last = this.#lastExchanges.get(socket);
    return last?.response.closed ? undefined : last;
  }

  /**
   * Until all connections are closed, regularly closes those that a shutdown should not wait for.
   * Node itself closes idle connections, but not connections without a complete request or with an
   * unread response.
   */
  close(): void {
    let checks = 0;
    const timer = setInterval(() => {
      checks += 1;
      for (const socket of this.#lastExchanges.keys()) {
        const pending = this.findPendingExchange(socket);
        const isArriving = pending?.request.complete === false;
        if (!pending || (isArriving && checks >= MAX_BODY_CHECKS)) socket.destroy();
        else if (socket.writableLength > 0 && socket.timeout !== UNREAD_TIMEOUT_MS)
          socket.setTimeout(UNREAD_TIMEOUT_MS);
      }
      if (this.#lastExchanges.size === 0) clearInterval(timer);
    }, CHECK_INTERVAL_MS).unref();
  }
}

/** For a socket that Node's HTTP parser no longer handles. */
export function closeWithRefusal(socket: Socket, refusal: RefusalError, requestId: string): void {
  const body = JSON.stringify({ error: refusal.message });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    'x-request-id': requestId,
    ...JSON_HEADERS,
    ...refusalHeaders(refusal),
    link: helpLink(refusal.code),
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${refusal.status} \r\n${head.join('')}\r\n${body}`);
  closeWithoutReading(socket);
}

/** Closing at once would reset the connection, and the client could miss the response. */
export function closeWithoutReading(socket: Socket): void {
  socket.end();
  setImmediate(() => socket.pause());
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Closes the connection after the response if much of the request body may be unread. Returns
 * whether it will.
 */
export function closeIfBodyUnread({ complete, headers, socket }: IncomingMessage): boolean {
  const isSmall =
    headers['transfer-encoding'] === undefined &&
    Number(headers['content-length'] ?? 0) <= SMALL_BODY_BYTES;
  if (complete || isSmall) return false;
  // Node calls `destroySoon` after the last response of a connection, which would reset it.
  socket.destroySoon = () => closeWithoutReading(socket);
  return true;
}
