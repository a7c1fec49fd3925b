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
/** Requests of one connection. See docs/limits.md#in-flight. */
const MAX_IN_FLIGHT = 8;
/** Node parses at most this much at once: room for about 100 of the shortest requests. */
const PARSED_BYTES = 2_048;
/** After this time of parsing, other connections come first. */
const MAX_PARSE_MS = 1;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

interface Connection {
  inFlight: number;
  /** Further requests are not processed. */
  isEnding: boolean;
  lastExchange?: Exchange;
}

export class HttpConnections {
  readonly #connections = new Map<Socket, Connection>();
  /** Sockets with unparsed data continue one by one, so that other connections come in between. */
  readonly #turns: (() => void)[] = [];

  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#connections.set(socket, { inFlight: 0, isEnding: false });
      socket.once('close', () => this.#connections.delete(socket));
      limitParsing(
        socket,
        () => this.#hasEnded(socket),
        (continueParsing) => this.#runInTurn(continueParsing),
      );
    });
  }

  #runInTurn(run: () => void): void {
    const runNext = () => {
      this.#turns.shift()?.();
      if (this.#turns.length > 0) setImmediate(runNext);
    };
    if (this.#turns.push(run) === 1) setImmediate(runNext);
  }

  /**
   * The last request allowed in flight ends the connection: its response closes it. Returns false
   * for the requests after it, which are not processed, so the client may send them again
   * (RFC 9112, 9.3.2).
   */
  admit(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    const connection = this.#connections.get(socket);
    if (!connection) return true;
    if (connection.isEnding) return false;
    connection.lastExchange = { request, response };
    connection.inFlight += 1;
    // Not at once: a request may be answered before the next one, which was read with it, is parsed.
    response.once('close', () => setImmediate(() => (connection.inFlight -= 1)));
    if (connection.inFlight === MAX_IN_FLIGHT) {
      connection.isEnding = true;
      response.setHeader('connection', 'close');
      closeAfterResponse(socket);
    }
    return true;
  }

  /** All requests that the connection may send have arrived completely, or get no response. */
  #hasEnded(socket: Socket): boolean {
    if (socket.writableEnded) return true;
    const { isEnding, lastExchange } = this.#connections.get(socket) ?? {};
    return isEnding === true && lastExchange?.request.complete === true;
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
 * Node parses all that it reads, up to 64 KB, at once: thousands of pipelined requests or chunks.
 * This passes on small pieces until `hasEnded`, and lets other connections come in between. Does
 * nothing if a Node does not parse in a listener of `data`, which it does not promise.
 */
function limitParsing(
  socket: Socket,
  hasEnded: () => boolean,
  runInTurn: (run: () => void) => void,
): void {
  const [parse] = socket.listeners('data') as ((data: Buffer) => void)[];
  if (!parse) return;
  socket.off('data', parse);
  let isTurnDue = false;
  // Node throws if it has to parse while it waits for the client to read responses.
  // oxlint-disable-next-line no-underscore-dangle -- there is no other way to know
  const isUnread = () => (socket as { _paused?: boolean })._paused === true;
  // Node also resumes the socket when a body is read on, or dropped.
  const mayParse = () => !isTurnDue && !isUnread() && !hasEnded();
  socket.on('data', (data: Buffer) => {
    // Usually this is one request.
    if (data.length <= PARSED_BYTES && mayParse()) return parse(data);
    const stopAt = performance.now() + MAX_PARSE_MS;
    let start = 0;
    while (start < data.length && mayParse()) {
      parse(data.subarray(start, start + PARSED_BYTES));
      start += PARSED_BYTES;
      if (performance.now() > stopAt) break;
    }
    if (start >= data.length) return;
    // A flowing stream would emit the rest at once.
    socket.pause();
    if (hasEnded()) return;
    socket.unshift(data.subarray(start));
    if (!mayParse()) return;
    isTurnDue = true;
    runInTurn(() => {
      isTurnDue = false;
      socket.resume();
    });
  });
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
  closeAfterResponse(socket);
  return true;
}

/** Node calls `destroySoon` after the last response of a connection, which would reset it. */
function closeAfterResponse(socket: Socket): void {
  socket.destroySoon = () => closeWithoutReading(socket);
}
