import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';
import { answerBelowFramework } from './below-framework.ts';
import { inTurn } from './turns.ts';

const REQUEST_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** Options of the framework that concern the connection. */
export const transportOptions = {
  genReqId: (request: IncomingMessage) => {
    const given = request.headers['x-request-id'];
    return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
  },
  // For `localhost` the framework makes one for each of its addresses.
  serverFactory: (handle) => listener(handle),
  // The server does it itself: the framework listens on the first one only.
  clientErrorHandler: () => {},
} satisfies FastifyHttpOptions<Server>;

function listener(handle: RequestListener): Server {
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 72_000,
      // Node's own answer has no body.
      requireHostHeader: false,
    },
    inTurn(handle),
  );
  answerBelowFramework(server, handle);
  return server;
}
