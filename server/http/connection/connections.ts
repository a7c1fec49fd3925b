import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RefusalError } from '#server/refusal.ts';
import { JSON_HEADERS, refusalHeaders } from '../answers/headers.ts';

const CHECK_MS = 1_000;
/** Checks after which a stop no longer waits for the rest of a request body. */
const BODY_CHECKS = 4;
/** Time without progress after which a stop drops a client that does not read, in milliseconds. */
const UNREAD_MS = 2_000;
/** Time for the client to read the last response, in milliseconds. */
const LINGER_MS = 1_000;
/** Bodies up to this size cost less to read to their end than a new connection does. */
const SMALL_BODY_BYTES = 65_536;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Open connections of the application's servers, each with its last request. */
export class Connections {
  readonly #last = new Map<Socket, Exchange | undefined>();

  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#last.set(socket, undefined);
      socket.once('close', () => this.#last.delete(socket));
    });
    server.on('request', (request, response) =>
      this.#last.set(request.socket, { request, response }),
    );
  }

  /** The last request of a connection, if its response is not finished. */
  unanswered(socket: Socket): Exchange | undefined {
    const last = this.#last.get(socket);
    return last?.response.closed ? undefined : last;
  }

  /**
   * Closes connections that a stop should not wait for, until all are closed. Node closes idle connections
   * itself, but not those that sent no request or a part of one, or do not read their response.
   */
  close(): void {
    let checks = 0;
    const timer = setInterval(() => {
      checks += 1;
      for (const socket of this.#last.keys()) {
        const unanswered = this.unanswered(socket);
        const isArriving = unanswered?.request.complete === false;
        if (!unanswered || (isArriving && checks >= BODY_CHECKS)) socket.destroy();
        else if (socket.writableLength > 0 && socket.timeout !== UNREAD_MS)
          socket.setTimeout(UNREAD_MS);
      }
      if (this.#last.size === 0) clearInterval(timer);
    }, CHECK_MS).unref();
  }
}

/** Writes a refusal to a connection that has left Node's parser, and closes it. */
export function closeWithRefusal(socket: Socket, refusal: RefusalError, requestId: string): void {
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
  socket.write(`HTTP/1.1 ${refusal.status} \r\n${head.join('')}\r\n${body}`);
  closeUnread(socket);
}

/** Closes a connection without reading on. Closing at once would reset it, and the client could miss the response. */
export function closeUnread(socket: Socket): void {
  socket.end();
  setImmediate(() => socket.pause());
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** Closes the connection with the response if much of the request is unread; returns whether it does. */
export function closeWithUnreadBody({ complete, headers, socket }: IncomingMessage): boolean {
  const isSmall =
    headers['transfer-encoding'] === undefined &&
    Number(headers['content-length'] ?? 0) <= SMALL_BODY_BYTES;
  if (complete || isSmall) return false;
  // Node calls it after the last response of a connection, and would reset it.
  socket.destroySoon = () => closeUnread(socket);
  return true;
}
