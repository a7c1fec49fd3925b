import cors from '@fastify/cors';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { contract } from '#contract/index.ts';
import { sendErrorsAsJson } from '#server/entry/pages/shell/page.ts';
import { createRoutes } from '#server/features/call-features.ts';
import type { Services } from '#server/features/services.ts';
import { guardAuthenticated } from '#server/platform/http/access/authentication-guard.ts';
import { auditHandlers } from '#server/platform/http/contract/audited-runner.ts';
import { createAuthenticatedRunner } from '#server/platform/http/contract/authenticated-runner.ts';
import { acceptJsonOnly } from '#server/platform/http/contract/json-body.ts';
import { registerContract } from '#server/platform/http/contract/register-contract.ts';
import { createJsonEntryPoint } from '#server/platform/http/entry-point.ts';
import { refuseUnknownPath } from '#server/platform/http/responses/unknown-path.ts';
import { registerDocs } from './docs/docs.ts';
import { registerHealthChecks } from './health.ts';

export function createApiPlugin(app: Services): FastifyPluginAsync {
  return createJsonEntryPoint(async (server) => {
    sendErrorsAsJson(server, app);
    acceptJsonOnly(server);
    await allowOrigins(server, app.config.CORS_ORIGINS);
    // Without this handler, CORS headers would be missing from 404 responses. A hook in `server.ts`
    // has already refused the request.
    server.setNotFoundHandler(() => {});
    registerHealthChecks(server, app);
    registerDocs(server, app);
    await server.register(async (authenticated) => {
      guardAuthenticated(authenticated, app);
      registerContract(
        authenticated,
        contract,
        createRoutes('public', app),
        auditHandlers(createAuthenticatedRunner(app)),
      );
    });
  });
}

async function allowOrigins(server: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  // The CORS plugin registers a route for every path, which would hide 404 responses.
  server.addHook('onRequest', (request, _reply, done) => {
    done(request.routeOptions.url === '*' ? refuseUnknownPath(request) : undefined);
  });
  await server.register(cors, {
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
      'x-ignored-fields',
      'retry-after',
      'ratelimit',
      'ratelimit-policy',
      'link',
      'idempotent-replayed',
    ],
    maxAge: 600,
    // Otherwise the plugin responds in plain text.
    strictPreflight: false,
  });
}
