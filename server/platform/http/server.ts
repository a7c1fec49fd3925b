import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import type { Core } from '#server/core.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import './fastify-declarations.ts';
import { type RefusalError, createRefuser } from '../refusal.ts';
import { languageOf, translatorFor } from '../text/language.ts';
import { ProxyMonitor } from './access/proxy-monitor.ts';
import { HttpConnections, closeIfBodyUnread } from './connection/connections.ts';
import { checkMethodOverride, restoreMethod } from './connection/methods.ts';
import { RequestLog } from './connection/request-log.ts';
import { checkHost, createTransportOptions } from './connection/transport.ts';
import { DiskFullTracker } from './disk-full-tracker.ts';
import { sendError, toRefusal } from './responses/error-response.ts';
import {
  cacheControlFor,
  deprecationHeaders,
  ERROR_CODE_HEADER,
  VERSION_HEADER,
  helpLink,
} from './responses/headers.ts';
import { NON_ENDPOINT_REFUSALS } from './responses/refusals.ts';
import { refuseUnknownPath } from './responses/unknown-path.ts';

const refuse = createRefuser(NON_ENDPOINT_REFUSALS);

/** No entry point has a route for this path. */
const UNROUTABLE_PATH = '//';

/**
 * Unknown paths get a JSON error, unless an entry point sets a handler for them. While the server
 * is not ready, each response closes its connection, so that the next request can go to another
 * server.
 */
export function createServer({
  config,
  log,
  lifecycle,
  instruments,
  requestListeners,
}: Pick<
  Core,
  'config' | 'log' | 'lifecycle' | 'instruments' | 'requestListeners'
>): FastifyInstance {
  const { TRUST_PROXY: trustProxy } = config;
  const requestLog = new RequestLog({ log, config, instruments, requestListeners });
  const connections = new HttpConnections();
  const unroutableRequests = new WeakMap<IncomingMessage, RefusalError>();
  const server = Fastify({
    ...createTransportOptions(connections, requestLog),
    trustProxy: trustProxy.length > 0 && [...trustProxy],
    loggerInstance: log,
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
      server.routing(request.raw, raw);
    },
  });
  server.setErrorHandler(sendError);
  server.decorate('diskFullTracker', new DiskFullTracker());
  server.decorate('pathsOff', new Set<string>());
  server.decorate('proxyMonitor', new ProxyMonitor(log));
  server.decorateRequest('caller');
  server.decorateRequest('refused');
  server.decorateRequest('domain');
  server.decorateRequest('inFlightBytes', 0);
  server.decorateRequest('inFlightKey', undefined);
  server.decorateRequest('t', {
    getter() {
      return translatorFor(languageOf(this));
    },
  });
  server.addHook('onRequest', ({ raw }, _reply, done) => {
    restoreMethod(raw);
    done();
  });
  let closing = false;
  server.addHook('preClose', async () => {
    closing = true;
    connections.close();
  });
  server.proxyMonitor.attach(server);
  requestLog.attach(server);
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    // Also for paths that only another version has.
    if (request.url.startsWith('/owner/')) reply.header(VERSION_HEADER, packageJson.version);
    done(checkHost(request.raw) ?? checkMethodOverride(request.raw));
  });
  // Runs after the hooks that set headers, and before the body is read.
  server.addHook('preParsing', (request, reply, payload, done) => {
    const { is404, raw } = request;
    if (is404) done(unroutableRequests.get(raw) ?? refuseUnknownPath(request));
    // Fastify would wait forever for the rest of the body.
    else if (raw.destroyed && !raw.complete) done(refuse('bodyIncomplete'));
    else {
      if (/\b100-continue\b/i.test(raw.headers.expect ?? '')) reply.raw.writeContinue();
      done(null, payload);
    }
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    const mustClose = closing || !lifecycle.isReady;
    if (closeIfBodyUnread(request.raw) || mustClose) reply.header('connection', 'close');
    const type = String(reply.getHeader('content-type'));
    const cacheControl = reply.getHeader('cache-control');
    if (type.startsWith('text/html') && cacheControl !== undefined)
      reply.header('cache-control', cacheControlFor(type, String(cacheControl)));
    const code = reply.getHeader(ERROR_CODE_HEADER);
    const route = request.routeOptions.config.tsRestRoute;
    // Operations for operators look like unknown paths to others.
    if (route?.metadata.deprecation && code !== 'pathNotFound')
      reply.headers(deprecationHeaders(route.path, config.PUBLIC_URL));
    if (code !== undefined) reply.header('link', helpLink(String(code), config.PUBLIC_URL));
    done(null, payload);
  });
  return server;
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
