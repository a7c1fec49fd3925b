import type { FastifyPluginAsync, FastifyError, FastifyInstance } from 'fastify';
import {
  authenticatedJsonContract,
  unauthenticatedContract,
  operatorContract,
  uploadContract,
} from '#contract/owner/index.ts';
import { PICTURE_FILE_REFUSALS } from '#contract/owner/pictures.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { createRoutes } from '#server/features/call-features.ts';
import type { Services } from '#server/features/services.ts';
import {
  guardAuthenticated,
  guardUnauthenticated,
} from '#server/platform/http/access/authentication-guard.ts';
import { auditHandlers } from '#server/platform/http/contract/audited-runner.ts';
import { createAuthenticatedRunner } from '#server/platform/http/contract/authenticated-runner.ts';
import { acceptJsonOnly } from '#server/platform/http/contract/json-body.ts';
import { registerContract } from '#server/platform/http/contract/register-contract.ts';
import { createUnauthenticatedRunner } from '#server/platform/http/contract/unauthenticated-runner.ts';
import { createJsonEntryPoint } from '#server/platform/http/entry-point.ts';
import { sendError } from '#server/platform/http/responses/error-response.ts';
import { UPLOAD_LIMIT } from '#server/platform/limits/in-flight-bytes.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { requireOperator } from './require-operator.ts';

export function createOwnerPlugin(app: Services): FastifyPluginAsync {
  const runHandler = auditHandlers(createAuthenticatedRunner(app));
  return createJsonEntryPoint(async (server) => {
    acceptJsonOnly(server);
    await server.register(async (unauthenticated) => {
      guardUnauthenticated(unauthenticated, app);
      unauthenticated.addHook('onRoute', (route) => {
        route.bodyLimit = LIMITS.unauthenticatedBodyBytes;
      });
      const handlers = createRoutes('unauthenticated', app);
      const runLogin = createUnauthenticatedRunner(app);
      registerContract(unauthenticated, unauthenticatedContract, handlers, runLogin);
    });
    await server.register(async (authenticated) => {
      guardAuthenticated(authenticated, app);
      const handlers = createRoutes('owner', app);
      registerContract(authenticated, authenticatedJsonContract, handlers, runHandler);
      await authenticated.register(async (operatorOnly) => {
        requireOperator(operatorOnly, app);
        const operatorHandlers = createRoutes('operator', app);
        registerContract(operatorOnly, operatorContract, operatorHandlers, runHandler);
      });
    });
    await server.register(async (uploads) => {
      acceptFiles(uploads);
      await uploads.register(async (authenticated) => {
        guardAuthenticated(authenticated, app, UPLOAD_LIMIT);
        const handlers = createRoutes('upload', app);
        registerContract(authenticated, uploadContract, handlers, runHandler);
      });
    });
  });
}

const refuse = createRefuser(PICTURE_FILE_REFUSALS);

const REFUSALS = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'pictureTypeUnsupported',
  FST_ERR_CTP_BODY_TOO_LARGE: 'pictureTooLarge',
} as const;

function acceptFiles(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    // The picture decoder detects the real type.
    /^(?:image\/|application\/octet-stream)/,
    { parseAs: 'buffer', bodyLimit: LIMITS.pictureBytes },
    (_request, body, done) => done(null, body),
  );
  server.setErrorHandler((error, request, reply) => {
    const code = REFUSALS[(error as FastifyError).code as keyof typeof REFUSALS];
    sendError(code ? refuse(code) : error, request, reply);
  });
}
