import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { type RefusalError, createRefuser } from '../refusal.ts';
import './fastify-declarations.ts';
import { sendError, toRefusal } from './responses/error-response.ts';
import { DiskFullTracker } from './disk-full-tracker.ts';
import { Connections, closeIfBodyUnread } from './connection/connections.ts';
import type { Instruments } from './instruments.ts';
import { METHODS } from './connection/node-http.ts';
import { languageOf, translatorFor } from '../language.ts';
import { NON_ENDPOINT_REFUSALS } from './responses/refusals.ts';
import { RequestLog, type RequestLogOptions } from './connection/request-log.ts';
import { checkHost, createTransportOptions } from './connection/transport.ts';

const refuse = createRefuser(NON_ENDPOINT_REFUSALS);

/** No entry point has a route for this path. */
const UNROUTABLE_PATH = '//';

export interface ServerOptions {
  logger: FastifyBaseLogger;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustProxy: readonly string[];
  requestLog?: RequestLogOptions | undefined;
  /** False before migrations are done and while the server is stopping. */
  isReady: () => boolean;
  instruments?: Instruments | undefined;
}

/**
 * Unknown paths get a JSON error, unless an entry point sets a handler for them. While the server
 * is not ready, each response closes its connection, so that the next request can go to another
 * server.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { logger, trustProxy, requestLog, isReady, instruments } = options;
  const hasProxies = trustProxy.length > 0;
  const log = new RequestLog(logger, requestLog, instruments);
  const connections = new Connections();
  const unroutableRequests = new WeakMap<IncomingMessage, RefusalError>();
  const app = Fastify({
    ...createTransportOptions(connections, log),
    trustProxy: hasProxies && [...trustProxy],
    loggerInstance: logger,
    logController: new AbortedResponseLog({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    schemaController: {
      compilersFactory: { buildValidator: failOnSchema, buildSerializer: failOnSchema },
    },
    return503OnClosing: false,
    // On a busy machine, registering the routes can be slow.
    pluginTimeout: 60_000,
    // Fastify skips all hooks for paths that it cannot parse, so route them to an unknown path.
    frameworkErrors: (error, request, { raw }) => {
      unroutableRequests.set(request.raw, toRefusal(error, request));
      request.raw.url = UNROUTABLE_PATH;
      app.routing(request.raw, raw);
    },
  });
  app.setErrorHandler(sendError);
  // Otherwise Fastify responds to methods that it does not support by default with 404, not 405.
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  app.decorate('diskFullTracker', new DiskFullTracker());
  app.decorateRequest('caller');
  app.decorateRequest('refused');
  app.decorateRequest('domain');
  app.decorateRequest('inFlightBytes', 0);
  app.decorateRequest('t', {
    getter() {
      return translatorFor(languageOf(this));
    },
  });
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    connections.close();
  });
  log.attach(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done(checkHost(request.raw));
  });
  // Runs after the hooks that set headers, and before the body is read.
  app.addHook('preParsing', ({ is404, raw }, _reply, payload, done) => {
    if (is404) done(unroutableRequests.get(raw) ?? refuse('pathNotFound'));
    // Fastify would wait forever for the rest of the body.
    else if (raw.destroyed && !raw.complete) done(refuse('bodyIncomplete'));
    else done(null, payload);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const mustClose = closing || !isReady();
    if (closeIfBodyUnread(request.raw) || mustClose) reply.header('connection', 'close');
    done(null, payload);
  });
  return app;
}

/** Logs only why a response was aborted. The request log already has a line for each request. */
class AbortedResponseLog extends LogController {
  override streamError(error: Error, request: FastifyRequest): void {
    // The client closed the connection, which the request log shows already.
    if (!('code' in error) || error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
      request.log.error({ err: error }, 'the response was aborted');
  }
}

/** ts-rest validates requests and responses, so Fastify need not load its schema compilers. */
function failOnSchema(): never {
  throw new Error('routes must not have Fastify schemas');
}
