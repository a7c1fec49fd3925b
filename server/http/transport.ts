import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';
import { answerBelowFramework } from './below-framework.ts';
import type { Connections } from './connections.ts';
import { createServer } from './node-http.ts';
import { requestIdOf } from './request-id.ts';
import type { RequestLog } from './request-log.ts';
import { inTurn } from './turns.ts';

/** What a client may take to read a part of an answer; also for a handler that says nothing. */
const NO_PROGRESS_MS = 30_000;

/** Options of the framework that concern connections. */
export function transportOptions(connections: Connections, log: RequestLog) {
  return {
    genReqId: (request: IncomingMessage) => requestIdOf(request),
    // The router takes what is encoded for another path.
    rewriteUrl: ({ url = '' }) => (url.startsWith('/%40') ? `/@${url.slice(4)}` : url),
    // For `localhost` the framework makes one for each of its addresses.
    serverFactory: (handle) => listener(handle, connections, log),
    // The server does it itself: the framework listens on the first one only.
    clientErrorHandler: () => {},
  } satisfies FastifyHttpOptions<Server>;
}

function listener(handle: RequestListener, connections: Connections, log: RequestLog): Server {
  const handleInTurn = inTurn(handle);
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 72_000,
      // Node's own answer has no body.
      requireHostHeader: false,
    },
    handleInTurn,
  );
  server.setTimeout(NO_PROGRESS_MS);
  // Whoever has said all may say so, and is still answered. The types do not know it.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('checkContinue', (request, response) => {
    // The body is asked for when it is read: after all that is refused before.
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });
    handleInTurn(request, response);
  });
  answerBelowFramework(server, handle, log);
  connections.watch(server);
  return server;
}
