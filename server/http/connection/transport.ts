import type { IncomingMessage, Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';
import { type RequestLog, requestIdOf } from './request-log.ts';
import { createServer } from './node-http.ts';
import type { OpenConnections } from './open-connections.ts';
import { answerRawConnections } from './raw-connections.ts';
import { oneAtATime } from './request-queue.ts';

/** Time without progress after which a connection is closed, in milliseconds. */
const NO_PROGRESS_MS = 30_000;

/** Fastify's options that concern connections. */
export function transportOptions(connections: OpenConnections, log: RequestLog) {
  return {
    genReqId: (request: IncomingMessage) => requestIdOf(request),
    // The router treats the encoded form as a different path.
    rewriteUrl: ({ url = '' }) => (url.startsWith('/%40') ? `/@${url.slice(4)}` : url),
    // For `localhost` Fastify makes one server for each address, and calls this for each of them.
    serverFactory: (handle) => {
      const listener = oneAtATime(handle);
      const server = createServer(
        {
          headersTimeout: 10_000,
          requestTimeout: 15_000,
          connectionsCheckingInterval: 1_000,
          keepAliveTimeout: 72_000,
          // Node's own answer has no body.
          requireHostHeader: false,
        },
        listener,
      );
      server.setTimeout(NO_PROGRESS_MS);
      server.on('checkExpectation', listener);
      answerRawConnections(server, log);
      connections.watch(server);
      return server;
    },
    // Fastify listens on the first server only.
    clientErrorHandler: () => {},
  } satisfies FastifyHttpOptions<Server>;
}
