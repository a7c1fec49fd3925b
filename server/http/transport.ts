import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import { type RefusalError, refuserOf } from '../service/refusal.ts';
import { JSON_HEADERS } from './headers.ts';
import { BELOW_ENDPOINTS } from './refusals.ts';

const refuse = refuserOf(BELOW_ENDPOINTS);

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

/** Answers what the framework never gets to see: odd expectations, and CONNECT. */
export function answerBelowFramework(app: FastifyInstance): void {
  // Node would answer by itself without a body.
  app.server.on('checkExpectation', (_request, response) => {
    const { status, message } = refuse('expectationUnknown');
    const body = JSON.stringify({ error: message });
    response.writeHead(status, closingHeaders(body)).end(body);
  });
  app.server.on('connect', (request, socket) => {
    if (!request.url?.startsWith('/')) {
      const refusal = refuse('methodUnsupported', { headers: { allow: '' } });
      return answerOnSocket(socket as Socket, refusal);
    }
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.on('finish', () => socket.end());
    app.routing(request, response);
  });
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
    'x-request-id': randomUUID(),
    ...JSON_HEADERS,
  };
}
