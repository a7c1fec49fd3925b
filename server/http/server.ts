import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { refuserOf } from '../service/refusal.ts';
import './fastify-declarations.ts';
import { addressOf } from './address.ts';
import { answerError } from './error-answer.ts';
import { Connections } from './connections.ts';
import { METHODS } from './node-http.ts';
import { BELOW_ENDPOINTS } from './refusals.ts';
import { refuseHead } from './request-head.ts';
import { transportOptions } from './transport.ts';
import { isFollowed } from './turns.ts';
import { endWithUnreadBody } from './unread-body.ts';

const refuse = refuserOf(BELOW_ENDPOINTS);

export interface ServerOptions {
  logger: FastifyBaseLogger;
  /** Addresses and networks of the proxies whose `X-Forwarded-For` is believed; then addresses are logged. */
  trustProxy: readonly string[];
  /** Whether migrations are done and the server is not about to stop. */
  isReady: () => boolean;
}

/**
 * The HTTP server that doors are registered on. What belongs to no door is answered in JSON, with the
 * headers of the door that has set a handler for it. While it is not ready, connections end with their
 * answers: the next request may go to another server.
 */
export function createServer({ logger, trustProxy, isReady }: ServerOptions): FastifyInstance {
  const connections = new Connections();
  const app = Fastify({
    ...transportOptions(connections),
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    loggerInstance: logger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    schemaController: {
      compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas },
    },
    return503OnClosing: false,
    frameworkErrors: answerError,
  });
  app.setErrorHandler(answerError);
  // A method that the framework does not know would be no method of any path.
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  app.decorateRequest('caller');
  app.decorateRequest('refused');
  app.decorateRequest('bytesUnderWay', 0);
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    connections.end();
  });
  // Callbacks instead of promises: these run on every request.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done(refuseHead(request.raw));
  });
  // After the headers of a door, and before a body is read.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    done(request.is404 ? refuse('pathUnknown') : null, payload);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const isLast = closing || (!isReady() && !isFollowed(request.raw.socket));
    if (endWithUnreadBody(request.raw) || isLast) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: request.routeOptions.url,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 100) / 100,
        address: trustProxy.length > 0 ? addressOf(request) : undefined,
        accountId: request.caller?.accountId,
        keyId: request.caller?.via.keyId ?? request.refused?.keyId,
        sessionId:
          request.caller?.via.kind === 'session' ? request.caller.via.sessionId : undefined,
        reason: request.refused?.reason,
      },
      'request',
    );
    done();
  });
  return app;
}

/** The contract is enforced elsewhere: the framework's own compilers of schemas need not be loaded. */
function noSchemas(): never {
  throw new Error('routes have no schemas of the framework');
}
