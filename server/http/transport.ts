import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import { type RefusalError, refuserOf } from '../service/refusal.ts';
import { BELOW_ENDPOINTS } from './refusals.ts';

const refuse = refuserOf(BELOW_ENDPOINTS);

/** Of a target in absolute form, as a proxy sends it. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;
const REQUEST_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** What the parser below the framework refuses, by its error code. */
const PARSER_ERRORS: Record<string, RefusalError> = {
  HPE_HEADER_OVERFLOW: refuse('headersTooLarge'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refuse('chunkExtensionsTooLarge'),
  ERR_HTTP_REQUEST_TIMEOUT: refuse('requestTooSlow'),
};

/** Options of the framework that concern the connection: time limits and the answers below it. */
export const transportOptions = {
  // Both are needed for a slow body to be cut off.
  requestTimeout: 15_000,
  http: {
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    connectionsCheckingInterval: 1_000,
    // Node's own answer has no body.
    requireHostHeader: false,
  },
  genReqId: (request: IncomingMessage) => {
    const given = request.headers['x-request-id'];
    return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  },
  clientErrorHandler: (error, socket) => {
    answerOnSocket(socket, PARSER_ERRORS[error.code ?? ''] ?? refuse('requestMalformed'));
  },
} satisfies FastifyHttpOptions<Server>;

/** Answers odd expectations, which Node would answer by itself without a body. */
export function answerBelowFramework(server: Server): void {
  server.on('checkExpectation', (_request, response) => {
    const { status, message } = refuse('expectationUnknown');
    const body = JSON.stringify({ error: message });
    response.writeHead(status, closingHeaders(body)).end(body);
  });
}

/** Headers of every response. */
export function standardHeaders(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
}

/**
 * Answers, before a body is read, requests without a Host with 400, paths that no endpoint has with
 * 404, and methods that no endpoint has with 405 and those that the path knows. Comes before all routes.
 */
export function answerUnrouted(app: FastifyInstance): void {
  const allowed = new Map<string, string[]>();
  app.addHook('onRoute', ({ method, url }) => {
    allowed.set(url, [...(allowed.get(url) ?? []), ...[method].flat()]);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      return done(refuse('hostMissing'));
    done(request.is404 ? unrouted(request.url) : undefined);
  });
  // @NOTE the framework never gets to see CONNECT, whose target is a host and a port.
  app.server.on('connect', ({ url = '' }, socket) => {
    const answer = url.startsWith('/')
      ? unrouted(url)
      : refuse('methodUnsupported', { headers: { allow: '' } });
    answerOnSocket(socket as Socket, answer);
  });

  function unrouted(url: string): RefusalError {
    const path = url.replace(ORIGIN, '').split(/[?#]/, 1)[0] ?? '';
    const methods = allowed.get(path);
    if (!methods) return refuse('pathUnknown');
    const allow = methods.join(', ');
    return refuse('methodUnknown', { methods: allow, headers: { allow } });
  }
}

function answerOnSocket(socket: Socket, { status, message, headers }: RefusalError): void {
  if (!socket.writable || socket.destroyed) return void socket.destroy();
  const body = JSON.stringify({ error: message });
  const all = { ...closingHeaders(body), ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${body}`);
}

function closingHeaders(body: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...standardHeaders(randomUUID()),
  };
}
