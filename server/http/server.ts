import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { type RefusalError, refuserOf } from '../refusal.ts';
import './fastify-declarations.ts';
import { answerError, toRefusal } from './answers/error-answer.ts';
import { FullDisk } from './full-disk.ts';
import { Connections, closeWithUnreadBody } from './connection/connections.ts';
import type { Instruments } from './instruments.ts';
import { METHODS } from './connection/node-http.ts';
import { BELOW_ENDPOINTS } from './answers/refusals.ts';
import { RequestLog } from './connection/request-log.ts';
import { refuseHost, transportOptions } from './connection/transport.ts';

const refuse = refuserOf(BELOW_ENDPOINTS);

/** No route has it, of no entry point. */
const NOWHERE = '//';

export interface ServerOptions {
  logger: FastifyBaseLogger;
  /** Addresses and networks of the proxies whose `X-Forwarded-For` is trusted; then addresses are logged. */
  trustProxy: readonly string[];
  /** Whether migrations are done and the server is not about to stop. */
  isReady: () => boolean;
  instruments?: Instruments | undefined;
}

/**
 * The HTTP server that entry points are registered on. What belongs to no entry point is answered in JSON, with the
 * headers of the entry point that has set a handler for it. While it is not ready, connections end with their
 * answers: the next request may go to another server.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { logger, trustProxy, isReady, instruments } = options;
  const hasProxies = trustProxy.length > 0;
  const log = new RequestLog(logger, hasProxies, instruments);
  const connections = new Connections();
  const unroutable = new WeakMap<IncomingMessage, RefusalError>();
  const app = Fastify({
    ...transportOptions(connections, log),
    trustProxy: hasProxies && [...trustProxy],
    loggerInstance: logger,
    logController: new CutAnswersLog({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    schemaController: {
      compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas },
    },
    return503OnClosing: false,
    // Routes are made at the start, which a busy machine may do slowly.
    pluginTimeout: 60_000,
    // Paths that the router cannot read would pass no hook, so they go where nothing is.
    frameworkErrors: (error, request, { raw }) => {
      unroutable.set(request.raw, toRefusal(error, request));
      request.raw.url = NOWHERE;
      app.routing(request.raw, raw);
    },
  });
  app.setErrorHandler(answerError);
  // A method that the framework does not know would be no method of any path.
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  app.decorate('fullDisk', new FullDisk());
  app.decorateRequest('caller');
  app.decorateRequest('refused');
  app.decorateRequest('domain');
  app.decorateRequest('bytesUnderWay', 0);
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    connections.close();
  });
  log.follow(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done(refuseHost(request.raw));
  });
  // After the headers of an entry point, and before a body is read.
  app.addHook('preParsing', ({ is404, raw }, _reply, payload, done) => {
    if (is404) done(unroutable.get(raw) ?? refuse('pathNotFound'));
    // Fastify would wait for the rest of the body for ever.
    else if (raw.destroyed && !raw.complete) done(refuse('bodyIncomplete'));
    else done(null, payload);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const isLast = closing || !isReady();
    if (closeWithUnreadBody(request.raw) || isLast) reply.header('connection', 'close');
    done(null, payload);
  });
  return app;
}

/** Each request has its line already; this one says what cut off an answer that had begun. */
class CutAnswersLog extends LogController {
  override streamError(error: Error, request: FastifyRequest): void {
    // A premature close is the caller's, and that line says so.
    if (!('code' in error) || error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
      request.log.error({ err: error }, 'the answer was cut off');
  }
}

/** The contract is enforced elsewhere: the framework's own compilers of schemas need not be loaded. */
function noSchemas(): never {
  throw new Error('routes have no schemas of the framework');
}
