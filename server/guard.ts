import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { KEY_REQUIRED } from '../contract/errors.ts';
import { findRoute } from './adapter.ts';
import type { Authentication } from './authentication.ts';
import { RequestError } from './request-error.ts';

/** Limits that the operator sets. */
export interface Limits {
  /** Requests of one key in a minute; 0 for no limit. */
  requestsPerMinute: number;
  /** Origins that may call the API from a browser. */
  corsOrigins: readonly string[];
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
  await api.register(underPressure, {
    maxEventLoopDelay: MAX_EVENT_LOOP_DELAY_MS,
    pressureHandler: () => {
      throw new RequestError(503, 'The service is overloaded; try again in a moment.', {
        headers: { 'retry-after': '1' },
      });
    },
  });
  api.decorateRequest('caller');
  api.addHook('onRequest', async (request) => {
    const caller = await authentication.check(request.headers['x-api-key']);
    if (!caller)
      throw new RequestError(401, findRoute(request)?.metadata.unauthorized ?? KEY_REQUIRED);
    request.caller = caller;
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
  api.addHook('onRequest', async (request) => {
    if (request.headers['content-encoding'] !== undefined)
      throw new RequestError(415, 'The request body must not be compressed.');
  });
}
