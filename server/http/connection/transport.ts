import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyHttpOptions } from 'fastify';
import { type RefusalError, refuserOf } from '#server/refusal.ts';
import { BELOW_ENDPOINTS } from '../answers/refusals.ts';
import { type Connections, closeUnread, closeWithRefusal } from './connections.ts';
import { createServer } from './node-http.ts';
import { type RequestLog, requestIdOf } from './request-log.ts';

/** Time without progress after which a connection is closed, in milliseconds. */
const NO_PROGRESS_MS = 30_000;

const refuse = refuserOf(BELOW_ENDPOINTS);

/** Refusals by the parser's error code. */
const PARSER_ERRORS: Record<string, RefusalError> = {
  HPE_HEADER_OVERFLOW: refuse('headersTooLarge'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refuse('chunkExtensionsTooLarge'),
  ERR_HTTP_REQUEST_TIMEOUT: refuse('requestTimeout'),
};

/** Fastify's options that concern connections. */
export function transportOptions(connections: Connections, log: RequestLog) {
  return {
    genReqId: (request: IncomingMessage) => requestIdOf(request),
    // The router treats the encoded form as a different path.
    rewriteUrl: ({ url = '' }) => (url.startsWith('/%40') ? `/@${url.slice(4)}` : url),
    // For `localhost` Fastify makes one server for each address, and calls this for each of them.
    serverFactory: (handle) => {
      const server = createServer(
        {
          headersTimeout: 10_000,
          requestTimeout: 15_000,
          connectionsCheckingInterval: 1_000,
          keepAliveTimeout: 72_000,
          // Node's own response has no body.
          requireHostHeader: false,
          // Two Host headers become one that is not valid.
          joinDuplicateHeaders: true,
        },
        handle,
      );
      server.setTimeout(NO_PROGRESS_MS);
      // Other expectations than 100-continue are ignored: Node's own response has no body.
      server.on('checkExpectation', (request, response) =>
        server.emit('request', request, response),
      );
      server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
        const refusal = PARSER_ERRORS[error.code ?? ''] ?? refuse('requestMalformed');
        refuseBytes(stream as Socket, refusal, connections, log);
      });
      connections.watch(server);
      return server;
    },
    // Fastify listens on the first server only.
    clientErrorHandler: () => {},
  } satisfies FastifyHttpOptions<Server>;
}

/** Refuses what the parser cannot read. If earlier requests are unanswered, their responses are sent first. */
function refuseBytes(
  socket: Socket,
  refusal: RefusalError,
  connections: Connections,
  log: RequestLog,
): void {
  if (!socket.writable) return;
  const { request, response } = connections.unanswered(socket) ?? {};
  if (!request || !response) return closeWithRefusal(socket, refusal, log.refused(refusal));
  if (request.complete) {
    socket.pause();
    response.once('close', () => closeUnread(socket));
  }
  // The bytes are part of its body. It has no socket while earlier requests are unanswered.
  else if (response.socket && !response.headersSent)
    closeWithRefusal(socket, refusal, log.cutShort(request, refusal));
  else socket.destroy();
}

/** A name or an address with an optional port. */
const HOST = /^(?:(?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?$/;

/** Refuses a request for which a proxy may see another host than we do (RFC 9112, 3.2). */
export function refuseHost({
  httpVersion,
  url,
  headers,
}: IncomingMessage): RefusalError | undefined {
  const { host } = headers;
  if (host === undefined && httpVersion !== '1.1') return undefined;
  // A proxy may route by the authority of a whole URL.
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url ?? '')?.[1] ?? host;
  const isValid = host !== undefined && HOST.test(host);
  const isSame = authority?.toLowerCase() === host?.toLowerCase();
  return isValid && isSame ? undefined : refuse('hostInvalid');
}
