import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
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
/** Requests of one connection. */
const MAX_IN_FLIGHT = 8;
const HEAD_END = Buffer.from('\r\n\r\n');

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

interface Connection {
  inFlight: number;
  isAtLimit: boolean;
  lastExchange?: Exchange;
}

export class Connections {
  readonly #connections = new Map<Socket, Connection>();
  readonly #log: Pick<FastifyBaseLogger, 'warn'>;
  #isUnlimited = false;

  constructor(log: Pick<FastifyBaseLogger, 'warn'>) {
    this.#log = log;
  }

  watch(server: Server): void {
    server.on('connection', (socket) => {
      const connection: Connection = { inFlight: 0, isAtLimit: false };
      this.#connections.set(socket, connection);
      socket.once('close', () => this.#connections.delete(socket));
      if (limitPipelining(socket, connection) || this.#isUnlimited) return;
      this.#isUnlimited = true;
      this.#log.warn('pipelined requests are not limited: this Node reads sockets in another way');
    });
    server.on('request', (request, response) => {
      const { socket } = request;
      const connection = this.#connections.get(socket);
      if (!connection) return;
      connection.lastExchange = { request, response };
      connection.inFlight += 1;
      response.once('close', () => {
        connection.inFlight -= 1;
        if (!connection.isAtLimit) return;
        connection.isAtLimit = false;
        // Other connections run in between.
        setImmediate(() => socket.writable && socket.resume());
      });
    });
  }

  findPendingExchange(socket: Socket): Exchange | undefined {
    const last = this.#connections.get(socket)?.lastExchange;
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
      for (const socket of this.#connections.keys()) {
        const pending = this.findPendingExchange(socket);
        const isArriving = pending?.request.complete === false;
        if (!pending || (isArriving && checks >= MAX_BODY_CHECKS)) socket.destroy();
        else if (socket.writableLength > 0 && socket.timeout !== UNREAD_TIMEOUT_MS)
          socket.setTimeout(UNREAD_TIMEOUT_MS);
      }
      if (this.#connections.size === 0) clearInterval(timer);
    }, CHECK_INTERVAL_MS).unref();
  }
}

/**
 * Node parses everything that it has read, up to 64 KB, at once, and with it thousands of pipelined
 * requests. This passes on one request head at a time, and pauses the socket at the limit. Returns
 * false if Node does not parse requests in a listener of `data`, which it does not promise.
 */
function limitPipelining(socket: Socket, connection: Connection): boolean {
  const [parse] = socket.listeners('data') as ((data: Buffer) => void)[];
  if (!parse) return false;
  socket.off('data', parse);
  // Because of this listener, Node no longer passes bytes to its parser without the socket.
  socket.on('data', (data: Buffer) => {
    let start = 0;
    while (start < data.length && !socket.isPaused()) {
      // After the last response of the connection.
      if (!socket.writable) return;
      if (connection.inFlight >= MAX_IN_FLIGHT) {
        connection.isAtLimit = true;
        socket.pause();
        break;
      }
      const headEnd = data.indexOf(HEAD_END, start);
      const end = headEnd === -1 ? data.length : headEnd + HEAD_END.length;
      // Usually all of it is one request.
      parse(start === 0 && end === data.length ? data : data.subarray(start, end));
      start = end;
    }
    if (start < data.length) socket.unshift(data.subarray(start));
  });
  return true;
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
