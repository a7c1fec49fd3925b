import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { KEY_REQUIRED } from '../../contract/errors.ts';
import { findRoute } from './adapter.ts';
import type { Authentication, Caller } from '../service/keys/authentication.ts';
import { watchEventLoop } from './event-loop.ts';
import { RequestError } from '../service/request-error.ts';

/** Limits that the operator sets. */
export interface Limits {
  /** Requests of one key in a minute; 0 for no limit. */
  requestsPerMinute: number;
  /** Origins that may call the API from a browser. */
  corsOrigins: readonly string[];
  /** Delay of the event loop in milliseconds above which requests are refused with 503; 0 for never. */
  maxEventLoopDelayMs?: number;
}

const MAX_EVENT_LOOP_DELAY_MS = 1_000;

/** What every request of the contract passes before its body is read, in this order. */
export async function guard(
  api: FastifyInstance,
  authentication: Authentication,
  limits: Limits,
): Promise<void> {
  if (limits.corsOrigins.length > 0)
    await api.register(cors, {
      origin: [...limits.corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'PATCH'],
      allowedHeaders: ['content-type', 'x-api-key', 'idempotency-key', 'x-request-id'],
      exposedHeaders: ['x-request-id', 'retry-after', 'idempotent-replayed'],
      maxAge: 600,
    });
  const maxDelayMs = limits.maxEventLoopDelayMs ?? MAX_EVENT_LOOP_DELAY_MS;
  if (maxDelayMs > 0) refuseWhenHeldUp(api, maxDelayMs);
  api.decorateRequest('caller');
  api.addHook('onRequest', (request, _reply, done) => {
    const admit = (caller: Caller | undefined) => {
      if (!caller)
        return done(
          new RequestError(401, findRoute(request)?.metadata.unauthorized ?? KEY_REQUIRED),
        );
      request.caller = caller;
      done();
    };
    const caller = authentication.check(request.headers['x-api-key']);
    // Not awaited when the key is remembered: most requests go on at once.
    if (caller instanceof Promise) caller.then(admit, done);
    else admit(caller);
  });
  if (limits.requestsPerMinute > 0)
    await api.register(rateLimit, {
      max: limits.requestsPerMinute,
      timeWindow: 60_000,
      keyGenerator: (request) => request.caller.keyId,
      errorResponseBuilder: (_request, { after, ttl }) =>
        new RequestError(429, `Too many requests with this key; try again in ${after}.`, {
          headers: { 'retry-after': String(Math.ceil(ttl / 1_000)) },
        }),
    });
  api.addHook('onRequest', (request, _reply, done) => {
    done(
      request.headers['content-encoding'] === undefined
        ? undefined
        : new RequestError(415, 'The request body must not be compressed.'),
    );
  });
}

function refuseWhenHeldUp(api: FastifyInstance, maxDelayMs: number): void {
  const eventLoop = watchEventLoop(maxDelayMs);
  api.addHook('onClose', () => eventLoop.stop());
  api.addHook('onRequest', (_request, _reply, done) => {
    if (!eventLoop.isHeldUp()) return done();
    done(
      new RequestError(503, 'The service is overloaded; try again in a moment.', {
        headers: { 'retry-after': '1' },
      }),
    );
  });
}
