import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { BELOW_ENDPOINTS } from '../http/answers/refusals.ts';
import { refuserOf } from '../service/refusal.ts';

const refuse = refuserOf(BELOW_ENDPOINTS);

/** Lets pages of these origins call the API from a browser. */
export async function allowOrigins(
  api: FastifyInstance,
  origins: readonly string[],
): Promise<void> {
  if (origins.length === 0) return;
  // It has a route for every path, also for those that there are not.
  api.addHook('onRequest', ({ routeOptions }, _reply, done) => {
    done(routeOptions.url === '*' ? refuse('pathNotFound') : undefined);
  });
  await api.register(cors, {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PATCH'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'x-api-key',
      'idempotency-key',
      'x-request-id',
    ],
    exposedHeaders: ['x-request-id', 'x-error-code', 'retry-after', 'idempotent-replayed'],
    maxAge: 600,
    // It would answer in plain text.
    strictPreflight: false,
  });
}
