import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyHttpOptions } from 'fastify';
import { type RefusalError, createRefuser } from '#server/platform/refusal.ts';
import { NON_ENDPOINT_REFUSALS } from '../responses/refusals.ts';
import { type HttpConnections, closeWithoutReading, closeWithRefusal } from './connections.ts';
import { replaceOtherMethod } from './methods.ts';
import { createServer } from './node-http.ts';
import { type RequestLog, requestIdOf } from './request-log.ts';

const IDLE_TIMEOUT_MS = 30_000;

const refuse = createRefuser(NON_ENDPOINT_REFUSALS);

const PARSER_ERRORS: Record<string, RefusalError> = {
  HPE_HEADER_OVERFLOW: refuse('headersTooLarge'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refuse('chunkExtensionsTooLarge'),
  ERR_HTTP_REQUEST_TIMEOUT: refuse('requestTimeout'),
};

export function createTransportOptions(connections: HttpConnections, log: RequestLog) {
  return {
    genReqId: (request: IncomingMessage) => requestIdOf(request),
    // Runs before the router.
    rewriteUrl: (request) => {
      replaceOtherMethod(request);
      // The router would treat `/%40name` and `/@name` as different paths.
      const { url = '' } = request;
      return url.startsWith('/%40') ? `/@${url.slice(4)}` : url;
    },
    // For `localhost`, Fastify calls this for each address.
    serverFactory: (handle) => {
      const server = createServer(
        {
          headersTimeout: 10_000,
          requestTimeout: 15_000,
          connectionsCheckingInterval: 1_000,
          keepAliveTimeout: 72_000,
          // If the header is missing, Node would respond itself, without a body.
          requireHostHeader: false,
          // Two Host headers are joined into one, which is not valid.
          joinDuplicateHeaders: true,
        },
        (request, response) => {
          if (connections.admit(request, response)) handle(request, response);
        },
      );
      server.setTimeout(IDLE_TIMEOUT_MS);
      // `preParsing` sends 100 Continue. Other expectations are ignored: Node's own error response
      // has no body.
      for (const event of ['checkContinue', 'checkExpectation'])
        server.on(event, (request, response) => server.emit('request', request, response));
      server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
        const refusal = PARSER_ERRORS[error.code ?? ''] ?? refuse('requestMalformed');
        refuseInvalidBytes(stream as Socket, refusal, connections, log);
      });
      connections.watch(server);
      return server;
    },
    // The `clientError` listeners above replace this, which Fastify adds only to the first server.
    clientErrorHandler: () => {},
  } satisfies FastifyHttpOptions<Server>;
}

/**
 * If the bytes follow a complete request, waits for its response, and then closes the connection
 * without a refusal.
 */
function refuseInvalidBytes(
  socket: Socket,
  refusal: RefusalError,
  connections: HttpConnections,
  log: RequestLog,
): void {
  if (!socket.writable) return;
  const { request, response } = connections.findPendingExchange(socket) ?? {};
  if (!request || !response) return closeWithRefusal(socket, refusal, log.logInvalidBytes(refusal));
  if (request.complete) {
    socket.pause();
    response.once('close', () => closeWithoutReading(socket));
  }
  // The invalid bytes are in the body of this request. `response.socket` is null while earlier
  // responses are pending.
  else if (response.socket && !response.headersSent)
    closeWithRefusal(socket, refusal, log.recordEarlyRefusal(request, refusal));
  else socket.destroy();
}

const HOST_PATTERN = /^(?:(?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?$/;

/** Refuses requests for which a proxy may see a different host (RFC 9112, 3.2). */
export function checkHost({
  httpVersion,
  url,
  headers,
}: IncomingMessage): RefusalError | undefined {
  const { host } = headers;
  if (host === undefined && httpVersion !== '1.1') return undefined;
  // A proxy may route by the host in an absolute URL.
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url ?? '')?.[1] ?? host;
  const isValid = host !== undefined && HOST_PATTERN.test(host);
  const isSame = authority?.toLowerCase() === host?.toLowerCase();
  return isValid && isSame ? undefined : refuse('hostInvalid');
}
