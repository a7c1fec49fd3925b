import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { contract } from '#contract/index.ts';
import { registerContract } from '../http/contract/adapter.ts';
import { jsonSurface } from '../http/surface.ts';
import { answerInJson } from '../http/answers/page.ts';
import { guard } from '../http/access/guard.ts';
import { runOnce } from '../http/contract/idempotency.ts';
import { acceptJsonOnly } from '../http/contract/json-body.ts';
import { createMetricWriter } from '../features/metrics/metric-writer.ts';
import type { Dependencies } from '../dependencies.ts';
import { docs } from './docs/docs.ts';
import { health } from './health.ts';
import { accountRoutes } from '../features/names/routes.ts';
import { emailForwardingRoutes } from '../features/forwarding/routes.ts';
import { chatRoutes } from '../features/chat/routes.ts';
import { siteRoutes } from '../features/sites/routes.ts';
import { statsRoutes } from '../features/metrics/routes.ts';
import cors from '@fastify/cors';
import { BELOW_ENDPOINTS } from '../http/answers/refusals.ts';
import { refuserOf } from '../refusal.ts';

/** The JSON API: every area of the contract, its documents, and whether it is well. */
export function api(dependencies: Dependencies): FastifyPluginAsync {
  const { db, queues, volumes, corsOrigins } = dependencies;
  return jsonSurface(async (scope) => {
    answerInJson(scope, dependencies);
    acceptJsonOnly(scope);
    await allowOrigins(scope, corsOrigins);
    // Whoever may read the answers of this entry point may read that there is nothing at a path.
    scope.setNotFoundHandler(() => {});
    health(scope, dependencies);
    docs(scope, dependencies);
    await scope.register(async (guarded) => {
      guard(guarded, dependencies);
      registerContract(
        guarded,
        contract,
        {
          account: accountRoutes(dependencies),
          site: siteRoutes(dependencies),
          emailForwarding: emailForwardingRoutes(dependencies),
          stats: statsRoutes(createMetricWriter(db, queues.writes, volumes)),
          hooks: chatRoutes(dependencies),
        },
        runOnce(dependencies),
      );
    });
  });
}

const refuse = refuserOf(BELOW_ENDPOINTS);

/** Lets pages of these origins call the API from a browser. */
async function allowOrigins(scope: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  // It has a route for every path, also for those that there are not.
  scope.addHook('onRequest', ({ routeOptions }, _reply, done) => {
    done(routeOptions.url === '*' ? refuse('pathNotFound') : undefined);
  });
  await scope.register(cors, {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PATCH'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'x-api-key',
      'idempotency-key',
      'x-request-id',
    ],
    exposedHeaders: [
      'x-request-id',
      'x-error-code',
      'x-error-field',
      'retry-after',
      'idempotent-replayed',
    ],
    maxAge: 600,
    // It would answer in plain text.
    strictPreflight: false,
  });
}
